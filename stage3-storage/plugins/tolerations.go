package plugins

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"example.com/kube-apiserver/stage3-storage/admission"
	"example.com/kube-apiserver/stage3-storage/kinds/rules"
)

const (
	notReady    = "node.kubernetes.io/not-ready"
	unreachable = "node.kubernetes.io/unreachable"
)

// defaultTolerationSeconds lets a pod that says nothing about it stay for a
// while on a node that is lost: the node may come back.
//
// Upstream: plugin/pkg/admission/defaulttolerationseconds/admission.go plugin
type defaultTolerationSeconds struct {
	admission.Handler
	notReady, unreachable int64
}

// SetTolerationSeconds gives the plugin what the command line says.
func (p *defaultTolerationSeconds) SetTolerationSeconds(notReady, unreachable int64) {
	p.notReady, p.unreachable = notReady, unreachable
}

func (p *defaultTolerationSeconds) Admit(_ context.Context, a *admission.Attributes) error {
	if !a.Of("pods") {
		return nil
	}
	spec := rules.Make(a.Object.Fields, "spec")
	list := rules.List(spec, "tolerations")
	for _, row := range []struct {
		taint   string
		seconds int64
	}{{notReady, p.notReady}, {unreachable, p.unreachable}} {
		if !tolerates(list, row.taint) {
			list = append(list, rules.Tree{"key": row.taint, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": rules.Number(row.seconds)})
		}
	}
	spec["tolerations"] = list
	return nil
}

// tolerates reports whether the author has thought of being evicted for a taint.
func tolerates(list []any, taint string) bool {
	return slices.ContainsFunc(list, func(v any) bool {
		t, _ := v.(rules.Tree)
		return cmp.Or(rules.Text(t, "key"), taint) == taint && cmp.Or(rules.Text(t, "effect"), "NoExecute") == "NoExecute"
	})
}

// extendedResourceToleration lets pods that ask for devices onto nodes that
// are kept for such pods: those have a taint named like the device.
//
// Now: plugin/pkg/admission/extendedresourcetoleration/admission.go plugin
type extendedResourceToleration struct{ admission.Handler }

func (extendedResourceToleration) Admit(_ context.Context, a *admission.Attributes) error {
	if !a.Of("pods") {
		return nil
	}
	spec := rules.Make(a.Object.Fields, "spec")
	var devices []string
	for c := range containers(spec) {
		for _, name := range rules.Keys(rules.Map(c, "resources", "requests")) {
			if strings.Contains(name, "/") && !strings.Contains(name, "kubernetes.io/") {
				devices = append(devices, name)
			}
		}
	}
	slices.Sort(devices)
	for _, name := range slices.Compact(devices) {
		addToleration(spec, rules.Tree{"key": name, "operator": "Exists", "effect": "NoSchedule"})
	}
	return nil
}

// addToleration adds what is not there yet.
func addToleration(spec, toleration rules.Tree) {
	list := rules.List(spec, "tolerations")
	if !slices.ContainsFunc(list, func(v any) bool { return rules.Same(v, toleration) }) {
		spec["tolerations"] = append(list, toleration)
	}
}
