package registry_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/kube-apiserver/stage3-storage/kv/bboltkv"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/field"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage3-storage/storage"
	"example.com/kube-apiserver/stage3-storage/wire/metadata"
	"example.com/kube-apiserver/stage3-storage/wire/requests"
)

// boats is a kind that needs nothing but a rule.
func boats() registry.Kind {
	return registry.Kind{
		Resource: catalog.Resource{Version: "v1", Name: "boats", Kind: "Boat", Namespaced: true, StoredUnder: "boats"},
		Strategy: registry.Strategy{HasGeneration: true, KeepOld: []string{"status"}, Validate: func(o *object.Object) field.Errors {
			if o.Fields["spec"] == nil {
				return field.Errors{field.Required("spec", "a boat without a spec sinks")}
			}
			return nil
		}},
		Status: &registry.Strategy{OnlyNew: []string{"status"}},
	}
}

func newStore(file string, k registry.Kind) (*registry.Store, func() error, error) {
	engine, err := bboltkv.Open(context.Background(), bboltkv.Options{Path: file})
	if err != nil {
		return nil, nil, err
	}
	s, err := registry.NewStore(k, &registry.StorageFactory{RESTOptions: registry.RESTOptions{
		Storage: storage.New(engine), Prefix: "/registry", Rules: metadata.Rules{},
	}})
	return s, engine.Close, err
}

func open(t *testing.T) *registry.Store {
	t.Helper()
	s, closeFile, err := newStore(filepath.Join(t.TempDir(), "state.db"), boats())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closeFile() })
	return s
}

// body is a write of exactly this JSON.
func body(text string) rest.Write {
	parse := func(*object.Encoded) (map[string]any, error) { return object.Parse([]byte(text)) }
	w := rest.Write{Wanted: requests.Wanted(parse)}
	if tree, err := parse(nil); err == nil {
		meta, _ := tree["metadata"].(map[string]any)
		w.Name, _ = meta["name"].(string)
		w.GenerateName, _ = meta["generateName"].(string)
	}
	return w
}

var ark = rest.Key{Namespace: "harbor", Name: "ark"}

func create(t *testing.T, s *registry.Store, text string) *object.Object {
	t.Helper()
	obj, err := s.Create(t.Context(), rest.Key{Namespace: "harbor"}, body(text))
	return decoded(t, obj, err)
}

func update(t *testing.T, s *registry.Store, text string) *object.Object {
	t.Helper()
	obj, _, err := s.Update(t.Context(), ark, body(text))
	return decoded(t, obj, err)
}

func decoded(t *testing.T, e *object.Encoded, err error) *object.Object {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	obj, err := e.Object()
	if err != nil {
		t.Fatal(err)
	}
	return obj
}

func TestTheServerAloneDecidesIdentity(t *testing.T) {
	s := open(t)
	obj := create(t, s, `{"metadata":{"name":"ark","uid":"mine","creationTimestamp":"2001-01-01T00:00:00Z","deletionTimestamp":"2001-01-01T00:00:00Z"},"spec":{}}`)
	if m := obj.Meta; m.UID == "mine" || strings.HasPrefix(m.CreationTimestamp, "2001") || m.DeletionTimestamp != "" {
		t.Errorf("uid, creation and deletion are the server's business, got %+v", m)
	}
}

func TestUpdateConflict(t *testing.T) {
	s := open(t)
	versions := []string{create(t, s, `{"metadata":{"name":"ark"},"spec":{}}`).Meta.ResourceVersion}
	for i := range 12 {
		versions = append(versions, update(t, s, fmt.Sprintf(`{"metadata":{"name":"ark"},"spec":{"masts":%d}}`, i)).Meta.ResourceVersion)
	}
	from := func(version string) error {
		_, _, err := s.Update(t.Context(), ark, body(`{"metadata":{"name":"ark","resourceVersion":"`+version+`"},"spec":{}}`))
		return err
	}
	now := versions[len(versions)-1]
	for _, version := range append(versions[:len(versions)-1], "1000") {
		if err := from(version); !status.Is(err, "Conflict") {
			t.Errorf("an update from version %s is refused when the object has version %s, got %v", version, now, err)
		}
	}
	if err := from(now); err != nil {
		t.Errorf("an update from the version that is there is no conflict, got %v", err)
	}
}

func TestGenerationRisesWithTheSpecOnly(t *testing.T) {
	s := open(t)
	create(t, s, `{"metadata":{"name":"ark","generation":7},"spec":{}}`)
	for _, c := range []struct {
		text string
		want int64
	}{
		{`{"metadata":{"name":"ark","labels":{"a":"b"}},"spec":{}}`, 1},
		{`{"metadata":{"name":"ark","labels":{"a":"b"}},"spec":{"color":"red"}}`, 2},
		{`{"metadata":{"name":"ark","labels":{"a":"b"}},"spec":{"color":"red"},"status":{"afloat":true}}`, 2},
	} {
		if got := update(t, s, c.text); got.Meta.Generation != c.want {
			t.Errorf("after %s the generation is %d, want %d", c.text, got.Meta.Generation, c.want)
		}
	}
}

func TestStatusWritesDoNotTouchSpec(t *testing.T) {
	s := open(t)
	create(t, s, `{"metadata":{"name":"ark"},"spec":{"color":"red"},"status":{"afloat":true}}`)
	e, _, err := s.Status().Update(t.Context(), ark, body(`{"metadata":{"name":"ark"},"spec":{"color":"blue"},"status":{"afloat":false}}`))
	obj := decoded(t, e, err)
	if got := fmt.Sprint(obj.Fields); got != "map[spec:map[color:red] status:map[afloat:false]]" {
		t.Errorf("a write to /status changes the status alone, and creation drops it: got %s", got)
	}
}

func TestADryRunLeavesNothing(t *testing.T) {
	s := open(t)
	w := body(`{"metadata":{"name":"ark"},"spec":{}}`)
	w.DryRun = true
	if _, err := s.Create(t.Context(), rest.Key{Namespace: "harbor"}, w); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Get(t.Context(), ark, rest.GetOptions{}); !status.Is(err, "NotFound") {
		t.Errorf("after a dry run there is nothing, got %v", err)
	}
}

func TestAFinalizerKeepsADeletedObject(t *testing.T) {
	s := open(t)
	create(t, s, `{"metadata":{"name":"ark","finalizers":["example.com/noah"]},"spec":{}}`)
	e, gone, err := s.Delete(t.Context(), ark, rest.DeleteOptions{})
	if obj := decoded(t, e, err); gone || obj.Meta.DeletionTimestamp == "" {
		t.Fatalf("with a finalizer the object is marked and stays: gone %v, %+v", gone, obj.Meta)
	}
	update(t, s, `{"metadata":{"name":"ark"},"spec":{}}`) // the finalizer goes, and the object with it
	if _, err := s.Get(t.Context(), ark, rest.GetOptions{}); !status.Is(err, "NotFound") {
		t.Errorf("when its last finalizer is gone the object goes, got %v", err)
	}
}

func TestListDoesNotSeeTheNeighbourNamespace(t *testing.T) {
	s := open(t)
	for _, ns := range []string{"dev", "dev-2", "dev2"} {
		if _, err := s.Create(t.Context(), rest.Key{Namespace: ns}, body(`{"metadata":{"name":"x"},"spec":{}}`)); err != nil {
			t.Fatal(err)
		}
	}
	list, err := s.List(t.Context(), "dev", rest.ListOptions{})
	if err != nil || len(list.Items) != 1 {
		t.Errorf("dev has one boat, dev-2 and dev2 are other namespaces: got %d, %v", len(list.Items), err)
	}
}

func TestEverythingThatIsWrongIsSaidAtOnce(t *testing.T) {
	s := open(t)
	_, err := s.Create(t.Context(), rest.Key{Namespace: "harbor"}, body(`{"metadata":{"name":"Ark!"}}`))
	st, ok := errors.AsType[*status.Status](err)
	if !ok || st.Code != http.StatusUnprocessableEntity || len(st.Details.Causes) != 2 {
		t.Errorf("a bad name and a missing spec are two causes of one answer, got %v", err)
	}
}

func TestAGeneratedNameIsMadeUpAndFree(t *testing.T) {
	s := open(t)
	a, b := create(t, s, `{"metadata":{"generateName":"ark-"},"spec":{}}`), create(t, s, `{"metadata":{"generateName":"ark-"},"spec":{}}`)
	if !strings.HasPrefix(a.Meta.Name, "ark-") || len(a.Meta.Name) != len("ark-")+5 || a.Meta.Name == b.Meta.Name {
		t.Errorf("two names from one generateName: %q and %q", a.Meta.Name, b.Meta.Name)
	}
}

func ExampleStore() {
	folder, _ := os.MkdirTemp("", "registry")
	defer os.RemoveAll(folder)
	s, closeFile, _ := newStore(filepath.Join(folder, "state.db"), boats())
	defer closeFile()

	ctx := context.Background()
	_, err := s.Create(ctx, ark, body(`{"metadata":{"name":"ark"}}`))
	fmt.Println(err)
	obj, _ := s.Create(ctx, ark, body(`{"metadata":{"name":"ark"},"spec":{"color":"red"}}`))
	fmt.Println("stored at revision", obj.Revision())
	_, err = s.Create(ctx, ark, body(`{"metadata":{"name":"ark"},"spec":{}}`))
	fmt.Println(err)
	// Output:
	// Boat "ark" is invalid: spec: Required value: a boat without a spec sinks
	// stored at revision 2
	// boats "ark" already exists
}
