package subresources

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage3-storage/registry/request"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage3-storage/wire/printers"
	"example.com/kube-apiserver/stage3-storage/wire/requests"
)

// Component is a part of the cluster whose health componentstatuses shows.
type Component struct {
	Name  string
	Probe func(ctx context.Context) (message string, err error)
}

// NeighbourComponents are the two that a cluster runs beside its API server, at
// the ports where they listen by default.
//
// Upstream: pkg/registry/core/rest/storage_core.go serversToValidate
func NeighbourComponents() []Component {
	// Their certificates are their own; what is read is only "ok".
	client := &http.Client{Timeout: time.Second, Transport: &http.Transport{
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, DisableKeepAlives: true,
	}}
	at := func(port int) func(context.Context) (string, error) {
		return func(ctx context.Context) (string, error) {
			return healthz(ctx, client, fmt.Sprintf("https://127.0.0.1:%d/healthz", port))
		}
	}
	return []Component{{"controller-manager", at(10257)}, {"scheduler", at(10259)}}
}

func healthz(ctx context.Context, client *http.Client, url string) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return "", err
	}
	resp, err := client.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, 10<<10))
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("unhealthy http status code: %d body: %s", resp.StatusCode, body)
	}
	return string(body), err
}

// ComponentStatusREST asks the components whenever somebody wants to know. It
// stores nothing.
//
// Upstream: pkg/registry/core/componentstatus/rest.go REST
type ComponentStatusREST struct{ components []Component }

var _ requests.Selectable = &ComponentStatusREST{}

const componentStatusDeprecated = "v1 ComponentStatus is deprecated in v1.19+"

// Kind is part of rest.Storage.
func (r *ComponentStatusREST) Kind() (apiVersion, kind string) { return "v1", "ComponentStatus" }

// Resource is part of rest.Storage.
func (r *ComponentStatusREST) Resource() catalog.Resource { return ComponentStatuses() }

// ComponentStatuses is the row of the resource.
func ComponentStatuses() catalog.Resource {
	return catalog.Resource{Version: "v1", Name: "componentstatuses", Singular: "componentstatus", Kind: "ComponentStatus", ShortNames: []string{"cs"}}
}

// Get is part of rest.Getter.
func (r *ComponentStatusREST) Get(ctx context.Context, key rest.Key, _ rest.GetOptions) (*object.Encoded, error) {
	request.Warn(ctx, componentStatusDeprecated)
	for _, c := range r.components {
		if c.Name == key.Name {
			return object.Unstored(c.status(ctx)), nil
		}
	}
	return nil, status.NotFound(status.Resource{Name: "componentstatus"}, key.Name)
}

// List is part of rest.Lister.
func (r *ComponentStatusREST) List(ctx context.Context, _ string, opts rest.ListOptions) (rest.List, error) {
	request.Warn(ctx, componentStatusDeprecated)
	asked := make([]*object.Encoded, len(r.components))
	var wait sync.WaitGroup
	for i, c := range r.components {
		wait.Go(func() { asked[i] = object.Unstored(c.status(ctx)) })
	}
	wait.Wait()
	list := rest.List{Items: []*object.Encoded{}}
	for _, e := range asked {
		if opts.Selector.Matches == nil || opts.Selector.Matches(e) {
			list.Items = append(list.Items, e)
		}
	}
	return list, nil
}

// SelectableField is part of requests.Selectable.
func (r *ComponentStatusREST) SelectableField(o *object.Object, path string) (string, bool) {
	if path == "metadata.name" {
		return o.Meta.Name, true
	}
	return "", path == "metadata.namespace"
}

// status probes a component.
func (c Component) status(ctx context.Context) *object.Object {
	healthy := rules.Tree{"type": "Healthy", "status": "True"}
	message, err := c.Probe(ctx)
	if err != nil {
		healthy["status"], message = "False", err.Error()
	}
	if message != "" {
		healthy["message"] = message
	}
	return &object.Object{
		APIVersion: "v1", Kind: "ComponentStatus", Meta: object.Meta{Name: c.Name},
		Fields: map[string]any{"conditions": []any{healthy}},
	}
}

// ComponentStatusColumns are the columns of the resource.
func ComponentStatusColumns() []printers.Column {
	cell := func(read func(healthy rules.Tree) string, missing string) func(*object.Object) any {
		return func(o *object.Object) any {
			for _, c := range rules.Items(o.Fields, "conditions") {
				if rules.Text(c, "type") == "Healthy" {
					return read(c)
				}
			}
			return missing
		}
	}
	text := func(name string) func(*object.Object) any {
		return cell(func(c rules.Tree) string { return rules.Text(c, name) }, "")
	}
	verdict := func(c rules.Tree) string {
		if rules.Text(c, "status") == "True" {
			return "Healthy"
		}
		return "Unhealthy"
	}
	return []printers.Column{
		printers.Name,
		{Name: "Status", Type: "string", Text: "Status of the component conditions", Cell: cell(verdict, "Unknown")},
		{Name: "Message", Type: "string", Text: "Message of the component conditions", Cell: text("message")},
		{Name: "Error", Type: "string", Text: "Error of the component conditions", Cell: text("error")},
	}
}
