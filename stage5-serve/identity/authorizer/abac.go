package authorizer

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"example.com/kube-apiserver/stage3-storage/registry/request"
)

// ABAC allows what some line of a file allows. It was the way before RBAC.
//
// Upstream: pkg/auth/authorizer/abac/abac.go policyList
type ABAC []abacSpec

// abacSpec is what a line says. "*" is everything, "" nothing but what has none.
//
// Upstream: pkg/apis/abac/v1beta1/types.go PolicySpec
type abacSpec struct {
	User            string `json:"user"`
	Group           string `json:"group"`
	ReadOnly        bool   `json:"readonly"`
	APIGroup        string `json:"apiGroup"`
	Resource        string `json:"resource"`
	Namespace       string `json:"namespace"`
	NonResourcePath string `json:"nonResourcePath"`
}

// ReadABAC reads --authorization-policy-file: a JSON object on each line, of
// the group abac.authorization.kubernetes.io, or older and without a version.
//
// Upstream: pkg/auth/authorizer/abac/abac.go NewFromFile
func ReadABAC(path string) (ABAC, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var list ABAC
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		text := bytes.TrimSpace(lines.Bytes())
		if len(text) == 0 || text[0] == '#' {
			continue
		}
		spec, err := abacLine(text)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, n, err)
		}
		list = append(list, spec)
	}
	return list, lines.Err()
}

func abacLine(text []byte) (abacSpec, error) {
	var line struct {
		APIVersion string   `json:"apiVersion"`
		Kind       string   `json:"kind"`
		Spec       abacSpec `json:"spec"`
		abacSpec            // where lines without a version have it
	}
	if err := json.Unmarshal(text, &line); err != nil {
		return abacSpec{}, err
	}
	switch {
	case line.APIVersion == "" && line.Kind == "":
		return unversioned(line.abacSpec), nil
	case line.Kind != "Policy" || line.APIVersion != "abac.authorization.kubernetes.io/v1beta1":
		return abacSpec{}, fmt.Errorf("kind %q of %q; want Policy of abac.authorization.kubernetes.io/v1beta1", line.Kind, line.APIVersion)
	case line.Spec.User == "" && line.Spec.Group == "":
		return abacSpec{}, errors.New("neither a user nor a group: the line would allow nobody anything")
	}
	return line.Spec, nil
}

// unversioned: in lines without a version, what is not there is everything.
//
// Upstream: pkg/apis/abac/v0/conversion.go addConversionFuncs
func unversioned(s abacSpec) abacSpec {
	if s.User == "*" || s.Group == "*" || s.User == "" && s.Group == "" {
		s.User, s.Group = "", "system:authenticated"
	}
	if s.Resource == "" && s.Namespace == "" {
		s.NonResourcePath = "*"
	}
	for _, f := range []*string{&s.Resource, &s.Namespace} {
		if *f == "" {
			*f = "*"
		}
	}
	s.APIGroup = "*"
	return s
}

// Authorize is part of Authorizer.
func (l ABAC) Authorize(_ context.Context, a Attributes) (Decision, string, error) {
	if slices.ContainsFunc(l, func(s abacSpec) bool { return s.allows(a) }) {
		return Allow, "", nil
	}
	return NoOpinion, "No policy matched.", nil
}

func (s abacSpec) allows(a Attributes) bool {
	if !s.is(a.User) || s.ReadOnly && !slices.Contains([]string{"get", "list", "watch"}, a.Verb) {
		return false
	}
	if !a.IsResource {
		return s.NonResourcePath != "" && pathMatches(s.NonResourcePath, a.Path)
	}
	return star(s.Namespace, a.Namespace) && star(s.Resource, a.Resource) && star(s.APIGroup, a.Group)
}

// is: a line with a user and a group means that user when he is in that group.
func (s abacSpec) is(u request.User) bool {
	switch {
	case s.User == "" && s.Group == "":
		return false
	case s.User != "" && !star(s.User, u.Name):
		return false
	case s.Group != "" && s.Group != "*" && !slices.Contains(u.Groups, s.Group):
		return false
	}
	return true
}

func star(pattern, v string) bool { return pattern == "*" || pattern == v }

// RulesFor is part of RuleResolver. What the lines of a user allow in other
// words than a rule has, paths below a path, is left out, so the list is never whole.
func (l ABAC) RulesFor(_ context.Context, user request.User, namespace string) (rules []PolicyRule, incomplete bool, err error) {
	for _, s := range l {
		if !s.is(user) || !star(s.Namespace, namespace) {
			continue
		}
		verbs := []string{"*"}
		if s.ReadOnly {
			verbs = strings.Fields("get list watch")
		}
		if s.Resource != "" {
			rules = append(rules, PolicyRule{Verbs: verbs, APIGroups: []string{s.APIGroup}, Resources: []string{s.Resource}})
		}
		if s.NonResourcePath != "" {
			rules = append(rules, PolicyRule{Verbs: verbs, NonResourceURLs: []string{s.NonResourcePath}})
		}
	}
	return rules, true, nil
}
