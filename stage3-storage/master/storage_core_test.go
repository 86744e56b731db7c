package master_test

import (
	"maps"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/kube-apiserver/stage3-storage/kinds"
	"example.com/kube-apiserver/stage3-storage/kinds/subresources"
	"example.com/kube-apiserver/stage3-storage/kv/bboltkv"
	"example.com/kube-apiserver/stage3-storage/master"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/server"
	"example.com/kube-apiserver/stage3-storage/storage"
	"github.com/google/go-cmp/cmp"
)

// newMap makes the map from the kinds for which keep is true.
func newMap(t *testing.T, keep func(resource string) bool) (server.APIGroupInfo, error) {
	t.Helper()
	engine, err := bboltkv.Open(t.Context(), bboltkv.Options{Path: filepath.Join(t.TempDir(), "state.db")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { engine.Close() })
	network := net.IPNet{IP: net.IPv4(10, 0, 0, 0).To4(), Mask: net.CIDRMask(24, 32)}
	provider := master.LegacyRESTStorageProvider{Subresources: subresources.New(subresources.Options{})}
	for _, k := range kinds.Core(kinds.Options{Services: kinds.NewAllocator(network, 30000, 2768)}) {
		if keep(k.Resource.Name) {
			provider.Kinds = append(provider.Kinds, k.Kind)
		}
	}
	_, info, err := provider.NewLegacyRESTStorage(&registry.StorageFactory{RESTOptions: registry.RESTOptions{Storage: storage.New(engine)}})
	return info, err
}

func TestTheMapHasEveryPathOfTheCoreGroup(t *testing.T) {
	info, err := newMap(t, func(string) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	of17 := `bindings componentStatuses configMaps endpoints events limitRanges namespaces namespaces/finalize namespaces/status
		nodes nodes/proxy nodes/status persistentVolumeClaims persistentVolumeClaims/status persistentVolumes persistentVolumes/status
		podTemplates pods pods/attach pods/binding pods/eviction pods/exec pods/log pods/portforward pods/proxy pods/status
		replicationControllers replicationControllers/scale replicationControllers/status resourceQuotas resourceQuotas/status
		secrets serviceAccounts services services/proxy services/status`
	since := `pods/ephemeralcontainers pods/resize serviceAccounts/token`
	want := slices.Sorted(slices.Values(strings.Fields(of17 + " " + since)))
	got := slices.Sorted(maps.Keys(info.VersionedResourcesStorageMap["v1"]))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("paths in the map (-want +got):\n%s", diff)
	}
}

func TestAKindThatIsMissingIsNamed(t *testing.T) {
	_, err := newMap(t, func(resource string) bool { return resource != "secrets" })
	if err == nil || !strings.Contains(err.Error(), "secrets") {
		t.Errorf("a table without secrets is answered with %v; want an error that names them", err)
	}
}

func TestAMapWithoutAStoreIsAnErrorAndNoPanic(t *testing.T) {
	provider := master.LegacyRESTStorageProvider{Subresources: subresources.New(subresources.Options{})}
	for _, k := range kinds.Core(kinds.Options{Services: &kinds.Allocator{}}) {
		provider.Kinds = append(provider.Kinds, k.Kind)
	}
	if _, _, err := provider.NewLegacyRESTStorage(&registry.StorageFactory{}); err == nil || !strings.Contains(err.Error(), "no store has been opened") {
		t.Errorf("got %v; want an error that says that no store is open", err)
	}
}
