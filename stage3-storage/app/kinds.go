package app

import (
	"context"

	stage2master "example.com/kube-apiserver/stage2-options/master"
	"example.com/kube-apiserver/stage2-options/options"
	"example.com/kube-apiserver/stage3-storage/endpoints"
	"example.com/kube-apiserver/stage3-storage/kinds"
	"example.com/kube-apiserver/stage3-storage/kinds/subresources"
	"example.com/kube-apiserver/stage3-storage/master"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage3-storage/server"
	"example.com/kube-apiserver/stage3-storage/wire/builtin"
	"example.com/kube-apiserver/stage3-storage/wire/tables"
)

// table is what app makes of the rows of package kinds: rows for the registry,
// views for the endpoints, and what repairs the allocator at the start.
type table struct {
	kinds  []registry.Kind
	views  []endpoints.View
	repair func(context.Context, master.LegacyRESTStorage) error
}

// coreKinds reads the table of the core group and gives every kind its schema.
func coreKinds(c *stage2master.Config, s *options.ServerRunOptions, about kinds.Options) table {
	allocator := kinds.NewAllocator(c.ServiceIPRange, c.ServiceNodePortRange.Base, c.ServiceNodePortRange.Size)
	about.EventTTL, about.AllowPrivileged, about.Services, about.AsGo = c.EventTTL, s.AllowPrivileged, allocator, builtin.AsGo
	rows := kinds.Core(about)
	t := table{views: tables.Views(rows)}
	for _, k := range rows {
		if known := tables.Schema(k.Resource.APIVersion(), k.Resource.Kind); known != nil {
			k.Strategy.Schema = known
		}
		t.kinds = append(t.kinds, k.Kind)
	}
	t.repair = func(ctx context.Context, stores master.LegacyRESTStorage) error {
		list, err := stores.Services.List(ctx, "", rest.ListOptions{})
		if err != nil {
			return err
		}
		return allocator.Repair(list.Items)
	}
	return t
}

// SubresourceOptions are what a server of these options can tell its
// subresources. Stage 5 adds what it brings and makes the table anew.
func SubresourceOptions(s *options.ServerRunOptions, getter *registry.StorageFactory, installed *server.Inventory) subresources.Options {
	backend := subresources.Component{Name: "etcd-0", Probe: func(ctx context.Context) (string, error) {
		_, err := getter.Storage.Revision(ctx)
		return "ok", err
	}}
	k := s.KubeletConfig
	return subresources.Options{
		Kubelet:    subresources.Kubelet{Port: k.Port, HTTPS: k.EnableHTTPS, PreferredAddressTypes: k.PreferredAddressTypes},
		Budgets:    &subresources.DisruptionBudgets{Store: func() *registry.Store { return storeOf(installed, "policy", "poddisruptionbudgets") }},
		Components: append(subresources.NeighbourComponents(), backend),
	}
}

// storeOf is the store of an installed resource; nil where it is not installed.
func storeOf(installed *server.Inventory, group, resource string) *registry.Store {
	for _, g := range installed.List() {
		for _, r := range g.Resources {
			if g.Group == group && r.Name == resource && r.Subresource == "" {
				store, _ := r.Storage.(*registry.Store)
				return store
			}
		}
	}
	return nil
}
