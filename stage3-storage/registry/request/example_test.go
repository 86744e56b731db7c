package request_test

import (
	"fmt"
	"net/http"
	"strings"

	"example.com/kube-apiserver/stage3-storage/registry/request"
)

// What a request asks for is read from its method and its path alone: before
// any handler is found, permissions can be checked.
func Example() {
	for _, line := range []string{
		"GET /api/v1/namespaces/dev/pods",
		"GET /api/v1/namespaces/dev/pods?watch=true",
		"PATCH /api/v1/namespaces/dev/pods/web/status",
		"DELETE /apis/apps/v1/namespaces/dev/deployments",
		"GET /healthz",
	} {
		method, target, _ := strings.Cut(line, " ")
		req, _ := http.NewRequest(method, target, nil)
		i := request.Parse(req)
		fmt.Printf("%s: %s %q %q %q\n", i.Path, i.Verb, i.Resource, i.Name, i.Subresource)
	}
	// Output:
	// /api/v1/namespaces/dev/pods: list "pods" "" ""
	// /api/v1/namespaces/dev/pods: watch "pods" "" ""
	// /api/v1/namespaces/dev/pods/web/status: patch "pods" "web" "status"
	// /apis/apps/v1/namespaces/dev/deployments: deletecollection "deployments" "" ""
	// /healthz: get "" "" ""
}
