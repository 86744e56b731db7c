package master

import (
	"context"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
)

// nodeAddresses lists where SSH tunnels lead: to the external address of each
// node that has one. In 1.7 a single node without one leaves all without
// tunnels.
//
// Upstream: pkg/master/master.go externalAddresses
func nodeAddresses(nodes *registry.Store) func(context.Context) ([]string, error) {
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
			if address := externalIP(node); address != "" {
				addresses = append(addresses, address)
			}
		}
		return addresses, nil
	}
}

func externalIP(node *object.Object) string {
	status, _ := node.Fields["status"].(map[string]any)
	list, _ := status["addresses"].([]any)
	for _, entry := range list {
		if a, _ := entry.(map[string]any); a["type"] == "ExternalIP" {
			ip, _ := a["address"].(string)
			return ip
		}
	}
	return ""
}
