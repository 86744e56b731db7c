package plugins

import (
	"context"
	"slices"

	"example.com/kube-apiserver/stage3-storage/admission"
	"example.com/kube-apiserver/stage3-storage/kinds/rules"
)

// taintNodes marks a new node as not ready: otherwise a scheduler could give it
// pods before anybody has looked at its condition.
//
// Now: plugin/pkg/admission/nodetaint/admission.go Plugin
type taintNodes struct{ admission.Handler }

func (taintNodes) Admit(_ context.Context, a *admission.Attributes) error {
	if !a.Of("nodes") {
		return nil
	}
	spec := rules.Make(a.Object.Fields, "spec")
	taints := rules.List(spec, "taints")
	known := slices.ContainsFunc(taints, func(v any) bool {
		t, _ := v.(rules.Tree)
		return t["key"] == notReady && t["effect"] == "NoSchedule"
	})
	if !known {
		spec["taints"] = append(taints, rules.Tree{"key": notReady, "effect": "NoSchedule"})
	}
	return nil
}
