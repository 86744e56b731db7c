package tables

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
)

// CoreGroup is the table of the core group: rows for the registry, views for
// the endpoints, and what repairs the allocator at the start.
type CoreGroup struct {
	Kinds  []registry.Kind
	Views  []negotiation.View
	Repair func(context.Context, master.LegacyRESTStorage) error
}

// Core reads the rows of package kinds and gives every kind its schema.
func Core(c *stage2master.Config, s *options.ServerRunOptions, about kinds.Options) CoreGroup {
	allocator := kinds.NewAllocator(c.ServiceIPRange, c.ServiceNodePortRange.Base, c.ServiceNodePortRange.Size)
	about.EventTTL, about.AllowPrivileged, about.Services, about.AsGo = c.EventTTL, s.AllowPrivileged, allocator, builtin.AsGo
	rows := kinds.Core(about)
	t := CoreGroup{Views: Views(rows)}
	for _, k := range rows {
		if known := Schema(k.Resource.APIVersion(), k.Resource.Kind); known != nil {
			k.Strategy.Schema = known
		}
		t.Kinds = append(t.Kinds, k.Kind)
	}
	t.Repair = func(ctx context.Context, stores master.LegacyRESTStorage) error {
		list, err := stores.Services.List(ctx, "", rest.ListOptions{})
		if err != nil {
			return err
		}
		return allocator.Repair(list.Items)
	}
	return t
}
