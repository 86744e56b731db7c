package server_test

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	stage1 "example.com/kube-apiserver/stage1-main/server"
	"example.com/kube-apiserver/stage3-storage/endpoints"
	"example.com/kube-apiserver/stage3-storage/kv/bboltkv"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage3-storage/server"
	"example.com/kube-apiserver/stage3-storage/storage"
	"example.com/kube-apiserver/stage3-storage/wire/discovery"
	"example.com/kube-apiserver/stage3-storage/wire/metadata"
	"example.com/kube-apiserver/stage3-storage/wire/negotiation"
	"example.com/kube-apiserver/stage3-storage/wire/requests"
)

func TestAKindThatIsAddedAtRunTimeIsServedAtOnce(t *testing.T) {
	engine, err := bboltkv.Open(t.Context(), bboltkv.Options{Path: filepath.Join(t.TempDir(), "state.db")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { engine.Close() })
	boats := catalog.Resource{Group: "sea", Version: "v1", Name: "boats", Singular: "boat", Kind: "Boat", StoredUnder: "sea/boats"}
	store, err := registry.NewStore(registry.Kind{Resource: boats}, &registry.StorageFactory{RESTOptions: registry.RESTOptions{Storage: storage.New(engine), Rules: metadata.Rules{}}})
	if err != nil {
		t.Fatal(err)
	}
	rows := &negotiation.Tables{Formats: []negotiation.Format{{MediaType: "application/json"}}}
	tables := &endpoints.Config{
		Verbs: endpoints.Verbs, Decoder: requests.Decoder{Tables: rows}, Encoder: negotiation.Encoder{Tables: rows},
	}
	s := server.New(stage1.Config{Name: "test"}, tables, &server.Inventory{}, nil)
	web := httptest.NewServer(endpoints.WithRequestInfo(s.Router.Mount(http.NotFoundHandler())))
	defer web.Close()
	post := func() int {
		t.Helper()
		resp, err := http.Post(web.URL+"/apis/sea/v1/boats", "application/json", strings.NewReader(`{"metadata":{"generateName":"boat-"}}`))
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		return resp.StatusCode
	}

	if code := post(); code != 404 {
		t.Errorf("before the group is installed, a boat is answered with %d", code)
	}
	info := &server.APIGroupInfo{Group: "sea", PrioritizedVersions: []string{"v1"}, VersionedResourcesStorageMap: map[string]map[string]rest.Storage{"v1": {"boats": store}}}
	if err := s.InstallAPIGroup(info); err != nil {
		t.Fatal(err)
	}
	if code := post(); code != 201 {
		t.Errorf("once the group is installed, a boat is answered with %d", code)
	}
	if _, found := discovery.Find(s.Installed, "sea", "boats"); !found {
		t.Error("the inventory does not know boats")
	}
	s.RemoveAPIGroupVersion("sea", "v1")
	if code := post(); code != 404 {
		t.Errorf("once the group is removed, a boat is answered with %d", code)
	}
	if _, found := discovery.Find(s.Installed, "sea", "boats"); found {
		t.Error("the inventory still knows boats")
	}
}

func TestAGroupNeedsAName(t *testing.T) {
	s := server.New(stage1.Config{Name: "test"}, &endpoints.Config{}, &server.Inventory{}, nil)
	if err := s.InstallAPIGroup(&server.APIGroupInfo{PrioritizedVersions: []string{"v1"}}); err == nil {
		t.Error("a group without a name is installed under /apis")
	}
	if err := s.InstallLegacyAPIGroup("/apis", &server.APIGroupInfo{}); err == nil {
		t.Error("the core group is installed under another prefix than /api")
	}
}
