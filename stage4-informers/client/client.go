package client

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
)

// UserAgent is how the client calls itself.
const UserAgent = "kube-apiserver/loopback"

// Client talks to one server. It is safe for concurrent use. Every error that
// the server itself sent is a *status.Status.
type Client struct {
	Base  string // "http://127.0.0.1:8080"
	HTTP  *http.Client
	Token string // "" sends none

	accept string // "" is the object itself
}

// Metadata returns a client that gets nothing of an object but its metadata,
// so it can deal with kinds that it knows nothing about, in little memory.
//
// Now: staging/src/k8s.io/client-go/metadata/metadata.go Client
func (c *Client) Metadata() *Client { return c.accepting(metadataOnly) }

const (
	metadataOnly     = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json"
	listMetadataOnly = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json"
)

func (c *Client) accepting(form string) *Client {
	other := *c
	other.accept = form
	return &other
}

// path is where a resource lives. name and subresource may be "".
func path(r catalog.Resource, namespace, name, subresource string) string {
	p := "/api/" + r.Version
	if r.Group != "" {
		p = "/apis/" + r.Group + "/" + r.Version
	}
	if namespace != "" {
		p += "/namespaces/" + url.PathEscape(namespace)
	}
	p += "/" + r.Name
	for _, part := range []string{name, subresource} {
		if part != "" {
			p += "/" + url.PathEscape(part)
		}
	}
	return p
}

// Get returns one object.
func (c *Client) Get(ctx context.Context, r catalog.Resource, namespace, name string) (*object.Encoded, error) {
	return c.object(ctx, http.MethodGet, path(r, namespace, name, ""), "", nil)
}

// Create stores a new object and returns it as stored.
func (c *Client) Create(ctx context.Context, r catalog.Resource, namespace string, obj *object.Object) (*object.Encoded, error) {
	return c.object(ctx, http.MethodPost, path(r, namespace, "", ""), "application/json", obj.Encode())
}

// Update replaces an object, or what a subresource shows of it. obj's
// resourceVersion, if set, is the precondition.
func (c *Client) Update(ctx context.Context, r catalog.Resource, subresource string, obj *object.Object) (*object.Encoded, error) {
	body, err := json.Marshal(obj.Tree())
	if err != nil {
		return nil, err
	}
	return c.object(ctx, http.MethodPut, path(r, obj.Meta.Namespace, obj.Meta.Name, subresource), "application/json", body)
}

// Patch changes a part of an object, or of what a subresource shows of it, with a merge patch.
func (c *Client) Patch(ctx context.Context, r catalog.Resource, namespace, name, subresource string, patch map[string]any) (*object.Encoded, error) {
	body, err := json.Marshal(patch)
	if err != nil {
		return nil, err
	}
	return c.object(ctx, http.MethodPatch, path(r, namespace, name, subresource), "application/merge-patch+json", body)
}

// DeleteOptions say how to delete. Both preconditions may be "".
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/types.go DeleteOptions
type DeleteOptions struct {
	PropagationPolicy    string // what becomes of the dependents: Background, Foreground, Orphan
	UID, ResourceVersion string
}

// Delete deletes one object.
func (c *Client) Delete(ctx context.Context, r catalog.Resource, namespace, name string, opts DeleteOptions) error {
	type preconditions struct {
		UID             string `json:"uid,omitempty"`
		ResourceVersion string `json:"resourceVersion,omitempty"`
	}
	body, err := json.Marshal(struct {
		PropagationPolicy string        `json:"propagationPolicy"`
		Preconditions     preconditions `json:"preconditions"`
	}{opts.PropagationPolicy, preconditions{opts.UID, opts.ResourceVersion}})
	if err != nil {
		return err
	}
	_, err = c.do(ctx, http.MethodDelete, path(r, namespace, name, ""), "application/json", body)
	return err
}

// DeleteCollection deletes all objects of a namespace, and leaves what depends
// on them to the collector.
func (c *Client) DeleteCollection(ctx context.Context, r catalog.Resource, namespace string) error {
	_, err := c.do(ctx, http.MethodDelete, path(r, namespace, "", "")+"?propagationPolicy=Background", "", nil)
	return err
}

func (c *Client) object(ctx context.Context, method, path, contentType string, body []byte) (*object.Encoded, error) {
	answer, err := c.do(ctx, method, path, contentType, body)
	if err != nil {
		return nil, err
	}
	return object.FromWire(bytes.TrimSuffix(answer, []byte("\n")))
}

// do sends one request and reads the whole answer.
func (c *Client) do(ctx context.Context, method, path, contentType string, body []byte) ([]byte, error) {
	resp, err := c.send(ctx, method, path, contentType, body)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	return io.ReadAll(resp.Body)
}

// send returns the response of a request that went well. The caller closes its body.
func (c *Client) send(ctx context.Context, method, path, contentType string, body []byte) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, c.Base+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", cmp.Or(c.accept, "application/json"))
	req.Header.Set("User-Agent", UserAgent)
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	if c.Token != "" {
		req.Header.Set("Authorization", "Bearer "+c.Token)
	}
	resp, err := c.HTTP.Do(req)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode < 300 {
		return resp, nil
	}
	defer resp.Body.Close()
	return nil, failure(resp)
}

// failure reads the Status of an answer that is an error.
func failure(resp *http.Response) error {
	body, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	if err != nil {
		return err
	}
	var s status.Status
	if json.Unmarshal(body, &s) != nil || s.Kind != "Status" {
		return status.New(resp.StatusCode, "", fmt.Sprintf("%s: %s", resp.Status, bytes.TrimSpace(body)), nil)
	}
	return &s
}
