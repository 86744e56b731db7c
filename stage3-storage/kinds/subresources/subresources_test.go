package subresources_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"example.com/kube-apiserver/stage3-storage/admission"
	"example.com/kube-apiserver/stage3-storage/kinds"
	"example.com/kube-apiserver/stage3-storage/kinds/subresources"
	"example.com/kube-apiserver/stage3-storage/kv/bboltkv"
	"example.com/kube-apiserver/stage3-storage/master"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage3-storage/storage"
	"example.com/kube-apiserver/stage3-storage/wire/connect"
	"example.com/kube-apiserver/stage3-storage/wire/metadata"
	"example.com/kube-apiserver/stage3-storage/wire/requests"
)

// world is a store with pods, nodes, services and endpoints, and what is below them.
type world struct {
	getter                           *registry.StorageFactory
	stores                           map[string]*registry.Store
	table                            master.Subresources
	pods                             master.PodStorage
	serviceProxy, nodeProxy, rcScale rest.Storage
}

func newWorld(t *testing.T, o subresources.Options, plugins ...any) *world {
	t.Helper()
	engine, err := bboltkv.Open(t.Context(), bboltkv.Options{Path: filepath.Join(t.TempDir(), "state.db")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { engine.Close() })
	var chain admission.Chain
	for _, p := range plugins {
		chain = append(chain, p.(interface{ Handles(string) bool }))
	}
	getter := &registry.StorageFactory{RESTOptions: registry.RESTOptions{
		Storage: storage.New(engine), Prefix: "/registry", Rules: metadata.Rules{}, Admission: chain,
	}}
	w := &world{getter: getter, stores: map[string]*registry.Store{}, table: subresources.New(o)}
	network := net.IPNet{IP: net.IPv4(10, 0, 0, 0).To4(), Mask: net.CIDRMask(24, 32)}
	for _, k := range kinds.Core(kinds.Options{EventTTL: time.Hour, Services: kinds.NewAllocator(network, 30000, 2768)}) {
		if w.stores[k.Resource.Name], err = registry.NewStore(k.Kind, getter); err != nil {
			t.Fatal(err)
		}
	}
	w.pods = w.table.Pods(w.stores["pods"], w.stores["nodes"])
	w.serviceProxy = w.table.ServiceProxy(w.stores["services"], w.stores["endpoints"], w.stores["pods"])
	w.nodeProxy = w.table.NodeProxy(w.stores["nodes"])
	w.rcScale = w.table.Scale(w.stores["replicationcontrollers"])
	return w
}

// body is a write of exactly this JSON.
func body(text string) rest.Write {
	tree, err := object.Parse([]byte(text))
	if err != nil {
		panic("the test's own JSON does not parse: " + text)
	}
	meta, _ := tree["metadata"].(map[string]any)
	name, _ := meta["name"].(string)
	return rest.Write{Name: name, Wanted: requests.Wanted(func(*object.Encoded) (map[string]any, error) { return object.CopyTree(tree).(map[string]any), nil })}
}

// in names an object of the one namespace of these tests.
func in(name string) rest.Key { return rest.Key{Namespace: "ns", Name: name} }

func (w *world) create(t *testing.T, resource, text string) {
	t.Helper()
	key := rest.Key{Namespace: "ns"}
	if !w.stores[resource].Resource().Namespaced {
		key.Namespace = ""
	}
	if _, err := w.stores[resource].Create(t.Context(), key, body(text)); err != nil {
		t.Fatalf("%s cannot be created: %v\n%s", resource, err, text)
	}
}

// report writes the status of a pod, or whatever has one.
func (w *world) report(t *testing.T, resource string, key rest.Key, text string) {
	t.Helper()
	now, err := object.Parse([]byte(text))
	if err != nil {
		t.Fatalf("the test's own JSON does not parse: %v", err)
	}
	write := rest.Write{Wanted: requests.Wanted(func(live *object.Encoded) (map[string]any, error) {
		tree, err := object.Parse(live.JSON())
		if err == nil {
			tree["status"] = now
		}
		return tree, err
	})}
	if _, _, err := w.stores[resource].Status().Update(t.Context(), key, write); err != nil {
		t.Fatalf("the status of %v cannot be written: %v", key, err)
	}
}

func (w *world) pod(t *testing.T, name string) *object.Object {
	t.Helper()
	e, err := w.stores["pods"].Get(t.Context(), in(name), rest.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	o, err := e.Object()
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func post(t *testing.T, s rest.Storage, key rest.Key, w rest.Write) error {
	t.Helper()
	_, err := s.(rest.Creater).Create(t.Context(), key, w)
	return err
}

// wants checks an error: code and message, or none where code is 0.
func wants(t *testing.T, what string, err error, code int, message string) {
	t.Helper()
	if err == nil || code == 0 {
		if err != nil || code != 0 {
			t.Errorf("%s: got %v; want %d %s", what, err, code, message)
		}
		return
	}
	if s := status.From(err); s.Code != code || s.Message != message {
		t.Errorf("%s: got %d %s\n want %d %s", what, s.Code, s.Message, code, message)
	}
}

// notebook is a Transport that writes down where connections lead to.
type notebook struct{ to *subresources.Target }

func (n notebook) Carry(to subresources.Target) connect.Connection {
	*n.to = to
	return func(w http.ResponseWriter, _ *http.Request) error {
		w.WriteHeader(http.StatusTeapot)
		return nil
	}
}

// connect asks a connecter and, if it agrees, connects.
func connectTo(t *testing.T, s rest.Storage, key rest.Key, query, path string) (code int, err error) {
	t.Helper()
	q, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	connection, err := s.(connect.Connecter).Connect(t.Context(), key, connect.Options{Query: q, Path: path})
	if err != nil {
		return 0, err
	}
	w := httptest.NewRecorder()
	err = connection(w, httptest.NewRequest("GET", "/", nil))
	return w.Code, err
}

// guard is an admission plugin that refuses some operations.
type guard []string

func (g guard) Handles(operation string) bool { return slices.Contains(g, operation) }

func (g guard) Validate(_ context.Context, a *admission.Attributes) error {
	return admission.Forbidden(a, "no "+string(a.Operation)+" of "+a.Subresource+" "+a.Kind)
}
