package kinds

import (
	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/field"
)

// This file has the rules of a node's configuration from a ConfigMap, which no
// kubelet reads any more. Stored nodes may still have it.

// dropConfig keeps nodes that do not have it from getting it.
//
// Now: pkg/registry/core/node/strategy.go nodeConfigSourceInUse
func dropConfig(part, name string, o, old *object.Object) {
	if t := rules.Map(o.Fields, part); t != nil && (old == nil || rules.Get(old.Fields, part, name) == nil) {
		delete(t, name)
	}
}

// checkNodeConfig: a node is told a name, and reports which version it uses.
//
// Now: pkg/apis/core/validation/validation.go validateNodeConfigSourceSpec
func checkNodeConfig(o *object.Object) field.Errors {
	errs := configSource(toldConfig)("spec.configSource", spec(o)["configSource"])
	used := configSource(usedConfig)
	return append(errs, rules.Fields{
		{Name: "assigned", Check: used},
		{Name: "active", Check: used},
		{Name: "lastKnownGood", Check: used},
	}.Check("status.config", status(o)["config"])...)
}

func configSource(configMap rules.Fields) rules.Check {
	return func(at string, v any) field.Errors {
		t, ok := v.(tree)
		switch {
		case !ok:
			return nil
		case t["configMap"] == nil:
			return field.Errors{field.Invalid(at, t, "exactly one reference subfield must be non-nil")}
		}
		errs := configMap.Check(at+".configMap", t["configMap"])
		return append(errs, configMapOfNode.Check(at+".configMap", t["configMap"])...)
	}
}

var (
	toldConfig = rules.Fields{
		{Name: "uid", Check: rules.Never("uid must not be set in spec")},
		{Name: "resourceVersion", Check: rules.Never("resourceVersion must not be set in spec")},
	}
	usedConfig = rules.Fields{
		{Name: "uid", Check: rules.RequiredAs("uid must be set in status")},
		{Name: "resourceVersion", Check: rules.RequiredAs("resourceVersion must be set in status")},
	}
	configMapOfNode = rules.Fields{
		{Name: "namespace", Check: rules.RequiredAs("namespace must be set", rules.Label)},
		{Name: "name", Check: rules.RequiredAs("name must be set", rules.Subdomain)},
		{Name: "kubeletConfigKey", Check: rules.RequiredAs("kubeletConfigKey must be set", rules.Words(rules.DataKey))},
	}
)
