package subresources

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage3-storage/wire/connect"
)

// streamed is a row: a subresource of a pod that is a connection to the
// kubelet of the pod's node.
//
// Upstream: pkg/registry/core/pod/rest/subresources.go ExecREST
type streamed struct {
	subresource, kind string
	path              string // at the kubelet
	ofContainer       bool   // it leads to one container of the pod
	params            func(url.Values) url.Values
}

var (
	exec        = streamed{"exec", "PodExecOptions", "/exec", true, execParams}
	attach      = streamed{"attach", "PodAttachOptions", "/attach", true, attachParams}
	portForward = streamed{"portforward", "PodPortForwardOptions", "/portForward", false, forwardParams}
)

// stream is the storage of such a row.
type stream struct {
	connecter
	streamed
}

// Kind is part of rest.Storage.
func (s stream) Kind() (apiVersion, kind string) { return "v1", s.kind }

// Resource is part of rest.Storage.
func (s stream) Resource() catalog.Resource { return s.pods.Resource() }

// ConnectMethods is part of connect.Connecter.
func (stream) ConnectMethods() []string { return []string{http.MethodGet, http.MethodPost} }

// IncludePath is part of connect.Connecter.
func (stream) IncludePath() bool { return false }

// Connect is part of connect.Connecter.
func (s stream) Connect(ctx context.Context, key rest.Key, opts connect.Options) (connect.Connection, error) {
	if s.permit != nil {
		if err := s.permit(ctx, "create"); err != nil {
			return nil, err
		}
	}
	if err := s.admit(ctx, s.pods, s.subresource, s.kind, key); err != nil {
		return nil, err
	}
	to, err := s.location(ctx, key, opts.Query)
	if err != nil {
		return nil, err
	}
	return s.carry(Target{URL: to, Kubelet: true, Way: Upgrade})
}

// location is the URL at the kubelet.
//
// Upstream: pkg/registry/core/pod/strategy.go streamLocation
func (s stream) location(ctx context.Context, key rest.Key, q url.Values) (*url.URL, error) {
	pod, err := get(ctx, s.pods, key)
	if err != nil {
		return nil, err
	}
	path := s.path + "/" + key.Namespace + "/" + key.Name
	if s.ofContainer {
		name, err := container(pod, q.Get("container"))
		if err != nil {
			return nil, err
		}
		path += "/" + name
	}
	node := rules.Text(pod.Fields, "spec", "nodeName")
	if node == "" {
		return nil, status.BadRequest("pod %s does not have a host assigned", key.Name)
	}
	scheme, host, err := s.onNode(ctx, node)
	if err != nil {
		return nil, err
	}
	return &url.URL{Scheme: scheme, Host: host, Path: path, RawQuery: s.params(q).Encode()}, nil
}

// attachParams: a kubelet calls the streams otherwise than a client does.
// Output and errors always come, whatever the client says: upstream sets both.
func attachParams(q url.Values) url.Values {
	out := url.Values{"output": {"1"}, "error": {"1"}}
	for theirs, name := range map[string]string{"stdin": "input", "tty": "tty"} {
		if truthy(q, theirs) {
			out.Set(name, "1")
		}
	}
	return out
}

func execParams(q url.Values) url.Values {
	out := attachParams(q)
	if commands := q["command"]; len(commands) > 0 {
		out["command"] = commands
	}
	return out
}

func forwardParams(q url.Values) url.Values {
	out := url.Values{}
	if ports := q["ports"]; len(ports) > 0 {
		out.Set("port", strings.Join(ports, ","))
	}
	return out
}

// truthy reads a parameter that is set unless it says otherwise.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/runtime/conversion.go Convert_Slice_string_To_bool
func truthy(q url.Values, name string) bool {
	v, asked := q[name]
	return asked && v[0] != "0" && !strings.EqualFold(v[0], "false")
}

// container is the container that a client means: the one it names, or the
// pod's only one.
//
// Upstream: pkg/registry/core/pod/strategy.go LogLocation
func container(pod *object.Object, name string) (string, error) {
	names := func(list string) (all []string) {
		for _, c := range rules.Items(pod.Fields, "spec", list) {
			all = append(all, rules.Text(c, "name"))
		}
		return all
	}
	usual, initial := names("containers"), names("initContainers")
	if name != "" {
		if slices.Contains(slices.Concat(usual, initial, names("ephemeralContainers")), name) {
			return name, nil
		}
		return "", status.BadRequest("container %s is not valid for pod %s", name, pod.Meta.Name)
	}
	switch len(usual) {
	case 0:
		return "", status.BadRequest("a container name must be specified for pod %s", pod.Meta.Name)
	case 1:
		return usual[0], nil
	}
	choice := "choose one of: [" + strings.Join(usual, " ") + "]"
	if len(initial) > 0 {
		choice += " or one of the init containers: [" + strings.Join(initial, " ") + "]"
	}
	return "", status.BadRequest("a container name must be specified for pod %s, %s", pod.Meta.Name, choice)
}
