package registry_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"

	optionsadmission "example.com/kube-apiserver/stage2-options/admission"
	"example.com/kube-apiserver/stage3-storage/admission"
	"example.com/kube-apiserver/stage3-storage/kv/bboltkv"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage3-storage/storage"
	"example.com/kube-apiserver/stage3-storage/wire/metadata"
	"example.com/kube-apiserver/stage3-storage/wire/requests"
)

// doorman is a plugin that lets everybody in and counts.
type doorman struct{ seen []rest.Operation }

func (d *doorman) Handles(string) bool { return true }
func (d *doorman) Admit(_ context.Context, a *admission.Attributes) error {
	d.seen = append(d.seen, a.Operation)
	return nil
}

func TestErratumE5(t *testing.T) {
	t.Log("a plugin that asks to see every operation stands in the chain")
	engine, err := bboltkv.Open(t.Context(), bboltkv.Options{Path: filepath.Join(t.TempDir(), "state.db")})
	if err != nil {
		t.Fatal(err)
	}
	defer engine.Close()
	var plugin doorman
	s, err := registry.NewStore(boats(), &registry.StorageFactory{RESTOptions: registry.RESTOptions{
		Storage: storage.New(engine), Prefix: "/registry", Rules: metadata.Rules{}, Admission: admission.Chain{optionsadmission.Interface(&plugin)},
	}})
	if err != nil {
		t.Fatal(err)
	}
	create(t, s, `{"metadata":{"name":"ark"},"spec":{}}`)
	t.Logf("after a creation it has seen %v", plugin.seen)
	if len(plugin.seen) != 1 {
		t.Errorf("a creation goes past admission once, got %v", plugin.seen)
	}
	if _, err := s.Get(t.Context(), ark, rest.GetOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.List(t.Context(), "harbor", rest.ListOptions{}); err != nil {
		t.Fatal(err)
	}
	t.Logf("after a get and a list it has seen %v", plugin.seen)
	if len(plugin.seen) != 1 {
		t.Errorf("reads never reach admission, whatever a plugin asks to see: got %v", plugin.seen)
	}
}

// patch is a write that changes one field of the spec of whatever is there.
// When it has seen the live object, before it answers, others get their turn.
func patch(field string, others func()) rest.Write {
	return rest.Write{Wanted: requests.Wanted(func(live *object.Encoded) (map[string]any, error) {
		tree, err := object.Parse(live.JSON())
		if err != nil {
			return nil, err
		}
		tree["spec"].(map[string]any)[field] = json.Number("1")
		others()
		return tree, nil
	})}
}

func TestTwoPatchesOfDifferentFieldsBothSurvive(t *testing.T) {
	s := open(t)
	create(t, s, `{"metadata":{"name":"ark"},"spec":{}}`)
	overtaken := 0
	other := func() {
		if overtaken == 5 {
			return // now nobody comes in between
		}
		overtaken++
		if _, _, err := s.Update(t.Context(), ark, patch(fmt.Sprint("mast", overtaken), func() {})); err != nil {
			t.Errorf("the patch that came in between failed: %v", err)
		}
	}
	e, _, err := s.Update(t.Context(), ark, patch("oars", other))
	if err != nil {
		t.Fatalf("a patch that another write overtook is made again from what is there now, as often as it takes; the client got %v", err)
	}
	if spec := decoded(t, e, nil).Fields["spec"].(map[string]any); len(spec) != 6 {
		t.Errorf("patches of different fields all survive: want five masts and oars, the boat has %v", spec)
	}
}
