package endpoints_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"example.com/kube-apiserver/stage3-storage/app"
	"example.com/kube-apiserver/stage3-storage/endpoints"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
)

// letterbox takes what is posted, and has no other ability.
type letterbox struct{}

func (letterbox) Kind() (apiVersion, kind string) { return "v1", "Letter" }
func (letterbox) Resource() catalog.Resource {
	return catalog.Resource{Version: "v1", Name: "letters", Kind: "Letter", Namespaced: true}
}
func (letterbox) Create(ctx context.Context, _ rest.Key, w rest.Write) (*object.Encoded, error) {
	letter, err := w.Wanted(ctx, nil, nil)
	if err != nil {
		return nil, err
	}
	return object.Unstored(letter), nil
}

const letters = "/api/v1/namespaces/default/letters"

// serve routes a map of storages, once it is installed.
func serve(t *testing.T) (url string, install func() []endpoints.APIResource) {
	t.Helper()
	router := endpoints.NewRouter(config)
	server := httptest.NewServer(app.Chain.Then(router.Mount(http.NotFoundHandler())))
	t.Cleanup(server.Close)
	restStorageMap := map[string]rest.Storage{"letters": letterbox{}}
	return server.URL, func() []endpoints.APIResource {
		g := endpoints.APIGroupVersion{Root: "/api/v1", Storage: restStorageMap, Config: config}
		installed, err := g.InstallREST(router)
		if err != nil {
			t.Fatal(err)
		}
		return installed
	}
}

func send(t *testing.T, method, url string) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(`{"metadata":{"name":"a"}}`))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s %s: %d %s", method, strings.TrimPrefix(url, "http://"), resp.StatusCode, body)
	return resp.StatusCode
}

func TestErratumE10(t *testing.T) {
	t.Log("the map has a storage for letters; nobody has installed it yet")
	url, install := serve(t)
	if code := send(t, http.MethodPost, url+letters); code != http.StatusNotFound {
		t.Errorf("a map alone answers nothing: want 404 before it is installed, got %d", code)
	}
	t.Log("now the installer makes a route for each verb of each storage")
	install()
	if code := send(t, http.MethodPost, url+letters); code != http.StatusCreated {
		t.Errorf("the installer binds URL and handler: want 201 after it ran, got %d", code)
	}
}

func TestErratumE11(t *testing.T) {
	t.Log("the storage of letters implements Create and nothing else")
	url, install := serve(t)
	installed := install()
	if got := strings.Join(installed[0].Verbs, ","); got != "create" {
		t.Errorf("a storage that can only create has the verb create, got %q", got)
	}
	if code := send(t, http.MethodPost, url+letters); code != http.StatusCreated {
		t.Errorf("what it can do it does: want 201 for POST, got %d", code)
	}
	if code := send(t, http.MethodGet, url+letters); code != http.StatusMethodNotAllowed {
		t.Errorf("the path is there and the method is not, which is 405 and not 404: got %d for GET", code)
	}
}
