package tables

import (
	"example.com/kube-apiserver/stage3-storage/kinds"
	"example.com/kube-apiserver/stage3-storage/kinds/subresources"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage3-storage/wire/builtin"
	"example.com/kube-apiserver/stage3-storage/wire/negotiation"
	"example.com/kube-apiserver/stage3-storage/wire/printers"
	"example.com/kube-apiserver/stage3-storage/wire/schema"
)

// Views are the shapes in which the core group can be shown: each kind with its
// columns, and what has no row among the kinds.
func Views(core []kinds.Kind) []negotiation.View {
	rows := map[string]printers.Row{}
	for _, k := range core {
		rows[k.Resource.GroupResource()] = printers.Row{
			Resource: k.Resource, Columns: k.Columns, Conditions: k.Conditions, Schema: Schema(k.Resource.APIVersion(), k.Resource.Kind),
		}
	}
	cs := subresources.ComponentStatuses()
	rows[cs.GroupResource()] = printers.Row{Resource: cs, Columns: subresources.ComponentStatusColumns(), Schema: Schema("v1", cs.Kind)}
	scale := printers.Row{Columns: kinds.ScaleColumns(), Schema: Schema("autoscaling/v1", "Scale")}
	return printers.Views(func(r catalog.Resource, subresource string) printers.Row {
		if subresource == "scale" {
			return scale
		}
		return rows[r.GroupResource()]
	})
}

// Schema is the structure of a built-in kind; nil where nothing is known of it.
func Schema(apiVersion, kind string) *schema.Schema {
	s, _ := builtin.Kind(apiVersion, kind)
	return s
}
