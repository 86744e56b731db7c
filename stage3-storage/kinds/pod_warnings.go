package kinds

import (
	"fmt"
	"strings"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
)

// oldVolumes are the sources of volumes that no longer work, or will not.
var oldVolumes = []struct{ name, text string }{
	{"photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+"},
	{"gitRepo", "deprecated in v1.11, and disabled by default in v1.33+"},
	{"scaleIO", "deprecated in v1.16, non-functional in v1.22+"},
	{"flocker", "deprecated in v1.22, non-functional in v1.25+"},
	{"storageos", "deprecated in v1.22, non-functional in v1.25+"},
	{"quobyte", "deprecated in v1.22, non-functional in v1.25+"},
	{"glusterfs", "deprecated in v1.25, non-functional in v1.26+"},
	{"cephfs", "deprecated in v1.28, non-functional in v1.31+"},
	{"rbd", "deprecated in v1.28, non-functional in v1.31+"},
}

// podWarnings tell the author of a pod what is allowed and surely not meant.
//
// Upstream: pkg/api/pod/warnings.go GetWarningsForPod
func podWarnings(at string, s tree) (warnings []string) {
	for i, v := range rules.Items(s, "volumes") {
		for _, old := range oldVolumes {
			if v[old.name] != nil {
				warnings = append(warnings, rules.Index(at+".volumes", i)+"."+old.name+": "+old.text)
			}
		}
	}
	warnings = append(warnings, twice(at+".hostAliases", s, "hostAliases", "ip")...)
	warnings = append(warnings, twice(at+".imagePullSecrets", s, "imagePullSecrets", "name")...)
	for i, secret := range rules.Items(s, "imagePullSecrets") {
		if rules.Text(secret, "name") == "" {
			warnings = append(warnings, rules.Index(at+".imagePullSecrets", i)+`.name: invalid empty name ""`)
		}
	}
	for _, list := range containerLists {
		for i, c := range rules.Items(s, list) {
			warnings = append(warnings, containerWarnings(rules.Index(rules.Join(at, list), i), c)...)
		}
	}
	return append(warnings, portWarnings(at, s)...)
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

func containerWarnings(at string, c tree) (warnings []string) {
	for _, kind := range []string{"limits", "requests"} {
		for _, name := range []string{"memory", "ephemeral-storage"} {
			if n, ok := rules.Quantity(rules.Get(c, "resources", kind, name)); ok && !n.IsInt() {
				path := rules.Key(at+".resources."+kind, name)
				warnings = append(warnings, fmt.Sprintf("%s: fractional byte value %q is invalid, must be an integer", path, rules.Text(c, "resources", kind, name)))
			}
		}
	}
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
func portWarnings(at string, s tree) (warnings []string) {
	type port struct {
		path string
		tree
	}
	var numbers []port
	names := map[string]string{}
	var named []string
	for _, list := range containerLists {
		for i, c := range rules.Items(s, list) {
			for j, p := range rules.Items(c, "ports") {
				here := port{rules.Index(rules.Index(rules.Join(at, list), i)+".ports", j), p}
				for _, other := range numbers {
					if p["containerPort"] == other.tree["containerPort"] && p["protocol"] == other.tree["protocol"] {
						warnings = append(warnings, clash(here.path, other.path, p, other.tree)...)
					}
				}
				numbers = append(numbers, here)
				name := rules.Text(p, "name")
				if first := names[name]; name != "" && first != "" {
					named = append(named, fmt.Sprintf("%s: duplicate port name %q with %s, services and probes that select ports by name will use %s", here.path, name, first, first))
				} else {
					names[name] = here.path
				}
			}
		}
	}
	return append(warnings, named...)
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
