package kinds

import (
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/wire/printers"
)

func serviceAccounts() Kind {
	return Kind{
		Kind: registry.Kind{
			Resource: row("serviceaccounts", "serviceaccount", "ServiceAccount", "serviceaccounts", true, "sa"),
			Strategy: registry.Strategy{ReturnDeleted: true},
		},
		Columns: []printers.Column{printers.Name, printers.Age},
	}
}
