package master

import (
	"fmt"
	"slices"

	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage3-storage/server"
)

// LegacyRESTStorageProvider makes the storages of the core group, "legacy"
// because it has no name of a group in its path.
//
// Upstream: pkg/registry/core/rest/storage_core.go LegacyRESTStorageProvider
type LegacyRESTStorageProvider struct {
	Kinds []registry.Kind
}

// LegacyRESTStorage are the storages that others need to get hold of.
//
// Upstream: pkg/registry/core/rest/storage_core.go LegacyRESTStorage
type LegacyRESTStorage struct {
	Services *registry.Store
	Nodes    *registry.Store
}

// NewLegacyRESTStorage makes the map of the article: which path is served by
// which storage. Several paths may share one, with another strategy. Which
// verbs a path has, and its URL, is not said here: the installer finds out
// what each storage can do.
//
// Upstream: pkg/registry/core/rest/storage_core.go NewLegacyRESTStorage
func (c LegacyRESTStorageProvider) NewLegacyRESTStorage(restOptionsGetter registry.RESTOptionsGetter) (LegacyRESTStorage, server.APIGroupInfo, error) {
	stores := storeMaker{kinds: c.Kinds, getter: restOptionsGetter}

	podStorage := stores.of("pods")
	controllerStorage := stores.of("replicationcontrollers")
	serviceRest := stores.of("services")
	nodeStorage := stores.of("nodes")
	namespaceStorage := stores.of("namespaces")
	quotaStorage := stores.of("resourcequotas")
	volumeStorage := stores.of("persistentvolumes")
	claimStorage := stores.of("persistentvolumeclaims")

	restStorageMap := map[string]rest.Storage{
		"pods":                          podStorage,
		"pods/status":                   podStorage.Status(),
		"replicationControllers":        controllerStorage,
		"replicationControllers/status": controllerStorage.Status(),
		"replicationControllers/scale":  ScaleREST{controllerStorage},
		"services":                      serviceRest,
		"services/status":               serviceRest.Status(),
		"endpoints":                     stores.of("endpoints"),
		"nodes":                         nodeStorage,
		"nodes/status":                  nodeStorage.Status(),
		"events":                        stores.of("events"),
		"namespaces":                    namespaceStorage,
		"namespaces/status":             namespaceStorage.Status(),
		"namespaces/finalize":           namespaceStorage.Sub("finalize"),
		"secrets":                       stores.of("secrets"),
		"serviceAccounts":               stores.of("serviceaccounts"),
		"configMaps":                    stores.of("configmaps"),
		"podTemplates":                  stores.of("podtemplates"),
		"limitRanges":                   stores.of("limitranges"),
		"resourceQuotas":                quotaStorage,
		"resourceQuotas/status":         quotaStorage.Status(),
		"persistentVolumes":             volumeStorage,
		"persistentVolumes/status":      volumeStorage.Status(),
		"persistentVolumeClaims":        claimStorage,
		"persistentVolumeClaims/status": claimStorage.Status(),
	}
	if stores.err != nil {
		return LegacyRESTStorage{}, server.APIGroupInfo{}, stores.err
	}
	return LegacyRESTStorage{Services: serviceRest, Nodes: nodeStorage}, server.APIGroupInfo{
		PrioritizedVersions:          []string{"v1"},
		VersionedResourcesStorageMap: map[string]map[string]rest.Storage{"v1": restStorageMap},
	}, nil
}

// storeMaker makes Stores and remembers the first thing that went wrong.
type storeMaker struct {
	kinds  []registry.Kind
	getter registry.RESTOptionsGetter
	err    error
}

func (m *storeMaker) of(resource string) *registry.Store {
	i := slices.IndexFunc(m.kinds, func(k registry.Kind) bool { return k.Resource.Name == resource })
	if i < 0 {
		m.fail(fmt.Errorf("the table of kinds has no row for %s", resource))
		return &registry.Store{} // nobody gets to see it
	}
	store, err := registry.NewStore(m.kinds[i], m.getter)
	m.fail(err)
	return store
}

func (m *storeMaker) fail(err error) {
	if m.err == nil {
		m.err = err
	}
}
