package flagtable

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// runtimeConfig is a value such as api/all=true,batch/v2alpha1. A key without
// a value means true.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/util/flag/configuration_map.go ConfigurationMap
type runtimeConfig map[string]string

func (m runtimeConfig) Type() string { return "mapStringString" }

func (m runtimeConfig) String() string {
	var pairs []string
	for _, key := range slices.Sorted(maps.Keys(m)) {
		pairs = append(pairs, key+"="+m[key])
	}
	return strings.Join(pairs, ",")
}

// Set adds pairs. What somebody wants to be off must not stay on in silence.
func (m runtimeConfig) Set(value string) error {
	for pair := range strings.SplitSeq(value, ",") {
		key, v, _ := strings.Cut(strings.TrimSpace(pair), "=")
		switch {
		case key == "" && v == "":
		case key == "":
			return fmt.Errorf("%q has no key; give group/version=true", pair)
		case v == "" || v == "true":
			m[key] = "true"
		case v == "false":
			return fmt.Errorf("%s would be served all the same; leave it out", key)
		default:
			return fmt.Errorf("%s is neither true nor false; give %s=true", v, key)
		}
	}
	return nil
}

// list is a value that is repeated, with commas in it left alone.
type list []string

func (l *list) Type() string { return "stringArray" }

func (l *list) String() string { return strings.Join(*l, ",") }

// Set appends.
func (l *list) Set(value string) error {
	*l = append(*l, value)
	return nil
}

// secretValue forgets what it is set to.
type secretValue struct{ set bool }

func (v *secretValue) Type() string { return "string" }

func (v *secretValue) String() string {
	if v.set {
		return "(not shown)"
	}
	return ""
}

func (v *secretValue) Set(string) error {
	v.set = true
	return nil
}
