package client_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage4-informers/client"
)

var (
	pods  = catalog.Resource{Version: "v1", Name: "pods", Kind: "Pod", Namespaced: true}
	roles = catalog.Resource{Group: "rbac.authorization.k8s.io", Version: "v1", Name: "clusterroles", Kind: "ClusterRole"}
)

// answering is a client of a server that answers every request with code and
// body; requests gets what it was asked.
func answering(t testing.TB, code int, body string) (c *client.Client, requests *[]string) {
	requests = &[]string{}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		sent, err := io.ReadAll(req.Body)
		if err != nil {
			t.Error(err)
		}
		*requests = append(*requests, strings.TrimSpace(fmt.Sprintf("%s %s %s", req.Method, req.URL.RequestURI(), sent)))
		w.WriteHeader(code)
		io.WriteString(w, body)
	}))
	t.Cleanup(srv.Close)
	return &client.Client{Base: srv.URL, HTTP: srv.Client()}, requests
}

const pod = `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a:b","namespace":"default","resourceVersion":"7"}}`

func TestEveryRequestGoesToItsPath(t *testing.T) {
	c, requests := answering(t, 200, pod)
	ctx := t.Context()
	obj := &object.Object{APIVersion: "v1", Kind: "Pod", Meta: object.Meta{Namespace: "default", Name: "a:b"}}
	_, errGet := c.Get(ctx, pods, "default", "a/b")
	_, errRole := c.Get(ctx, roles, "", "system:node")
	_, errCreate := c.Create(ctx, pods, "default", obj)
	_, errUpdate := c.Update(ctx, pods, "status", obj)
	_, errPatch := c.Patch(ctx, pods, "default", "a", "", map[string]any{"x": 1})
	err := errors.Join(errGet, errRole, errCreate, errUpdate, errPatch,
		c.Delete(ctx, pods, "default", "a", client.DeleteOptions{PropagationPolicy: "Orphan", UID: "u", ResourceVersion: "7"}),
		c.DeleteCollection(ctx, pods, "default"))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"GET /api/v1/namespaces/default/pods/a%2Fb",
		"GET /apis/rbac.authorization.k8s.io/v1/clusterroles/system:node",
		`POST /api/v1/namespaces/default/pods {"kind":"Pod","apiVersion":"v1","metadata":{"name":"a:b","namespace":"default"}}`,
		`PUT /api/v1/namespaces/default/pods/a:b/status {"apiVersion":"v1","kind":"Pod","metadata":{"name":"a:b","namespace":"default"}}`,
		`PATCH /api/v1/namespaces/default/pods/a {"x":1}`,
		`DELETE /api/v1/namespaces/default/pods/a {"propagationPolicy":"Orphan","preconditions":{"uid":"u","resourceVersion":"7"}}`,
		"DELETE /api/v1/namespaces/default/pods?propagationPolicy=Background",
	}
	for i, w := range want {
		if got := (*requests)[i]; got != w {
			t.Errorf("request %d is\n%s\nwant\n%s", i, got, w)
		}
	}
}

func TestWhatTheServerSaysIsTheError(t *testing.T) {
	c, _ := answering(t, 409, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Conflict","message":"somebody was quicker","code":409}`)
	if _, err := c.Get(t.Context(), pods, "default", "a"); !status.Is(err, "Conflict") || err.Error() != "somebody was quicker" {
		t.Errorf("the error of a refused request is %v, want the server's Status", err)
	}
	c, _ = answering(t, 502, "Bad Gateway, says a proxy")
	_, err := c.Get(t.Context(), pods, "default", "a")
	if s, ok := errors.AsType[*status.Status](err); !ok || s.Code != 502 || !strings.Contains(s.Message, "says a proxy") {
		t.Errorf("the error of an answer that is no Status is %v, want its code and its text", err)
	}
}

func TestAListGivesItsItemsTheirKindBack(t *testing.T) {
	c, _ := answering(t, 200, `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"9"},"items":[{"metadata":{"name":"a","resourceVersion":"7"}}]}`)
	list, err := c.ListerWatcher(pods, "").List(t.Context())
	if err != nil || list.ResourceVersion != "9" || len(list.Items) != 1 {
		t.Fatalf("the list is %+v (error: %v), want one item at version 9", list, err)
	}
	if got, want := string(list.Items[0].JSON()), `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","resourceVersion":"7"}}`; got != want {
		t.Errorf("the item is %s, want %s: the bytes that a GET or a watch has", got, want)
	}
}

func TestAWatchYieldsItsFramesAndThenItsError(t *testing.T) {
	frames := `{"type":"ADDED","object":` + pod + `}
{"type":"BOOKMARK","object":{"kind":"Pod","apiVersion":"v1","metadata":{"resourceVersion":"8"}}}
`
	for end, want := range map[string]string{
		"": "",
		`{"type":"ERROR","object":{"kind":"Status","reason":"Expired","message":"too old","code":410}}`: "too old",
		`{"type":"ADD`: "unexpected EOF",
	} {
		c, requests := answering(t, 200, frames+end)
		var heard []string
		for ev, err := range c.ListerWatcher(pods, "default").Watch(t.Context(), "6") {
			if err != nil {
				heard = append(heard, err.Error())
			} else {
				heard = append(heard, fmt.Sprint(ev.Type, " ", ev.Object.Revision()))
			}
		}
		expect := []string{"ADDED 7", "BOOKMARK 8"}
		if want != "" {
			expect = append(expect, want)
		}
		if fmt.Sprint(heard) != fmt.Sprint(expect) {
			t.Errorf("a watch that ends with %q yields %q, want %q", end, heard, expect)
		}
		if asked := (*requests)[0]; !strings.HasSuffix(asked, "resourceVersion=6") {
			t.Errorf("the watch was asked for as %s, want it from version 6", asked)
		}
	}
}

func TestMetadataAreAskedForInTheFormOfTheAnswer(t *testing.T) {
	var accepted []string
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		form, _, _ := strings.Cut(req.Header.Get("Accept"), ";g=")
		accepted = append(accepted, form)
		io.WriteString(w, `{"metadata":{"resourceVersion":"1"}}`)
	}))
	defer srv.Close()
	c := (&client.Client{Base: srv.URL, HTTP: srv.Client()}).Metadata()
	_, errGet := c.Get(t.Context(), pods, "default", "a")
	_, errList := c.List(t.Context(), pods, "default")
	if err := errors.Join(errGet, errList); err != nil {
		t.Fatal(err)
	}
	if want := []string{"application/json;as=PartialObjectMetadata", "application/json;as=PartialObjectMetadataList"}; fmt.Sprint(accepted) != fmt.Sprint(want) {
		t.Errorf("accepted is %q, want %q: a server refuses the one form where the answer would be the other", accepted, want)
	}
}

// A client needs to know nothing but where a kind lives.
func ExampleClient_Get() {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		fmt.Println(req.Method, req.URL.Path)
		io.WriteString(w, pod)
	}))
	defer srv.Close()
	c := &client.Client{Base: srv.URL, HTTP: srv.Client()}
	row := catalog.Resource{Version: "v1", Name: "pods", Kind: "Pod", Namespaced: true}
	e, err := c.Get(context.Background(), row, "default", "web")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("revision", e.Revision())
	// Output:
	// GET /api/v1/namespaces/default/pods/web
	// revision 7
}
