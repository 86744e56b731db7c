package request_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"example.com/kube-apiserver/stage3-storage/registry/request"
)

func TestAPathSaysWhatIsAskedFor(t *testing.T) {
	for line, want := range map[string]request.Info{
		"GET /api/v1/namespaces/a/pods":                                                   {Verb: "list", Version: "v1", Namespace: "a", Resource: "pods"},
		"GET /api/v1/namespaces/a/pods?watch=1":                                           {Verb: "watch", Version: "v1", Namespace: "a", Resource: "pods"},
		"GET /api/v1/namespaces/a/pods/p?watch=1":                                         {Verb: "get", Version: "v1", Namespace: "a", Resource: "pods", Name: "p"},
		"GET /api/v1/pods?watch=perhaps":                                                  {Verb: "watch", Version: "v1", Resource: "pods"},
		"PATCH /api/v1/namespaces/a/pods/p/status":                                        {Verb: "patch", Version: "v1", Namespace: "a", Resource: "pods", Name: "p", Subresource: "status"},
		"PUT /api/v1/namespaces/a/status":                                                 {Verb: "update", Version: "v1", Namespace: "a", Resource: "namespaces", Name: "a", Subresource: "status"},
		"GET /api/v1/namespaces/a/pods?fieldSelector=spec.nodeName%3Dn,metadata.name%3Dp": {Verb: "list", Version: "v1", Namespace: "a", Resource: "pods", Name: "p"},
		"GET /api/v1/pods?fieldSelector=metadata.name%3D..":                               {Verb: "list", Version: "v1", Resource: "pods"},
		"GET /api/v1/pods?fieldSelector=metadata.name!%3Dp":                               {Verb: "list", Version: "v1", Resource: "pods"},
		"DELETE /api/v1/namespaces/a":                                                     {Verb: "delete", Version: "v1", Namespace: "a", Resource: "namespaces", Name: "a"},
		"DELETE /apis/apps/v1/namespaces/a/deployments":                                   {Verb: "deletecollection", Group: "apps", Version: "v1", Namespace: "a", Resource: "deployments"},
	} {
		method, target, _ := strings.Cut(line, " ")
		req, err := http.NewRequest(method, target, nil)
		if err != nil {
			t.Fatal(err)
		}
		want.IsResource, want.Path = true, req.URL.Path
		if got := request.Parse(req); got != want {
			t.Errorf("%s asks for\n%+v, got\n%+v", line, want, got)
		}
	}
}

// FuzzParse: whatever a path is, its parts are taken from it as they are.
func FuzzParse(f *testing.F) {
	for _, path := range []string{"", "/", "//", "/api", "/api/v1/", "/apis/g/v/namespaces//x", "/api/v1/watch/namespaces/a/pods/p", "/api/v1/namespaces/a/status/x/y", "/api/v1/namespaces/../pods"} {
		f.Add("GET", path)
	}
	f.Fuzz(func(t *testing.T, method, path string) {
		info := request.Parse(&http.Request{Method: method, URL: &url.URL{Path: path}})
		parts := strings.Split(path, "/")
		for _, part := range []string{info.Group, info.Version, info.Namespace, info.Resource, info.Subresource, info.Name} {
			if part != "" && !slices.Contains(parts, part) {
				t.Errorf("%q: %q is no part of the path", path, part)
			}
		}
		if !info.IsResource && info.Resource != "" {
			t.Errorf("%q is about %q and is said to be about no resource", path, info.Resource)
		}
	})
}
