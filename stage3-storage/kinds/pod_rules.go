package kinds

import (
	"iter"
	"math"
	"strings"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/field"
	"example.com/kube-apiserver/stage3-storage/wire/metadata"
)

// podSpec is one spec that is being checked, and what its parts need to know of
// each other.
type podSpec struct {
	tree
	options Options
	volumes map[string]tree // those that are right, by name
	pod     bool            // of a pod, not of a template
	name    string          // the pod's
}

// everyContainer yields the containers of a spec, each with its path, in the
// order in which they start.
func (s *podSpec) everyContainer(at string) iter.Seq2[string, tree] {
	return func(yield func(string, tree) bool) {
		for _, list := range containerLists {
			for i, c := range rules.Items(s.tree, list) {
				if !yield(rules.Index(rules.Join(at, list), i), c) {
					return
				}
			}
		}
	}
}

// CheckPodTemplate returns all that is wrong with the template of a pod that is
// at the path at.
//
// Upstream: pkg/api/validation/validation.go ValidatePodTemplateSpec
func CheckPodTemplate(at string, template map[string]any, options Options) field.Errors {
	meta, s := rules.Map(template, "metadata"), &podSpec{tree: rules.Map(template, "spec"), options: options}
	annotations := rules.Strings(meta, "annotations")
	errs := metadata.ValidateLabels(rules.Join(at, "labels"), rules.Strings(meta, "labels"))
	for _, k := range rules.Keys(rules.Map(meta, "annotations")) {
		for _, p := range metadata.QualifiedName(strings.ToLower(k)) {
			errs = append(errs, field.Invalid(rules.Join(at, "annotations"), k, p))
		}
	}
	errs = append(errs, s.checkAnnotations(rules.Join(at, "annotations"), annotations)...)
	errs = append(errs, s.check(rules.Join(at, "spec"))...)
	errs = append(errs, s.checkProfiles(rules.Join(at, "spec"), annotations)...)
	if len(rules.List(s.tree, "ephemeralContainers")) > 0 {
		errs = append(errs, field.Forbidden(rules.Join(at, "spec.ephemeralContainers"), "ephemeral containers not allowed in pod template"))
	}
	return errs
}

func checkPodCreate(o *object.Object, options Options) field.Errors {
	s := &podSpec{tree: spec(o), options: options, pod: true, name: o.Meta.Name}
	errs := checkPod(o, options)
	if len(rules.List(s.tree, "ephemeralContainers")) > 0 {
		errs = append(errs, field.Forbidden("spec.ephemeralContainers", "cannot be set on create"))
	}
	if rules.Text(s.tree, "nodeName") != "" && len(rules.List(s.tree, "schedulingGates")) > 0 {
		errs = append(errs, field.Forbidden("spec.nodeName", "cannot be set until all schedulingGates have been cleared"))
	}
	return append(errs, s.checkProfiles("spec", o.Meta.Annotations)...)
}

// checkPod has the rules that a pod has to keep all its life.
//
// Upstream: pkg/api/validation/validation.go ValidatePod
// Now: pkg/apis/core/validation/validation.go validatePodMetadataAndSpec
func checkPod(o *object.Object, options Options) field.Errors {
	s := &podSpec{tree: spec(o), options: options, pod: true, name: o.Meta.Name}
	errs := s.checkAnnotations("metadata.annotations", o.Meta.Annotations)
	errs = append(errs, s.check("spec")...)
	if rules.Text(s.tree, "serviceAccountName") == "" {
		for i, v := range rules.Items(s.tree, "volumes") {
			for j, source := range rules.Items(v, "projected", "sources") {
				if source["serviceAccountToken"] != nil {
					at := rules.Index(rules.Index("spec.volumes", i)+".projected.sources", j) + ".serviceAccountToken"
					errs = append(errs, field.Forbidden(at, "must not be specified when serviceAccountName is not set"))
				}
			}
		}
	}
	for _, list := range []string{"containers", "initContainers"} {
		for i, c := range rules.Items(s.tree, list) {
			errs = append(errs, rules.Trimmed(rules.Index("spec."+list, i)+".image", c["image"])...)
		}
	}
	return errs
}

// check returns all that is wrong with the spec, in the order of upstream.
//
// Upstream: pkg/api/validation/validation.go ValidatePodSpec
func (s *podSpec) check(at string) field.Errors {
	errs := rules.Required()(at+".terminationGracePeriodSeconds", s.tree["terminationGracePeriodSeconds"])
	errs = append(errs, s.checkVolumes(rules.Join(at, "volumes"))...)
	errs = append(errs, s.resourceClaims(at+".resourceClaims", s.tree["resourceClaims"])...)
	errs = append(errs, s.checkContainers(at)...)
	errs = append(errs, s.checkResources(at+".resources")...)
	errs = append(errs, s.checkHostNetwork(at)...)
	errs = append(errs, s.podRules().Check(at, s.tree)...)
	errs = append(errs, s.checkHostProcess(at)...)
	errs = append(errs, s.checkHostUsers(at)...)
	errs = append(errs, s.checkHostname(at)...)
	errs = append(errs, morePodRules.Check(at, s.tree)...)
	errs = append(errs, s.checkOS(at)...)
	return append(errs, s.checkFiles(at)...)
}

// podRules and morePodRules are the rules of single fields.
func (s *podSpec) podRules() rules.Fields {
	return rules.Fields{
		{Name: "restartPolicy", Check: rules.Required(rules.OneOf("Always", "OnFailure", "Never"))},
		{Name: "dnsPolicy", Check: rules.Required(rules.OneOf("ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"))},
		{Name: "nodeSelector", Check: rules.Labels},
		{Name: "securityContext", Check: s.podSecurity},
		{Name: "affinity", Check: affinity.Check},
		{Name: "dnsConfig", Check: s.dnsConfig},
		{Name: "readinessGates", Check: rules.Each(rules.Fields{{Name: "conditionType", Check: rules.LabelKey}}.Check)},
		{Name: "schedulingGates", Check: schedulingGates},
		{Name: "topologySpreadConstraints", Check: spreadConstraints},
	}
}

var morePodRules = rules.Fields{
	{Name: "serviceAccountName", Check: rules.Subdomain},
	{Name: "nodeName", Check: rules.Subdomain},
	{Name: "activeDeadlineSeconds", Check: rules.Between(1, math.MaxInt32)},
	{Name: "hostname", Check: rules.Label},
	{Name: "subdomain", Check: rules.Label},
	{Name: "tolerations", Check: rules.Each(toleration)},
	{Name: "hostAliases", Check: rules.Each(rules.Fields{
		{Name: "ip", Check: rules.Strictly(rules.IP)},
		{Name: "hostnames", Check: rules.Each(rules.Strictly(metadata.DNSSubdomain))},
	}.Check)},
	{Name: "priorityClassName", Check: rules.Subdomain},
	{Name: "runtimeClassName", Check: rules.Given(rules.Strictly(metadata.DNSSubdomain))},
	{Name: "preemptionPolicy", Check: rules.Given(rules.Required(rules.OneOf("PreemptLowerPriority", "Never")))},
	{Name: "overhead", Check: func(at string, v any) field.Errors {
		return requirements(at, tree{"limits": v}, containerResource)
	}},
}

// schedulingGates keep a pod from being given a node.
//
// Now: pkg/apis/core/validation/validation.go validateSchedulingGates
func schedulingGates(at string, v any) (errs field.Errors) {
	seen := map[string]bool{}
	list, _ := v.([]any)
	for i, gate := range list {
		t, _ := gate.(tree)
		name := rules.Text(t, "name")
		errs = append(errs, rules.LabelKey(rules.Index(at, i), name)...)
		if seen[name] {
			errs = append(errs, field.Duplicate(rules.Index(at, i), name))
		}
		seen[name] = true
	}
	return errs
}

// toleration is what a pod puts up with on a node.
//
// Upstream: pkg/api/validation/validation.go ValidateTolerations
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
	case op == "Lt" || op == "Gt": // a feature that is off, and yet upstream names them
		errs = append(errs, field.NotSupported(at+".operator", op, "Equal", "Exists", "Lt", "Gt"))
	case op != "Exists":
		errs = append(errs, field.NotSupported(at+".operator", op, "Equal", "Exists"))
	}
	return append(errs, taintEffect(at+".effect", effect)...)
}
