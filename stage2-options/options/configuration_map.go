package options

import (
	"maps"
	"slices"
	"strings"
)

// ConfigurationMap is the value of a flag such as api/all=true,batch/v2alpha1.
// A key without a value has "", which means true.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/util/flag/configuration_map.go ConfigurationMap
type ConfigurationMap map[string]string

// Type is what --help calls the value.
func (m ConfigurationMap) Type() string { return "mapStringString" }

func (m ConfigurationMap) String() string {
	var pairs []string
	for _, key := range slices.Sorted(maps.Keys(m)) {
		pairs = append(pairs, key+"="+m[key])
	}
	return strings.Join(pairs, ",")
}

// Set adds the pairs to those that are there.
func (m ConfigurationMap) Set(value string) error {
	for pair := range strings.SplitSeq(value, ",") {
		key, v, _ := strings.Cut(pair, "=")
		if key = strings.TrimSpace(key); key != "" {
			m[key] = strings.TrimSpace(v)
		}
	}
	return nil
}
