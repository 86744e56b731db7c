package audit

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"example.com/kube-apiserver/stage3-storage/registry/request"
	"sigs.k8s.io/yaml"
)

// Policy says which requests are written down: the first rule that fits a
// request decides. A request that none fits is not written down.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/apis/audit/types.go Policy
type Policy struct {
	Kind              string   `json:"kind"`
	APIVersion        string   `json:"apiVersion"`
	Metadata          any      `json:"metadata"`
	OmitStages        []string `json:"omitStages"`
	OmitManagedFields bool     `json:"omitManagedFields"` // there are none here
	Rules             []Rule   `json:"rules"`
}

// Rule is a row. An empty list fits everything.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/apis/audit/types.go PolicyRule
type Rule struct {
	Level           string           `json:"level"`
	Users           []string         `json:"users"`
	UserGroups      []string         `json:"userGroups"`
	Verbs           []string         `json:"verbs"`
	Resources       []GroupResources `json:"resources"`
	Namespaces      []string         `json:"namespaces"` // "" is what has none
	NonResourceURLs []string         `json:"nonResourceURLs"`
	OmitStages      []string         `json:"omitStages"`

	OmitManagedFields *bool `json:"omitManagedFields"` // nil goes by the policy's
}

// The levels of detail: nothing, who did what, with the object that was sent,
// with the answer as well.
const (
	none            = "None"
	metadata        = "Metadata"
	withRequest     = "Request"
	requestResponse = "RequestResponse"
)

var levels = []string{none, metadata, withRequest, requestResponse}

// atLeast says whether a level has all that another has.
func atLeast(level, other string) bool {
	return slices.Index(levels, level) >= slices.Index(levels, other)
}

// GroupResources are resources of one group; without any, all of it.
type GroupResources struct {
	Group         string   `json:"group"`
	Resources     []string `json:"resources"` // pods, pods/log, pods/*, */status, *
	ResourceNames []string `json:"resourceNames"`
}

// Everything writes down everything, but for bodies.
var Everything = &Policy{Rules: []Rule{{Level: metadata}}}

// ReadPolicy reads a policy file, YAML or JSON. A field that is not known is
// an error: a rule that is not understood must not be thought to hold.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/audit/policy/reader.go LoadPolicyFromFile
func ReadPolicy(path string) (*Policy, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var p Policy
	if err := yaml.UnmarshalStrict(data, &p); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if p.Kind != "Policy" || p.APIVersion != "audit.k8s.io/v1" {
		return nil, fmt.Errorf("%s: kind %q of %q; want Policy of audit.k8s.io/v1", path, p.Kind, p.APIVersion)
	}
	if len(p.Rules) == 0 {
		return nil, fmt.Errorf("%s: no rules, so nothing would be written down", path)
	}
	for i, r := range p.Rules {
		if err := r.check(); err != nil {
			return nil, fmt.Errorf("%s: rules[%d]: %w", path, i, err)
		}
	}
	return &p, nil
}

// check says what is wrong with a rule.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/apis/audit/validation/validation.go ValidatePolicy
func (r Rule) check() error {
	named := func(g GroupResources) bool { return len(g.ResourceNames) > 0 && len(g.Resources) == 0 }
	switch {
	case !slices.Contains(levels, r.Level):
		return fmt.Errorf("level: %q; use one of %s", r.Level, strings.Join(levels, ", "))
	case slices.ContainsFunc(r.Resources, named):
		return errors.New("resourceNames: names of which resources? give resources too")
	case slices.ContainsFunc(r.NonResourceURLs, func(url string) bool { return !urlPattern.MatchString(url) }):
		return fmt.Errorf("nonResourceURLs: %q; want paths that begin with /, with a * at the end or none, or * alone", r.NonResourceURLs)
	case len(r.NonResourceURLs) > 0 && len(r.Resources)+len(r.Namespaces) > 0:
		return errors.New("a rule is about resources or about other paths, not both")
	}
	for _, s := range r.OmitStages {
		if !slices.Contains(stages, s) {
			return fmt.Errorf("omitStages: %q; want some of %s", s, strings.Join(stages, ", "))
		}
	}
	return nil
}

var urlPattern = regexp.MustCompile(`^(\*|/[^*]*\*?)$`)

// decide returns how much of a request is written down, and which stages of it are not.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/audit/policy/checker.go Level
// Now: staging/src/k8s.io/apiserver/pkg/audit/policy/checker.go EvaluatePolicyRule
func (p *Policy) decide(user request.User, info request.Info) (level string, omit []string) {
	for _, r := range p.Rules {
		if r.fits(user, info) {
			return r.Level, slices.Concat(p.OmitStages, r.OmitStages)
		}
	}
	return none, nil
}

func (r Rule) fits(user request.User, info request.Info) bool {
	if !oneOf(r.Users, user.Name) || !oneOf(r.Verbs, info.Verb) {
		return false
	}
	if len(r.UserGroups) > 0 && !slices.ContainsFunc(r.UserGroups, func(g string) bool { return slices.Contains(user.Groups, g) }) {
		return false
	}
	switch {
	case len(r.NonResourceURLs) > 0:
		return !info.IsResource && slices.ContainsFunc(r.NonResourceURLs, func(pattern string) bool { return pathFits(pattern, info.Path) })
	case len(r.Resources)+len(r.Namespaces) > 0:
		return info.IsResource && oneOf(r.Namespaces, info.Namespace) &&
			(len(r.Resources) == 0 || slices.ContainsFunc(r.Resources, func(g GroupResources) bool { return g.fits(info) }))
	}
	return true
}

func (g GroupResources) fits(info request.Info) bool {
	if g.Group != info.Group {
		return false
	}
	if len(g.Resources) == 0 {
		return true
	}
	path := info.Resource
	if info.Subresource != "" {
		path += "/" + info.Subresource
	}
	for _, r := range g.Resources {
		resource, sub, divided := strings.Cut(r, "/")
		whole := r == "*" || r == path
		if whole || divided && info.Subresource != "" && (sub == "*" && resource == info.Resource || resource == "*" && sub == info.Subresource) {
			return oneOf(g.ResourceNames, info.Name)
		}
	}
	return false
}

func oneOf(list []string, v string) bool { return len(list) == 0 || slices.Contains(list, v) }

func pathFits(pattern, path string) bool {
	if prefix, ok := strings.CutSuffix(pattern, "*"); ok {
		return strings.HasPrefix(path, prefix)
	}
	return pattern == path
}
