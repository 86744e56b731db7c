package kinds

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/field"
	"example.com/kube-apiserver/stage3-storage/registry"
)

// podSpec is one spec that is being checked, and what its parts need to know of
// each other.
type podSpec struct {
	tree
	options Options
	volumes map[string]tree // those that are right, by name
	pod     bool            // of a pod, not of a template
}

// CheckPodTemplate returns all that is wrong with the template of a pod that is
// at the path at.
//
// Upstream: pkg/apis/core/validation/validation.go ValidatePodTemplateSpec
func CheckPodTemplate(at string, template map[string]any, options Options) field.Errors {
	meta := rules.Map(template, "metadata")
	errs := registry.ValidateLabels(rules.Join(at, "labels"), rules.Strings(meta, "labels"))
	for _, k := range rules.Keys(rules.Map(meta, "annotations")) {
		for _, p := range registry.QualifiedName(strings.ToLower(k)) {
			errs = append(errs, field.Invalid(rules.Join(at, "annotations"), k, p))
		}
	}
	s := rules.Map(template, "spec")
	errs = append(errs, (&podSpec{tree: s, options: options}).check(rules.Join(at, "spec"))...)
	if len(rules.List(s, "ephemeralContainers")) > 0 {
		errs = append(errs, field.Forbidden(rules.Join(at, "spec.ephemeralContainers"), "ephemeral containers not allowed in pod template"))
	}
	return errs
}

func checkPodCreate(o *object.Object, options Options) field.Errors {
	s := spec(o)
	errs := checkPod(o, options)
	if len(rules.List(s, "ephemeralContainers")) > 0 {
		errs = append(errs, field.Forbidden("spec.ephemeralContainers", "cannot be set on create"))
	}
	if rules.Text(s, "nodeName") != "" && len(rules.List(s, "schedulingGates")) > 0 {
		errs = append(errs, field.Forbidden("spec.nodeName", "cannot be set until all schedulingGates have been cleared"))
	}
	return errs
}

func checkPod(o *object.Object, options Options) field.Errors {
	s := &podSpec{tree: spec(o), options: options, pod: true}
	errs := s.check("spec")
	for _, list := range containerLists[:2] {
		for i, c := range rules.Items(s.tree, list) {
			errs = append(errs, rules.Trimmed(rules.Index("spec."+list, i)+".image", c["image"])...)
		}
	}
	return errs
}

// check returns all that is wrong with the spec, in the order of upstream.
//
// Upstream: pkg/apis/core/validation/validation.go ValidatePodSpec
func (s *podSpec) check(at string) field.Errors {
	errs := s.checkVolumes(rules.Join(at, "volumes"))
	errs = append(errs, s.checkContainers(at)...)
	errs = append(errs, s.checkHostNetwork(at)...)
	errs = append(errs, podRules.Check(at, s.tree)...)
	return append(errs, s.checkTogether(at)...)
}

// podRules are the rules of fields that do not depend on other fields.
var podRules = rules.Fields{
	{Name: "restartPolicy", Check: rules.Required(rules.OneOf("Always", "OnFailure", "Never"))},
	{Name: "dnsPolicy", Check: rules.Required(rules.OneOf("ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"))},
	{Name: "nodeSelector", Check: rules.Labels},
	{Name: "securityContext", Check: podSecurity.Check},
	{Name: "affinity", Check: affinity.Check},
	{Name: "dnsConfig", Check: dnsConfig.Check},
	{Name: "readinessGates", Check: rules.Each(rules.Fields{{Name: "conditionType", Check: rules.LabelKey}}.Check)},
	{Name: "schedulingGates", Check: rules.All(rules.Each(named(rules.LabelKey)), rules.Unique("name"))},
	{Name: "topologySpreadConstraints", Check: rules.Each(spreadConstraint)},
	{Name: "serviceAccountName", Check: rules.Subdomain},
	{Name: "nodeName", Check: rules.Subdomain},
	{Name: "activeDeadlineSeconds", Check: rules.Between(1, math.MaxInt32)},
	{Name: "hostname", Check: rules.Label},
	{Name: "subdomain", Check: rules.Label},
	{Name: "tolerations", Check: rules.Each(toleration)},
	{Name: "hostAliases", Check: rules.Each(rules.Fields{
		{Name: "ip", Check: rules.Required(rules.Words(rules.IP))},
		{Name: "hostnames", Check: rules.Each(rules.Subdomain)},
	}.Check)},
	{Name: "priorityClassName", Check: rules.Subdomain},
	{Name: "runtimeClassName", Check: rules.Subdomain},
	{Name: "preemptionPolicy", Check: rules.OneOf("PreemptLowerPriority", "Never")},
	{Name: "overhead", Check: func(at string, v any) field.Errors {
		t, _ := v.(tree)
		return amounts(rules.Join(at, "limits"), t, containerResource)
	}},
}

// named asks about the name of an object, and complains of the object itself.
func named(check rules.Check) rules.Check {
	return func(at string, v any) field.Errors {
		t, _ := v.(tree)
		return check(at, t["name"])
	}
}

var dnsConfig = rules.Fields{
	{Name: "nameservers", Check: rules.All(atMostItems(3, "nameservers"), rules.Each(rules.Words(rules.IP)))},
	{Name: "searches", Check: rules.All(atMostItems(32, "search paths"), rules.Each(rules.Words(searchPath)))},
	{Name: "options", Check: rules.Each(func(at string, v any) field.Errors {
		if t, _ := v.(tree); rules.Text(t, "name") == "" {
			return field.Errors{field.Required(at, "must not be empty")}
		}
		return nil
	})},
}

func atMostItems(n int, what string) rules.Check {
	return func(at string, v any) field.Errors {
		if l, _ := v.([]any); len(l) > n {
			return field.Errors{field.Invalid(at, v, fmt.Sprintf("must not have more than %d %s", n, what))}
		}
		return nil
	}
}

// searchPath is a domain, which may have underscores; "." is the root.
func searchPath(s string) []string {
	if s == "." {
		return nil
	}
	return registry.DNSSubdomain(strings.ReplaceAll(strings.TrimSuffix(s, "."), "_", "a"))
}

// checkTogether has the rules about fields that depend on each other.
func (s *podSpec) checkTogether(at string) (errs field.Errors) {
	if rules.Text(s.tree, "dnsPolicy") == "None" {
		config := rules.Map(s.tree, "dnsConfig")
		switch {
		case config == nil:
			errs = append(errs, field.Required(at+".dnsConfig", "must provide `dnsConfig` when `dnsPolicy` is None"))
		case len(rules.List(config, "nameservers")) == 0:
			errs = append(errs, field.Required(at+".dnsConfig.nameservers", "must provide at least one DNS nameserver when `dnsPolicy` is None"))
		}
	}
	if rules.Bool(s.tree, "shareProcessNamespace") && rules.Bool(s.tree, "hostPID") {
		errs = append(errs, field.Invalid(at+".shareProcessNamespace", true, "ShareProcessNamespace and HostPID cannot both be enabled"))
	}
	if s.tree["hostUsers"] == false {
		for _, name := range []string{"HostPID", "HostIPC"} { // upstream's paths
			if rules.Bool(s.tree, "h"+name[1:]) {
				errs = append(errs, field.Forbidden(rules.Join(at, name), "when `hostUsers` is false"))
			}
		}
	}
	return errs
}

// checkHostNetwork: on the host's network a container has no ports of its own.
func (s *podSpec) checkHostNetwork(at string) (errs field.Errors) {
	if !rules.Bool(s.tree, "hostNetwork") {
		return nil
	}
	for i, c := range rules.Items(s.tree, "containers") {
		for j, p := range rules.Items(c, "ports") {
			host := rules.Int(p, "hostPort")
			if (s.pod || host != 0) && host != rules.Int(p, "containerPort") {
				path := rules.Index(rules.Index(at+".containers", i)+".ports", j) + ".hostPort"
				errs = append(errs, field.Invalid(path, host, "must match `containerPort` when `hostNetwork` is true"))
			}
		}
	}
	return errs
}

// toleration is what a pod puts up with on a node.
//
// Upstream: pkg/apis/core/validation/validation.go ValidateTolerations
func toleration(at string, v any) (errs field.Errors) {
	t, _ := v.(tree)
	key, op, value, effect := rules.Text(t, "key"), rules.Text(t, "operator"), rules.Text(t, "value"), rules.Text(t, "effect")
	if key != "" {
		errs = append(errs, rules.LabelKey(at+".key", key)...)
	} else if op != "Exists" {
		errs = append(errs, field.Invalid(at+".operator", op, "operator must be Exists when `key` is empty, which means \"match all values and all keys\""))
	}
	if t["tolerationSeconds"] != nil && effect != "NoExecute" {
		errs = append(errs, field.Invalid(at+".effect", effect, "effect must be 'NoExecute' when `tolerationSeconds` is set"))
	}
	switch {
	case op == "Equal" || op == "":
		errs = append(errs, rules.Words(joined(rules.LabelValue))(at+".operator", value)...)
	case op == "Exists" && value != "":
		errs = append(errs, field.Invalid(at+".operator", value, "value must be empty when `operator` is 'Exists'"))
	case !slices.Contains([]string{"Exists"}, op):
		errs = append(errs, field.NotSupported(at+".operator", op, "Equal", "Exists"))
	}
	return append(errs, taintEffect(at+".effect", effect)...)
}
