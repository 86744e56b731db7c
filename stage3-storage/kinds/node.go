package kinds

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/field"
	"example.com/kube-apiserver/stage3-storage/registry"
)

func nodes() Kind {
	return Kind{
		Kind: registry.Kind{
			Resource: row("nodes", "node", "Node", "minions", false, "no"), // their name of 2014; stores still hold it
			Strategy: registry.Strategy{
				Default: defaultNode,
				// Not KeepOld: a kubelet creates its node with its status.
				PrepareForCreate: func(_ context.Context, o *object.Object) error {
					dropConfig("spec", "configSource", o, nil)
					dropConfig("status", "config", o, nil)
					return nil
				},
				PrepareForUpdate: func(_ context.Context, o, old *object.Object) error {
					rules.Put(o.Fields, old.Fields, "status")
					dropConfig("spec", "configSource", o, old)
					return nil
				},
				Validate:       checkNode,
				ValidateUpdate: checkNodeUpdate,
				Warnings:       func(o, _ *object.Object) []string { return nodeSpecWarnings(spec(o)) },
				Field: selectable(map[string]func(*object.Object) string{
					"spec.unschedulable": func(o *object.Object) string {
						return strconv.FormatBool(rules.Bool(o.Fields, "spec", "unschedulable"))
					},
				}),
			},
			Status: &registry.Strategy{
				OnlyNew: []string{"status"},
				Default: defaultNode,
				PrepareForUpdate: func(_ context.Context, o, old *object.Object) error {
					dropConfig("status", "config", o, old)
					return nil
				},
				ValidateUpdate: checkNodeStatus,
			},
		},
		Columns: nodeColumns(),
	}
}

// defaultNode keeps the two forms of the pods' network in step, and takes for
// usable what a node says it has.
//
// Upstream: pkg/api/v1/defaults.go SetDefaults_NodeStatus
func defaultNode(o *object.Object) {
	s := rules.Make(o.Fields, "spec")
	rules.Drop(s, "podPreemptionPolicy") // InPlacePodVerticalScalingSchedulerPreemption, a feature that is off
	one, several := rules.Text(s, "podCIDR"), rules.Texts(s, "podCIDRs")
	switch {
	case one != "" && (len(several) == 0 || several[0] != one):
		s["podCIDRs"] = []any{one}
	case one == "" && len(several) > 0:
		s["podCIDR"] = several[0]
	}
	now := rules.Make(o.Fields, "status")
	roundUp(rules.Map(now, "capacity"), rules.Map(now, "allocatable"))
	if capacity := rules.Map(now, "capacity"); capacity != nil {
		rules.Fill(now, "allocatable", capacity)
	}
}

// checkNode returns all that is wrong with a node.
//
// Upstream: pkg/api/validation/validation.go ValidateNode
func checkNode(o *object.Object) field.Errors {
	errs := checkNodeAnnotations(o.Meta.Annotations)
	errs = append(errs, checkTaints("metadata.taints", rules.List(o.Fields, "spec", "taints"))...) // upstream's path, too, says metadata
	errs = append(errs, checkNodeResources(o)...)
	errs = append(errs, checkSwap(o)...)
	errs = append(errs, checkDeclaredFeatures(o)...)
	cidrs := rules.Texts(o.Fields, "spec", "podCIDRs")
	for i, c := range cidrs {
		for _, p := range rules.CIDR(c) {
			errs = append(errs, field.Invalid(rules.Index("spec.podCIDRs", i), c, p))
		}
	}
	if len(cidrs) > 1 && !dualStack(cidrs) {
		errs = append(errs, field.Invalid("spec.podCIDRs", cidrs, "may specify no more than one CIDR for each IP family"))
	}
	return errs
}

func dualStack(cidrs []string) bool {
	if len(cidrs) != 2 {
		return false
	}
	a, err := netip.ParsePrefix(cidrs[0])
	b, err2 := netip.ParsePrefix(cidrs[1])
	return err == nil && err2 == nil && a.Addr().Is4() != b.Addr().Is4()
}

// checkNodeUpdate says of an update what a creation is told too, once.
//
// Upstream: pkg/registry/core/node/strategy.go ValidateUpdate
func checkNodeUpdate(o, old *object.Object) field.Errors {
	return append(checkNode(o), checkNodeChange(o, old)...)
}

// checkNodeStatus leaves alone what only the main path can change.
//
// Upstream: pkg/registry/core/node/strategy.go nodeStatusStrategy
func checkNodeStatus(o, old *object.Object) field.Errors {
	errs := checkNodeAnnotations(o.Meta.Annotations)
	errs = append(errs, checkNodeResources(o)...)
	errs = append(errs, checkDeclaredFeatures(o)...)
	errs = append(errs, checkNodeChange(o, old)...)
	return append(errs, checkTaints("metadata.taints", rules.List(o.Fields, "spec", "taints"))...)
}

// checkNodeChange has the rules that need the node as it was.
//
// Upstream: pkg/api/validation/validation.go ValidateNodeUpdate
func checkNodeChange(o, old *object.Object) (errs field.Errors) {
	addresses := rules.List(o.Fields, "status", "addresses")
	for i, a := range addresses {
		if slices.ContainsFunc(addresses[:i], func(v any) bool { return rules.Same(v, a) }) {
			t, _ := a.(tree)
			shown := struct{ Type, Address string }{rules.Text(t, "type"), rules.Text(t, "address")} // as upstream shows it
			errs = append(errs, field.Duplicate(rules.Index("status.addresses", i), shown))
		}
	}
	was, is := rules.Texts(old.Fields, "spec", "podCIDRs"), rules.Texts(o.Fields, "spec", "podCIDRs")
	if len(was) > 0 && !slices.Equal(was, is) {
		errs = append(errs, field.Forbidden("spec.podCIDRs", `node updates may not change podCIDR except from "" to valid`))
	}
	if was := rules.Text(old.Fields, "spec", "providerID"); was != "" && was != rules.Text(o.Fields, "spec", "providerID") {
		errs = append(errs, field.Forbidden("spec.providerID", `node updates may not change providerID except from "" to valid`))
	}
	errs = append(errs, checkNodeConfig(o)...)
	if rules.Text(o.Fields, "spec", "externalID") != rules.Text(old.Fields, "spec", "externalID") {
		errs = append(errs, field.Forbidden("spec.externalID", "may not be updated"))
	}
	return errs
}

// nodeSpecWarnings tell of fields that nobody reads any more.
//
// Now: pkg/registry/core/node/strategy.go nodeWarnings
func nodeSpecWarnings(s tree) (warnings []string) {
	if s["configSource"] != nil {
		warnings = append(warnings, "spec.configSource: the feature is removed")
	}
	if rules.Text(s, "externalID") != "" {
		warnings = append(warnings, "spec.externalID: this field is deprecated, and is unused by Kubernetes")
	}
	for i, c := range rules.Texts(s, "podCIDRs") {
		if w := rules.NetworkWarning(rules.Index("spec.podCIDRs", i), c); w != "" {
			warnings = append(warnings, w)
		}
	}
	return warnings
}

func checkNodeResources(o *object.Object) (errs field.Errors) {
	for _, name := range []string{"capacity", "allocatable"} {
		amounts := rules.Map(o.Fields, "status", name)
		for _, k := range rules.Keys(amounts) {
			errs = append(errs, amount("status."+name+"."+k, k, amounts[k])...)
		}
	}
	return errs
}

var taintEffect = rules.OneOf("NoSchedule", "PreferNoSchedule", "NoExecute")

var taint = rules.Fields{
	{Name: "key", Check: rules.LabelKey},
	{Name: "value", Check: rules.Words(joined(rules.LabelValue))},
	{Name: "effect", Check: rules.Required(taintEffect)},
}

// joined makes one problem of several.
func joined(problems func(string) []string) func(string) []string {
	return func(s string) []string {
		if list := problems(s); len(list) > 0 {
			return []string{strings.Join(list, ";")}
		}
		return nil
	}
}

func checkTaints(at string, list []any) (errs field.Errors) {
	seen := map[string]bool{}
	for i, v := range list {
		t, _ := v.(tree)
		errs = append(errs, taint.Check(rules.Index(at, i), t)...)
		id := fmt.Sprintf("%q %q", rules.Text(t, "effect"), rules.Text(t, "key"))
		if seen[id] {
			shown := struct{ Key, Value, Effect, TimeAdded any }{rules.Text(t, "key"), rules.Text(t, "value"), rules.Text(t, "effect"), t["timeAdded"]}
			e := field.Duplicate(rules.Index(at, i), shown) // as upstream shows it
			e.Message += ": taints must be unique by key and effect pair"
			errs = append(errs, e)
		}
		seen[id] = true
	}
	return errs
}
