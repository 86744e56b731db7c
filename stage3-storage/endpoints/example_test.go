package endpoints_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"example.com/kube-apiserver/stage3-storage/endpoints"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage3-storage/wire/negotiation"
	"example.com/kube-apiserver/stage3-storage/wire/requests"
	"example.com/kube-apiserver/stage3-storage/wire/tables"
)

// A map of storages becomes routes: a verb is served where the storage has the
// ability for it. A letterbox takes letters and gives none back.
func Example() {
	rows := &negotiation.Tables{Formats: tables.Formats}
	config := &endpoints.Config{
		Verbs: endpoints.Verbs, Decoder: requests.Decoder{Tables: rows}, Encoder: negotiation.Encoder{Tables: rows},
	}
	router := endpoints.NewRouter(config)
	group := endpoints.APIGroupVersion{
		Root: "/api/v1", Storage: map[string]rest.Storage{"letters": letterbox{}},
		Config: config,
	}
	installed, err := group.InstallREST(router)
	fmt.Println(installed[0].Name, installed[0].Verbs, err)

	handler := endpoints.WithRequestInfo(router.Mount(http.NotFoundHandler()))
	for _, method := range []string{"POST", "GET"} {
		req := httptest.NewRequest(method, "/api/v1/namespaces/home/letters", strings.NewReader(`{"metadata":{"name":"hello"}}`))
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, req)
		fmt.Println(method, answer.Code, answer.Header().Get("Content-Type"))
	}
	// Output:
	// letters [create] <nil>
	// POST 201 application/json
	// GET 405 application/json
}
