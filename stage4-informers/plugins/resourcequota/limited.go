package resourcequota

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// limitedResource is something of which nothing may be used unless a quota
// says how much: the part of the configuration file.
//
// Upstream: plugin/pkg/admission/resourcequota/apis/resourcequota/types.go LimitedResource
type limitedResource struct {
	APIGroup      string   `json:"apiGroup"`
	Resource      string   `json:"resource"`
	MatchContains []string `json:"matchContains"` // parts of names of resources
	MatchScopes   []scope  `json:"matchScopes"`
}

func readConfiguration(data []byte) ([]limitedResource, error) {
	if data == nil {
		return nil, nil
	}
	var f struct {
		APIVersion       string            `json:"apiVersion"`
		Kind             string            `json:"kind"`
		LimitedResources []limitedResource `json:"limitedResources"`
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		return nil, err
	}
	if f.Kind != "ResourceQuotaConfiguration" && f.Kind != "Configuration" {
		return nil, fmt.Errorf("want kind ResourceQuotaConfiguration of apiserver.config.k8s.io/v1, got kind %q of %q", f.Kind, f.APIVersion)
	}
	return f.LimitedResources, nil
}

// uncovered says which limited resources and scopes no quota covers; "" where
// all is well.
func (r *request) uncovered(l ledger, covered []string) string {
	obj := r.attributes.Object
	var names, scopes []string
	for _, limited := range r.limited {
		for _, name := range r.evaluator.usage(obj).Names() {
			matches := slices.ContainsFunc(limited.MatchContains, func(part string) bool { return strings.Contains(name, part) })
			if matches && !slices.Contains(covered, name) && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		for _, s := range limited.MatchScopes {
			if r.evaluator.inScope(s, obj) && !l.covers(s, r) {
				scopes = append(scopes, s.Name)
			}
		}
	}
	switch {
	case len(names) > 0:
		slices.Sort(names)
		return "insufficient quota to consume: " + strings.Join(names, ",")
	case len(scopes) > 0:
		return fmt.Sprintf("insufficient quota to match these scopes: %v", scopes)
	}
	return ""
}

// covers reports whether a quota with the same scope is about the object.
func (l ledger) covers(s scope, r *request) bool {
	return slices.ContainsFunc(l, func(p *page) bool {
		return slices.ContainsFunc(scopesOf(p.quota), func(own scope) bool {
			return own.Name == s.Name && r.evaluator.inScope(own, r.attributes.Object)
		})
	})
}
