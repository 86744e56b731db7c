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
	Kinds        []registry.Kind
	Subresources Subresources
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

	accounts, secrets, endpointsStorage := stores.of("serviceaccounts"), stores.of("secrets"), stores.of("endpoints")
	namespaceStorage := stores.of("namespaces")
	resourceQuotaStorage := stores.of("resourcequotas")
	persistentVolumeStorage := stores.of("persistentvolumes")
	persistentVolumeClaimStorage := stores.of("persistentvolumeclaims")
	nodes := stores.of("nodes")
	nodeStorage := NodeStorage{Node: nodes, Status: nodes.Status(), Proxy: c.Subresources.NodeProxy(nodes)}
	podStorage := c.Subresources.Pods(stores.of("pods"), nodes)
	controllers := stores.of("replicationcontrollers")
	controllerStorage := ControllerStorage{Controller: controllers, Status: controllers.Status(), Scale: c.Subresources.Scale(controllers)}
	services := stores.of("services")
	serviceRest := ServiceRest{Service: services, Proxy: c.Subresources.ServiceProxy(services, endpointsStorage, podStorage.Pod)}
	serviceStatusStorage := services.Status()

	restStorageMap := map[string]rest.Storage{
		"pods":                     podStorage.Pod,
		"pods/attach":              podStorage.Attach,
		"pods/status":              podStorage.Status,
		"pods/log":                 podStorage.Log,
		"pods/exec":                podStorage.Exec,
		"pods/portforward":         podStorage.PortForward,
		"pods/proxy":               podStorage.Proxy,
		"pods/binding":             podStorage.Binding,
		"pods/eviction":            podStorage.Eviction,
		"pods/ephemeralcontainers": podStorage.EphemeralContainers,
		"pods/resize":              podStorage.Resize,
		"bindings":                 podStorage.LegacyBinding,

		"podTemplates": stores.of("podtemplates"),

		"replicationControllers":        controllerStorage.Controller,
		"replicationControllers/status": controllerStorage.Status,
		"replicationControllers/scale":  controllerStorage.Scale,

		"services":        serviceRest.Service,
		"services/proxy":  serviceRest.Proxy,
		"services/status": serviceStatusStorage,

		"endpoints": endpointsStorage,

		"nodes":        nodeStorage.Node,
		"nodes/status": nodeStorage.Status,
		"nodes/proxy":  nodeStorage.Proxy,

		"events": stores.of("events"),

		"limitRanges":                   stores.of("limitranges"),
		"resourceQuotas":                resourceQuotaStorage,
		"resourceQuotas/status":         resourceQuotaStorage.Status(),
		"namespaces":                    namespaceStorage,
		"namespaces/status":             namespaceStorage.Status(),
		"namespaces/finalize":           namespaceStorage.Finalize(),
		"secrets":                       secrets,
		"serviceAccounts":               accounts,
		"serviceAccounts/token":         c.Subresources.Token(accounts, podStorage.Pod, secrets),
		"persistentVolumes":             persistentVolumeStorage,
		"persistentVolumes/status":      persistentVolumeStorage.Status(),
		"persistentVolumeClaims":        persistentVolumeClaimStorage,
		"persistentVolumeClaims/status": persistentVolumeClaimStorage.Status(),
		"configMaps":                    stores.of("configmaps"),

		"componentStatuses": c.Subresources.ComponentStatuses(),
	}
	if stores.err != nil {
		return LegacyRESTStorage{}, server.APIGroupInfo{}, stores.err
	}
	return LegacyRESTStorage{Services: services, Nodes: nodes}, server.APIGroupInfo{
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
