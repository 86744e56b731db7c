package app

import (
	"context"

	stage2master "example.com/kube-apiserver/stage2-options/master"
	"example.com/kube-apiserver/stage2-options/options"
	"example.com/kube-apiserver/stage3-storage/kinds"
	"example.com/kube-apiserver/stage3-storage/master"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage3-storage/wire/builtin"
	"example.com/kube-apiserver/stage3-storage/wire/negotiation"
	"example.com/kube-apiserver/stage3-storage/wire/tables"
)

// table is what app makes of the rows of package kinds: rows for the registry,
// views for the endpoints, and what repairs the allocator at the start.
type table struct {
	kinds  []registry.Kind
	views  []negotiation.View
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
