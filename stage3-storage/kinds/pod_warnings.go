package kinds

import (
	"fmt"
	"strings"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
)

// oldVolumes are the sources of volumes that no longer work, or will not.
var oldVolumes = []struct{ name, path, text string }{
	{"photonPersistentDisk", "photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+"},
	{"gitRepo", "gitRepo", "deprecated in v1.11, and disabled by default in v1.33+"},
	{"scaleIO", "scaleIO", "deprecated in v1.16, non-functional in v1.22+"},
	{"flocker", "flocker", "deprecated in v1.22, non-functional in v1.25+"},
	{"storageos", "storageOS", "deprecated in v1.22, non-functional in v1.25+"}, // upstream's path
	{"quobyte", "quobyte", "deprecated in v1.22, non-functional in v1.25+"},
	{"glusterfs", "glusterfs", "deprecated in v1.25, non-functional in v1.26+"},
	{"cephfs", "cephfs", "deprecated in v1.28, non-functional in v1.31+"},
	{"rbd", "rbd", "deprecated in v1.28, non-functional in v1.31+"},
}

// oldAnnotations meant something before there was a field for it.
var oldAnnotations = []struct{ name, text string }{
	{"scheduler.alpha.kubernetes.io/critical-pod", `non-functional in v1.16+; use the "priorityClassName" field instead`},
	{"security.alpha.kubernetes.io/sysctls", `non-functional in v1.11+; use the "sysctls" field instead`},
	{"security.alpha.kubernetes.io/unsafe-sysctls", `non-functional in v1.11+; use the "sysctls" field instead`},
}

// oldNodeLabels are labels of nodes that have another name now, or none.
var oldNodeLabels = map[string]string{
	"beta.kubernetes.io/arch":                       `deprecated since v1.14; use "kubernetes.io/arch" instead`,
	"beta.kubernetes.io/os":                         `deprecated since v1.14; use "kubernetes.io/os" instead`,
	"failure-domain.beta.kubernetes.io/region":      `deprecated since v1.17; use "topology.kubernetes.io/region" instead`,
	"failure-domain.beta.kubernetes.io/zone":        `deprecated since v1.17; use "topology.kubernetes.io/zone" instead`,
	"beta.kubernetes.io/instance-type":              `deprecated since v1.17; use "node.kubernetes.io/instance-type" instead`,
	"app.kubernetes.io/created-by":                  "deprecated since v1.9",
	"scheduler.alpha.kubernetes.io/preferAvoidPods": "deprecated since v1.22; use Taints and Tolerations instead",
	"node-role.kubernetes.io/master":                `use "node-role.kubernetes.io/control-plane" instead`,
}

// podWarnings tell the author of a pod, or of a template, what is allowed and
// surely not meant. at is where the template is, "" for a pod.
//
// Now: pkg/api/pod/warnings.go GetWarningsForPod
func podWarnings(at string, annotations map[string]string, s tree) []string {
	spec := &podSpec{tree: s}
	path := rules.Join(at, "spec")
	warnings := nodeWarnings(path, s)
	warnings = append(warnings, annotationWarnings(rules.Join(at, "metadata.annotations"), at != "", annotations, spec)...)
	warnings = append(warnings, volumeWarnings(path, s)...)
	warnings = append(warnings, twice(path+".hostAliases", s, "hostAliases", "ip")...)
	warnings = append(warnings, twice(path+".imagePullSecrets", s, "imagePullSecrets", "name")...)
	for i, secret := range rules.Items(s, "imagePullSecrets") {
		if rules.Text(secret, "name") == "" {
			warnings = append(warnings, rules.Index(path+".imagePullSecrets", i)+`.name: invalid empty name ""`)
		}
	}
	warnings = append(warnings, fractions(path, s, []string{"overhead"}, "memory", "ephemeral-storage")...)
	for here, c := range spec.everyContainer(path) {
		warnings = append(warnings, containerWarnings(here, c)...)
	}
	warnings = append(warnings, portWarnings(path, spec)...)
	if rules.Int(s, "terminationGracePeriodSeconds") < 0 {
		warnings = append(warnings, path+".terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1")
	}
	return warnings
}

// podWarningsOf is podWarnings for a pod itself. Only its author hears of them:
// who updates pods is mostly no human.
func podWarningsOf(o, old *object.Object) []string {
	if old != nil {
		return nil
	}
	return append(nameWarning(o, old, "the Pod's hostname"), podWarnings("", o.Meta.Annotations, spec(o))...)
}

// templateWarnings is podWarnings for the template at a path. Nothing is said
// again of a template that stays as it was.
func templateWarnings(path string) func(o, old *object.Object) []string {
	return func(o, old *object.Object) []string {
		if old != nil && rules.Same(rules.Tree(o.Fields)["spec"], rules.Tree(old.Fields)["spec"]) && path != "template" {
			return nil
		}
		template := rules.Map(o.Fields, strings.Split(path, ".")...)
		return podWarnings(path, rules.Strings(template, "metadata", "annotations"), rules.Map(template, "spec"))
	}
}

// nodeWarnings: labels of nodes get new names.
func nodeWarnings(at string, s tree) (warnings []string) {
	for _, k := range rules.Keys(rules.Map(s, "nodeSelector")) {
		if old := oldNodeLabels[k]; old != "" {
			warnings = append(warnings, rules.Key(at+".nodeSelector", k)+": "+old)
		}
	}
	affinity := rules.Map(s, "affinity", "nodeAffinity")
	for i, term := range rules.Items(affinity, required, "nodeSelectorTerms") {
		warnings = append(warnings, termWarnings(rules.Index(at+".affinity.nodeAffinity."+required+".nodeSelectorTerms", i), false, term)...)
	}
	for i, p := range rules.Items(affinity, preferred) {
		warnings = append(warnings, termWarnings(rules.Index(at+".affinity.nodeAffinity."+preferred, i)+".preference", true, rules.Map(p, "preference"))...)
	}
	for i, c := range rules.Items(s, "topologySpreadConstraints") {
		here := rules.Index(at+".topologySpreadConstraints", i)
		if key := rules.Text(c, "topologyKey"); oldNodeLabels[key] != "" {
			warnings = append(warnings, fmt.Sprintf("%s.topologyKey: %s is %s", here, key, oldNodeLabels[key]))
		}
		if c["labelSelector"] == nil {
			warnings = append(warnings, here+".labelSelector: a null labelSelector results in matching no pod")
		}
	}
	return warnings
}

// termWarnings: what is only preferred may have values that no label can have.
func termWarnings(at string, values bool, term tree) (warnings []string) {
	for i, e := range rules.Items(term, "matchExpressions") {
		here, key := rules.Index(at+".matchExpressions", i), rules.Text(e, "key")
		if old := oldNodeLabels[key]; old != "" {
			warnings = append(warnings, fmt.Sprintf("%s.key: %s is %s", here, key, old))
		}
		for j, v := range rules.Texts(e, "values") {
			for _, p := range rules.LabelValue(v) {
				if values {
					warnings = append(warnings, fmt.Sprintf("%s: %s is invalid, %s", rules.Index(here+".values", j), v, p))
				}
			}
		}
	}
	return warnings
}

// annotationWarnings: a field has come for what the annotation says.
func annotationWarnings(at string, template bool, annotations map[string]string, s *podSpec) (warnings []string) {
	say := func(name, text string) {
		if _, there := annotations[name]; there {
			warnings = append(warnings, rules.Key(at, name)+": "+text)
		}
	}
	for _, old := range oldAnnotations {
		say(old.name, old.text)
	}
	own := rules.Map(s.tree, "securityContext")
	if own["seccompProfile"] == nil {
		say(seccompOfPod, `non-functional in v1.27+; use the "seccompProfile" field instead`)
	}
	for _, c := range s.everyContainer("") {
		name, security := rules.Text(c, "name"), rules.Map(c, "securityContext")
		if security["seccompProfile"] == nil {
			say(seccompOfContainer+name, `non-functional in v1.27+; use the "seccompProfile" field instead`)
		}
		if template && security["appArmorProfile"] == nil && own["appArmorProfile"] == nil {
			say(appArmorAnnotation+name, `deprecated since v1.30; use the "appArmorProfile" field instead`)
		}
	}
	return warnings
}

func volumeWarnings(at string, s tree) (warnings []string) {
	tokens := map[string]bool{}
	for i, v := range rules.Items(s, "volumes") {
		here := rules.Index(at+".volumes", i)
		for _, old := range oldVolumes {
			if v[old.name] != nil {
				warnings = append(warnings, here+"."+old.path+": "+old.text)
			}
		}
		claim := rules.Map(v, "ephemeral", "volumeClaimTemplate", "spec", "resources")
		warnings = append(warnings, fractions(here+".ephemeral.volumeClaimTemplate.spec.resources", claim, []string{"requests", "limits"}, "storage")...)
		for _, source := range rules.Items(v, "projected", "sources") {
			if token := rules.Map(source, "serviceAccountToken"); token != nil {
				tokens[rules.Text(token, "path")] = true
			}
		}
	}
	for i, v := range rules.Items(s, "volumes") {
		for _, source := range rules.Items(v, "projected", "sources") {
			for _, kind := range []struct{ name, path string }{{"configMap", "configMap"}, {"secret", "secrets"}, {"downwardAPI", "downwardAPI"}} {
				for j, item := range rules.Items(source, kind.name, "items") {
					if file := rules.Text(item, "path"); tokens[file] {
						path := rules.Index(rules.Index(at+".volumes", i)+".projected.sources."+kind.path, j) // upstream's path
						warnings = append(warnings, fmt.Sprintf("%s: has duplicated path with ServiceAccountToken %q", path, file))
					}
				}
			}
		}
	}
	return warnings
}

// twice warns of a value that stands in a list more than once.
func twice(at string, s tree, list, name string) (warnings []string) {
	seen := map[string]bool{}
	for i, item := range rules.Items(s, list) {
		v := rules.Text(item, name)
		if seen[v] {
			warnings = append(warnings, fmt.Sprintf("%s.%s: duplicate %s %q", rules.Index(at, i), name, name, v))
		}
		seen[v] = true
	}
	return warnings
}

// fractions warns of parts of bytes in lists of resources.
func fractions(at string, t tree, lists []string, names ...string) (warnings []string) {
	for _, name := range names {
		for _, list := range lists {
			text := rules.Text(t, list, name)
			if n, ok := rules.Quantity(text); ok && !n.IsInt() {
				warnings = append(warnings, fmt.Sprintf("%s: fractional byte value %q is invalid, must be an integer", rules.Key(rules.Join(at, list), name), text))
			}
		}
	}
	return warnings
}

func containerWarnings(at string, c tree) []string {
	warnings := fractions(at+".resources", rules.Map(c, "resources"), []string{"limits", "requests"}, "memory", "ephemeral-storage")
	seen := map[string]bool{}
	for i, e := range rules.Items(c, "env") {
		name, value := rules.Text(e, "name"), rules.Text(e, "value")
		ref := "$(" + name + ")"
		if seen[name] && (e["valueFrom"] != nil || value == ref || !strings.Contains(value, ref)) {
			warnings = append(warnings, fmt.Sprintf("%s: hides previous definition of %q, which may be dropped when using apply", rules.Index(at+".env", i), name))
		}
		seen[name] = true
	}
	return warnings
}

// portWarnings: ports of different containers of a pod share one address.
func portWarnings(at string, s *podSpec) (warnings []string) {
	type port struct {
		path string
		tree
	}
	var numbers []port
	names := map[string]string{}
	var named []string
	for here, c := range s.everyContainer(at) {
		for j, p := range rules.Items(c, "ports") {
			path := rules.Index(here+".ports", j)
			if rules.Text(p, "hostIP") != "" && rules.Int(p, "hostPort") == 0 {
				warnings = append(warnings, path+": hostIP set without hostPort: "+portText(p))
			}
			for _, other := range numbers {
				if p["containerPort"] == other.tree["containerPort"] && p["protocol"] == other.tree["protocol"] {
					warnings = append(warnings, clash(path, other.path, p, other.tree)...)
				}
			}
			numbers = append(numbers, port{path, p})
			name := rules.Text(p, "name")
			if first := names[name]; name != "" && first != "" {
				named = append(named, fmt.Sprintf("%s: duplicate port name %q with %s, services and probes that select ports by name will use %s", path, name, first, first))
			} else {
				names[name] = path
			}
		}
	}
	return append(warnings, named...)
}

// portText is a port as upstream's warning shows it.
func portText(p tree) string {
	return fmt.Sprintf("{Name:%s HostPort:%d ContainerPort:%d Protocol:%s HostIP:%s}",
		rules.Text(p, "name"), rules.Int(p, "hostPort"), rules.Int(p, "containerPort"), rules.Text(p, "protocol"), rules.Text(p, "hostIP"))
}

func clash(here, there string, a, b tree) []string {
	hostA, hostB := rules.Int(a, "hostPort"), rules.Int(b, "hostPort")
	ipA, ipB := rules.Text(a, "hostIP"), rules.Text(b, "hostIP")
	how := ""
	switch {
	case ipA == ipB && hostA == hostB:
		how = "duplicate"
	case hostA == 0 || hostB == 0:
		how = "overlapping"
	case hostA == hostB && (ipA == "") != (ipB == ""):
		how = "dangerously ambiguous"
	default:
		return nil
	}
	return []string{here + ": " + how + " port definition with " + there}
}
