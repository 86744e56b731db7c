package groups

import (
	"fmt"

	"example.com/kube-apiserver/stage3-storage/kinds"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage3-storage/server"
	"example.com/kube-apiserver/stage3-storage/wire/builtin"
	"example.com/kube-apiserver/stage3-storage/wire/negotiation"
	"example.com/kube-apiserver/stage3-storage/wire/printers"
	"example.com/kube-apiserver/stage3-storage/wire/schema"
)

// Group is a row: one version of a group.
//
// Upstream: pkg/master/master.go RESTStorageProvider
type Group struct {
	Name, Version string
	Kinds         []kinds.Kind // kept in the store
	// Others makes the storages of paths that are not a kind's own. known finds
	// the schema of a kind. nil: there are none.
	Others func(known func(apiVersion, kind string) *schema.Schema, getter registry.RESTOptionsGetter) (map[string]rest.Storage, error)
	// Installed, if set, is told of all storages of the group.
	Installed func(storages map[string]rest.Storage)
	// Rows are how tables show what Others serves.
	Rows []printers.Row
}

// Table is all groups of a server, in the order of their priority.
type Table struct {
	Groups []Group
	Known  *builtin.Kinds
}

func (t *Table) schema(apiVersion, kind string) *schema.Schema {
	s, _ := t.Known.Kind(apiVersion, kind)
	return s
}

// Views adds the columns of the groups' kinds to views that know the core group.
func (t *Table) Views(core []negotiation.View) []negotiation.View {
	rows := map[string]printers.Row{}
	for _, g := range t.Groups {
		for _, k := range g.Kinds {
			rows[k.Resource.GroupResource()] = printers.Row{Resource: k.Resource, Columns: k.Columns, Conditions: k.Conditions, Schema: t.schema(k.Resource.APIVersion(), k.Resource.Kind)}
		}
		for _, r := range g.Rows {
			if r.Schema == nil {
				r.Schema = t.schema(r.Resource.APIVersion(), r.Resource.Kind)
			}
			rows[r.Resource.GroupResource()] = r
		}
	}
	views := printers.Views(func(r catalog.Resource, _ string) printers.Row { return rows[r.GroupResource()] })
	for i, view := range views {
		views[i].Render = func(r negotiation.ViewRequest) ([]byte, error) {
			if _, ours := rows[r.Resource.GroupResource()]; ours {
				return view.Render(r)
			}
			return core[i].Render(r)
		}
	}
	return views
}

// Install makes the storages of all groups and their routes.
//
// Upstream: pkg/master/master.go InstallAPIs
func (t *Table) Install(s *server.GenericAPIServer, getter registry.RESTOptionsGetter) error {
	for _, g := range t.Groups {
		storages, err := t.storages(g, getter)
		if err != nil {
			return fmt.Errorf("storages of %s/%s: %w", g.Name, g.Version, err)
		}
		err = s.InstallAPIGroup(&server.APIGroupInfo{
			Group: g.Name, PrioritizedVersions: []string{g.Version},
			VersionedResourcesStorageMap: map[string]map[string]rest.Storage{g.Version: storages},
		})
		if err != nil {
			return err
		}
		if g.Installed != nil {
			g.Installed(storages)
		}
	}
	return nil
}

func (t *Table) storages(g Group, getter registry.RESTOptionsGetter) (map[string]rest.Storage, error) {
	storages := map[string]rest.Storage{}
	for _, k := range g.Kinds {
		if known := t.schema(k.Resource.APIVersion(), k.Resource.Kind); known != nil {
			k.Strategy.Schema = known
		}
		store, err := registry.NewStore(k.Kind, getter)
		if err != nil {
			return nil, err
		}
		storages[k.Resource.Name] = store
		if k.Status != nil {
			storages[k.Resource.Name+"/status"] = store.Status()
		}
	}
	if g.Others == nil {
		return storages, nil
	}
	others, err := g.Others(t.schema, getter)
	for path, storage := range others {
		storages[path] = storage
	}
	return storages, err
}
