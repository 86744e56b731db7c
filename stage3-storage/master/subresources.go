package master

import (
	"context"

	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
)

// Subresources makes the storages that do something else than keep objects: a
// binding changes a pod, a log is read from a node. They are a table of their
// own, so that the map below shows every path and not how each of them works.
// A later stage replaces a row by one that can do more.
type Subresources struct {
	Pods              func(pods, nodes *registry.Store) PodStorage
	Scale             func(of *registry.Store) rest.Storage
	ServiceProxy      func(services, endpoints, pods *registry.Store) rest.Storage
	NodeProxy         func(nodes *registry.Store) rest.Storage
	Token             func(accounts, pods, secrets *registry.Store) rest.Storage
	ComponentStatuses func() rest.Storage
	NodeAddresses     func(nodes *registry.Store) func(context.Context) ([]string, error) // where SSH tunnels lead
}

// PodStorage are the storages of pods and of everything below a pod.
//
// Upstream: pkg/registry/core/pod/storage/storage.go PodStorage
type PodStorage struct {
	Pod                                   *registry.Store
	Status, EphemeralContainers, Resize   rest.Storage
	Binding, LegacyBinding, Eviction      rest.Storage
	Log, Exec, Attach, PortForward, Proxy rest.Storage
}

// ControllerStorage are the storages of replication controllers.
//
// Upstream: pkg/registry/core/replicationcontroller/storage/storage.go ControllerStorage
type ControllerStorage struct {
	Controller    *registry.Store
	Status, Scale rest.Storage
}

// ServiceRest are the storages of services.
//
// Upstream: pkg/registry/core/service/rest.go ServiceRest
type ServiceRest struct {
	Service *registry.Store
	Proxy   rest.Storage
}
