package authorizer

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.com/kube-apiserver/stage3-storage/registry/request"
	"example.com/kube-apiserver/stage5-serve/identity/authenticator"
)

// Attributes say who wants to do what.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/authorization/authorizer/interfaces.go AttributesRecord
type Attributes struct {
	User request.User
	request.Info
}

// Authorizer has an opinion on a request, and a reason for it.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/authorization/authorizer/interfaces.go Authorizer
type Authorizer interface {
	Authorize(ctx context.Context, a Attributes) (d Decision, reason string, err error)
}

// Decision is that opinion. The zero value is none; only Allow lets anybody in.
//
// Now: staging/src/k8s.io/apiserver/pkg/authorization/authorizer/interfaces.go Decision
type Decision int

const (
	NoOpinion Decision = iota
	Allow
	Deny
)

func (d Decision) String() string {
	if d < NoOpinion || d > Deny {
		return fmt.Sprintf("Decision(%d)", int(d))
	}
	return []string{"NoOpinion", "Allow", "Deny"}[d]
}

// Union asks one after the other until one has an opinion or fails.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/authorization/union/union.go New
type Union []Authorizer

// Authorize is part of Authorizer.
func (u Union) Authorize(ctx context.Context, a Attributes) (Decision, string, error) {
	var reasons []string
	for _, next := range u {
		d, reason, err := next.Authorize(ctx, a)
		switch {
		case err != nil:
			return NoOpinion, reason, err // whatever its decision: doubt means no
		case d != NoOpinion:
			return d, reason, nil
		case reason != "":
			reasons = append(reasons, reason)
		}
	}
	return NoOpinion, strings.Join(reasons, "\n"), nil
}

// Always has one opinion on everything.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/authorization/authorizerfactory/builtin.go NewAlwaysAllowAuthorizer
type Always struct {
	Decision Decision
	Reason   string
}

// Authorize is part of Authorizer.
func (a Always) Authorize(context.Context, Attributes) (Decision, string, error) {
	return a.Decision, a.Reason, nil
}

// PrivilegedGroups let their members do everything. They come first: the
// server's own client has to work before any role was read.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/authorization/authorizerfactory/builtin.go NewPrivilegedGroups
type PrivilegedGroups []string

// Authorize is part of Authorizer.
func (p PrivilegedGroups) Authorize(_ context.Context, a Attributes) (Decision, string, error) {
	if slices.ContainsFunc(p, func(group string) bool { return slices.Contains(a.User.Groups, group) }) {
		return Allow, "", nil
	}
	return NoOpinion, "", nil
}

// ForModes makes the authorizer of --authorization-mode: the modes in the
// order given, behind the group that may always do everything. AlwaysDeny only
// has no opinion, as upstream: a mode behind it may allow. more are modes that
// have to be made from something: RBAC, ABAC.
//
// Upstream: pkg/kubeapiserver/authorizer/config.go New
func ForModes(modes []string, more map[string]Authorizer) (Union, error) {
	known := map[string]Authorizer{
		"AlwaysAllow": Always{Decision: Allow},
		"AlwaysDeny":  Always{Reason: "Everything is forbidden."},
	}
	maps.Copy(known, more)
	u := Union{PrivilegedGroups{authenticator.SystemPrivilegedGroup}}
	for _, mode := range modes {
		next, ok := known[mode]
		if !ok {
			return nil, fmt.Errorf("--authorization-mode=%s: not here yet; use %s", mode, strings.Join(slices.Sorted(maps.Keys(known)), ", "))
		}
		u = append(u, next)
	}
	return u, nil
}
