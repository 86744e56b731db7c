package master

import (
	"cmp"
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
	stores := storeMaker{kinds: c.Kinds, getter: restOptionsGetter, made: map[string]*registry.Store{}}
	podStorage := c.Subresources.Pods(stores.of("pods"), stores.of("nodes"))
	controllers, nodes := stores.of("replicationcontrollers"), stores.of("nodes")
	controllerStorage := ControllerStorage{controllers, controllers.Status(), c.Subresources.Scale(controllers)}
	serviceRest := ServiceRest{stores.of("services"), c.Subresources.ServiceProxy(stores.of("services"), stores.of("endpoints"), podStorage.Pod)}
	serviceStatusStorage := stores.of("services").Status()

	restStorageMap := map[string]rest.Storage{
		//step:3.1 pods, and a part of them on a path of its own
		"pods":        podStorage.Pod,
		"pods/status": podStorage.Status,
		//step:end
		"pods/attach":              podStorage.Attach,
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

		"endpoints": stores.of("endpoints"),

		"nodes":        nodes,
		"nodes/status": nodes.Status(),
		"nodes/proxy":  c.Subresources.NodeProxy(nodes),

		"events": stores.of("events"),

		"limitRanges":                   stores.of("limitranges"),
		"resourceQuotas":                stores.of("resourcequotas"),
		"resourceQuotas/status":         stores.of("resourcequotas").Status(),
		"namespaces":                    stores.of("namespaces"),
		"namespaces/status":             stores.of("namespaces").Status(),
		"namespaces/finalize":           stores.of("namespaces").Finalize(),
		"secrets":                       stores.of("secrets"),
		"serviceAccounts":               stores.of("serviceaccounts"),
		"serviceAccounts/token":         c.Subresources.Token(stores.of("serviceaccounts"), podStorage.Pod, stores.of("secrets")),
		"persistentVolumes":             stores.of("persistentvolumes"),
		"persistentVolumes/status":      stores.of("persistentvolumes").Status(),
		"persistentVolumeClaims":        stores.of("persistentvolumeclaims"),
		"persistentVolumeClaims/status": stores.of("persistentvolumeclaims").Status(),
		"configMaps":                    stores.of("configmaps"),

		"componentStatuses": c.Subresources.ComponentStatuses(),
	}
	if stores.err != nil {
		return LegacyRESTStorage{}, server.APIGroupInfo{}, stores.err
	}
	return LegacyRESTStorage{Services: serviceRest.Service, Nodes: nodes}, server.APIGroupInfo{
		PrioritizedVersions:          []string{"v1"},
		VersionedResourcesStorageMap: map[string]map[string]rest.Storage{"v1": restStorageMap},
	}, nil
}

// storeMaker makes one Store of each kind, when it is first asked for, and
// remembers the first thing that went wrong.
type storeMaker struct {
	kinds  []registry.Kind
	getter registry.RESTOptionsGetter
	made   map[string]*registry.Store
	err    error
}

func (m *storeMaker) of(resource string) *registry.Store {
	if store, made := m.made[resource]; made {
		return store
	}
	store, err := (*registry.Store)(nil), fmt.Errorf("the table of kinds has no row for %s", resource)
	if i := slices.IndexFunc(m.kinds, func(k registry.Kind) bool { return k.Resource.Name == resource }); i >= 0 {
		store, err = registry.NewStore(m.kinds[i], m.getter)
	}
	if err != nil {
		m.err = cmp.Or(m.err, err)
		store = &registry.Store{} // nobody gets to see it
	}
	m.made[resource] = store
	return store
}
