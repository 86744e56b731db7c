package subresources

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object/field"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage3-storage/wire/connect"
)

// LogREST reads what a container has printed from the kubelet of its node.
//
// Upstream: pkg/registry/core/pod/rest/log.go LogREST
type LogREST struct{ connecter }

// Kind is part of rest.Storage: as upstream, the path says that it returns a pod.
func (r *LogREST) Kind() (apiVersion, kind string) { return "v1", "Pod" }

// Resource is part of rest.Storage.
func (r *LogREST) Resource() catalog.Resource { return r.pods.Resource() }

// ConnectMethods is part of connect.Connecter.
func (r *LogREST) ConnectMethods() []string { return []string{http.MethodGet} }

// IncludePath is part of connect.Connecter.
func (r *LogREST) IncludePath() bool { return false }

// Connect is part of connect.Connecter. It asks no admission plugin: a log is read.
func (r *LogREST) Connect(ctx context.Context, key rest.Key, opts connect.Options) (connect.Connection, error) {
	params, errs, err := logParams(opts.Query)
	if err != nil {
		return nil, err
	}
	if len(errs) > 0 {
		return nil, status.Invalid("", "PodLogOptions", key.Name, errs)
	}
	pod, err := get(ctx, r.pods, key)
	if err != nil {
		return nil, err
	}
	name, err := container(pod, opts.Query.Get("container"))
	if err != nil {
		return nil, err
	}
	node := rules.Text(pod.Fields, "spec", "nodeName")
	if node == "" { // it cannot have printed anything
		return func(w http.ResponseWriter, _ *http.Request) error {
			w.WriteHeader(http.StatusNoContent)
			return nil
		}, nil
	}
	scheme, host, err := r.onNode(ctx, node)
	if err != nil {
		return nil, err
	}
	path := "/containerLogs/" + key.Namespace + "/" + key.Name + "/" + name
	return r.carry(Target{
		URL:     &url.URL{Scheme: scheme, Host: host, Path: path, RawQuery: params.Encode()},
		Kubelet: true, Unchecked: truthy(opts.Query, "insecureSkipTLSVerifyBackend"), Way: Read})
}

// logParams reads the client's parameters and writes them for the kubelet. errs
// are those that make no sense, err is one that cannot be read at all.
//
// Upstream: pkg/api/validation/validation.go ValidatePodLogOptions
func logParams(q url.Values) (params url.Values, errs field.Errors, err error) {
	params = url.Values{}
	for _, name := range []string{"follow", "previous", "timestamps"} {
		if truthy(q, name) {
			params.Set(name, "true")
		}
	}
	for _, p := range []struct {
		name    string
		least   int64
		problem string
	}{
		{"tailLines", 0, "must be greater than or equal to 0"},
		{"limitBytes", 1, "must be greater than 0"},
		{"sinceSeconds", 1, "must be greater than 0"},
	} {
		if !q.Has(p.name) {
			continue
		}
		n, err := strconv.ParseInt(q.Get(p.name), 10, 64)
		if err != nil {
			return nil, nil, unreadable(q.Get(p.name), err)
		}
		if n < p.least && !(p.name == "sinceSeconds" && q.Has("sinceTime")) {
			errs = append(errs, field.Invalid(p.name, n, p.problem))
		}
		params.Set(p.name, strconv.FormatInt(n, 10))
	}
	if q.Has("sinceTime") {
		since, err := time.Parse(time.RFC3339, q.Get("sinceTime"))
		if err != nil {
			return nil, nil, status.BadRequest("%v", err)
		}
		if q.Has("sinceSeconds") {
			errs = append(errs, field.Forbidden("[]", "at most one of `sinceTime` or `sinceSeconds` may be specified"))
		}
		params.Set("sinceTime", since.UTC().Format(time.RFC3339))
	}
	if q.Has("stream") {
		errs = append(errs, field.Forbidden("stream", "may not be specified"))
	}
	return params, errs, nil
}

// unreadable is the answer to a parameter that is no number.
func unreadable(text string, err error) error {
	return status.BadRequest("strconv.ParseInt: parsing %q: %v", text, errors.Unwrap(err))
}
