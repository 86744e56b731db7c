package master

import (
	"context"
	"fmt"

	stage1 "example.com/kube-apiserver/stage1-main/server"
	stage2 "example.com/kube-apiserver/stage2-options/master"
	"example.com/kube-apiserver/stage3-storage/endpoints"
	"example.com/kube-apiserver/stage3-storage/kv"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/server"
)

// Config is stage 2's with what a server with storage needs besides.
//
// Upstream: pkg/master/master.go Config
type Config struct {
	*stage2.Config
	OpenBackend       func(context.Context) (kv.Store, error)
	RESTOptionsGetter *registry.StorageFactory // knows the store from CreateKubeAPIServer on
	Endpoints         *endpoints.Config
	Installed         *server.Inventory
	Kinds             []registry.Kind // the rows of the core group
	Subresources      Subresources    // what there is besides objects in a store
	// Repair is called with the storages before anything is served: it reads
	// back which service addresses and ports are taken.
	Repair func(context.Context, LegacyRESTStorage) error
}

// CompletedConfig can only be made by Complete.
type CompletedConfig struct{ *Config }

// Complete fills the gaps and says which fields it filled.
//
// Upstream: pkg/master/master.go Complete
func (c *Config) Complete() (completed CompletedConfig, filled []string) {
	_, filled = c.Config.Complete()
	return CompletedConfig{c}, filled
}

// Master is the kube-apiserver proper: a server with the core group.
//
// Upstream: pkg/master/master.go Master
type Master struct {
	GenericAPIServer *server.GenericAPIServer
	LegacyRESTStorage
}

// New makes the server and installs the API. delegate answers what this
// server has no route for; it may be nil. store belongs to the server, which
// closes it last.
//
// Upstream: pkg/master/master.go New
func (c CompletedConfig) New(delegate *server.GenericAPIServer, store kv.Store) (*Master, error) {
	m := &Master{GenericAPIServer: server.New(c.GenericConfig, c.Endpoints, c.Installed, delegate)}
	m.GenericAPIServer.On(stage1.Stopped, "close storage", func(context.Context) error { return store.Close() })
	if err := m.InstallLegacyAPI(&c, c.RESTOptionsGetter, LegacyRESTStorageProvider{c.Kinds, c.Subresources}); err != nil {
		return nil, err
	}
	if c.Tunneler != nil {
		stage2.InstallTunneler(m.GenericAPIServer.GenericAPIServer, c.Tunneler, c.Subresources.NodeAddresses(m.Nodes))
	}
	m.GenericAPIServer.Health = append(m.GenericAPIServer.Health, stage1.HealthCheck{Name: "etcd", Check: func() error { // whichever backend it is: monitoring asks for this name
		_, err := store.Revision(context.Background())
		return err
	}})
	if c.Repair != nil {
		m.GenericAPIServer.On(stage1.Preparing, "repair of service addresses", func(ctx context.Context) error { return c.Repair(ctx, m.LegacyRESTStorage) })
	}
	return m, nil
}

// InstallLegacyAPI installs everything below /api/v1.
//
// Upstream: pkg/master/master.go InstallLegacyAPI
func (m *Master) InstallLegacyAPI(c *CompletedConfig, restOptionsGetter registry.RESTOptionsGetter, legacyRESTStorageProvider LegacyRESTStorageProvider) error {
	done := c.GenericConfig.Startup.Step("A3.10", "NewLegacyRESTStorage")
	legacyRESTStorage, apiGroupInfo, err := legacyRESTStorageProvider.NewLegacyRESTStorage(restOptionsGetter)
	if err != nil {
		return fmt.Errorf("error building core storage: %w", err)
	}
	m.LegacyRESTStorage = legacyRESTStorage
	if err := m.GenericAPIServer.InstallLegacyAPIGroup("/api", &apiGroupInfo); err != nil {
		return fmt.Errorf("error in registering group versions: %w", err)
	}
	done("%d paths → %d storages → %d routes", len(apiGroupInfo.VersionedResourcesStorageMap["v1"]), len(c.Kinds), m.GenericAPIServer.Router.Routes())
	return nil
}
