package app

import (
	"context"

	stage2master "example.com/kube-apiserver/stage2-options/master"
	"example.com/kube-apiserver/stage2-options/options"
	"example.com/kube-apiserver/stage3-storage/endpoints"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
)

func Tables() endpoints.Config {
	return endpoints.Config{Verbs: endpoints.Verbs, Formats: Formats, Patches: Patches, Selector: Select}
}
func Kinds(c *stage2master.Config, s *options.ServerRunOptions) (out []registry.Kind) {
	for _, k := range []catalog.Resource{{Name: "pods", Kind: "Pod", Namespaced: true, Singular: "pod"}, {Name: "replicationcontrollers", Kind: "ReplicationController", Namespaced: true}, {Name: "services", Kind: "Service", Namespaced: true}, {Name: "nodes", Kind: "Node"}, {Name: "namespaces", Kind: "Namespace", Singular: "namespace"}, {Name: "endpoints", Kind: "Endpoints", Namespaced: true}, {Name: "events", Kind: "Event", Namespaced: true}, {Name: "secrets", Kind: "Secret", Namespaced: true}, {Name: "serviceaccounts", Kind: "ServiceAccount", Namespaced: true}, {Name: "configmaps", Kind: "ConfigMap", Namespaced: true, Singular: "configmap", ShortNames: []string{"cm"}}} {
		k.Version = "v1"
		k.StoredUnder = k.Name
		out = append(out, registry.Kind{Resource: k, Strategy: registry.Strategy{Schema: kind("v1", k.Kind)}})
	}
	return out
}
func firstScreen(s *options.ServerRunOptions, url string) func(context.Context) error {
	return func(context.Context) error {
		p, err := WriteKubeconfig(s, url)
		s.Startup.Print("serving "+url, p)
		return err
	}
}
