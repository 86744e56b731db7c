package subresources

import (
	"context"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage3-storage/server"
)

// OptionsOf are what a server can tell its subresources. Stage 5 adds what it
// brings and makes the table anew.
func OptionsOf(getter *registry.StorageFactory, installed *server.Inventory) Options {
	backend := Component{Name: "etcd-0", Probe: func(ctx context.Context) (string, error) {
		_, err := getter.Storage.Revision(ctx)
		return "ok", err
	}}
	return Options{
		Kubelet:    DefaultKubelet(),
		Budgets:    &DisruptionBudgets{Store: func() *registry.Store { return storeOf(installed, "policy", "poddisruptionbudgets") }},
		Components: append(NeighbourComponents(), backend),
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

// ExternalAddresses lists where SSH tunnels lead: to the external address of
// each node that has one. In 1.7 a single node without one leaves all without
// tunnels.
//
// Upstream: pkg/master/master.go externalAddresses
func ExternalAddresses(nodes *registry.Store) func(context.Context) ([]string, error) {
	return func(ctx context.Context) (addresses []string, err error) {
		list, err := nodes.List(ctx, "", rest.ListOptions{})
		if err != nil {
			return nil, err
		}
		for _, item := range list.Items {
			node, err := item.Object()
			if err != nil {
				return nil, err
			}
			for _, a := range rules.Items(node.Fields, "status", "addresses") {
				if rules.Text(a, "type") == "ExternalIP" && rules.Text(a, "address") != "" {
					addresses = append(addresses, rules.Text(a, "address"))
					break
				}
			}
		}
		return addresses, nil
	}
}
