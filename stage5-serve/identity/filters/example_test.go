package filters_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"example.com/kube-apiserver/stage3-storage/endpoints"
	"example.com/kube-apiserver/stage3-storage/registry/request"
	"example.com/kube-apiserver/stage5-serve/groups/rbac"
	"example.com/kube-apiserver/stage5-serve/identity/authorizer"
	"example.com/kube-apiserver/stage5-serve/identity/filters"
)

// The filters in their order, before a handler that says whom it serves.
func Example() {
	permissions, err := authorizer.ForModes([]string{"RBAC"}, map[string]authorizer.Authorizer{"RBAC": authorizer.RBAC{Policy: rbac.Builtin()}})
	if err != nil {
		fmt.Println(err)
		return
	}
	var h http.Handler = http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		fmt.Fprintf(w, "hello %s", request.UserFrom(req.Context()).Name)
	})
	h = filters.WithAuthorization(permissions, formats)(h)
	h = filters.WithImpersonation(permissions, formats)(h)
	h = filters.WithAuthentication(who, formats)(h)
	h = endpoints.WithRequestInfo(h)
	for _, token := range []string{"wrong", "alicetoken", "admintoken"} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, get("/api/v1/pods", token))
		fmt.Println(w.Code, strings.TrimSpace(w.Body.String()))
	}
	// Output:
	// 401 {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Unauthorized","reason":"Unauthorized","code":401}
	// 403 {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"pods is forbidden: User \"alice\" cannot list resource \"pods\" in API group \"\" at the cluster scope","reason":"Forbidden","details":{"kind":"pods"},"code":403}
	// 200 hello admin
}
