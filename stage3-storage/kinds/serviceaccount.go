package kinds

import (
	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/wire/printers"
)

func serviceAccounts() Kind {
	return Kind{
		Kind: registry.Kind{
			Resource: row("serviceaccounts", "serviceaccount", "ServiceAccount", "serviceaccounts", true, "sa"),
			Strategy: registry.Strategy{ReturnDeleted: true, Warnings: accountWarnings},
		},
		Columns: []printers.Column{printers.Name, printers.Age},
	}
}

// accountWarnings tell of an annotation that restricts less than people hope.
//
// Now: pkg/registry/core/serviceaccount/strategy.go warnIfHasEnforceMountableSecretsAnnotation
func accountWarnings(o, _ *object.Object) []string {
	const name = "kubernetes.io/enforce-mountable-secrets"
	if _, there := o.Meta.Annotations[name]; there {
		return []string{rules.Key("metadata.annotations", name) + ": deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets"}
	}
	return nil
}
