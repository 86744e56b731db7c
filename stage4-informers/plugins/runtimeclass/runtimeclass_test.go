package runtimeclass_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	optionsadmission "example.com/kube-apiserver/stage2-options/admission"
	"example.com/kube-apiserver/stage2-options/admission/configfile"
	"example.com/kube-apiserver/stage3-storage/admission"
	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage4-informers/client"
	"example.com/kube-apiserver/stage4-informers/plugins/runtimeclass"
	"github.com/google/go-cmp/cmp"
)

const box = `{"apiVersion":"node.k8s.io/v1","kind":"RuntimeClass","metadata":{"name":"box","resourceVersion":"1"},"handler":"box",
	"overhead":{"podFixed":{"cpu":"10m"}},"scheduling":{"nodeSelector":{"box":"yes"},"tolerations":[{"key":"box","operator":"Exists"}]}}`

// withBox makes the plugin for a cluster in which the class box is known. No
// stage before the fifth serves such classes.
func withBox(t *testing.T) admission.Chain {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if req.URL.Path != "/apis/node.k8s.io/v1/runtimeclasses/box" {
			http.NotFound(w, req)
			return
		}
		w.Write([]byte(box))
	}))
	t.Cleanup(server.Close)
	var registry optionsadmission.Plugins
	if err := registry.Register(runtimeclass.Name, configfile.Unconfigured(runtimeclass.New)); err != nil {
		t.Fatal(err)
	}
	chain, err := registry.NewFromPlugins([]string{runtimeclass.Name}, nil, func(p optionsadmission.Interface) {
		p.(interface{ SetLoopback(*client.Client) }).SetLoopback(&client.Client{Base: server.URL, HTTP: server.Client()})
	})
	if err != nil {
		t.Fatal(err)
	}
	return chain
}

func create(t *testing.T, c admission.Chain, spec string) (rules.Tree, error) {
	t.Helper()
	tree, err := object.Parse([]byte(`{"metadata":{"name":"p"},"spec":{` + spec + `}}`))
	if err != nil {
		t.Fatal(err)
	}
	pod, err := object.FromTree(tree)
	if err != nil {
		t.Fatal(err)
	}
	a := &admission.Attributes{Operation: rest.Create, Resource: catalog.Resource{Version: "v1", Name: "pods"}, Key: rest.Key{Namespace: "n", Name: "p"}, Object: pod}
	if err = c.Admit(t.Context(), a); err == nil {
		err = c.Validate(t.Context(), a)
	}
	return rules.Map(pod.Fields, "spec"), err
}

func TestAPodGetsTheCostAndTheNodesOfItsClass(t *testing.T) {
	got, err := create(t, withBox(t), `"runtimeClassName":"box","nodeSelector":{"disk":"fast"}`)
	if err != nil {
		t.Fatal(err)
	}
	want := rules.Tree{
		"runtimeClassName": "box", "overhead": rules.Tree{"cpu": "10m"}, "nodeSelector": rules.Tree{"disk": "fast", "box": "yes"},
		"tolerations": []any{rules.Tree{"key": "box", "operator": "Exists"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the plugin makes something else of the pod (-want +got):\n%s", diff)
	}
}

func TestAPodMayNotContradictItsClass(t *testing.T) {
	c := withBox(t)
	for spec, want := range map[string]string{
		``:                          ``,
		`"runtimeClassName":"none"`: `pod rejected: RuntimeClass "none" not found`,
		`"runtimeClassName":"box","overhead":{"cpu":"1m"}`:      `pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead`,
		`"runtimeClassName":"box","overhead":{"cpu":"10m"}`:     ``,
		`"overhead":{"cpu":"10m"}`:                              `pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead`,
		`"runtimeClassName":"box","nodeSelector":{"box":"no"}`:  `conflict: runtimeClass.scheduling.nodeSelector[box] = yes; pod.spec.nodeSelector[box] = no`,
		`"runtimeClassName":"box","nodeSelector":{"box":"yes"}`: ``,
	} {
		_, err := create(t, c, spec)
		got := ""
		if err != nil {
			got = strings.TrimPrefix(err.Error(), `pods "p" is forbidden: `)
		}
		if got != want {
			t.Errorf("the pod {%s} is answered %q, want %q", spec, got, want)
		}
	}
}
