package authorizer

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"example.com/kube-apiserver/stage3-storage/registry/request"
)

// Authorizer has an opinion on a request.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/authorization/authorizer/interfaces.go Authorizer
type Authorizer interface {
	Authorize(ctx context.Context, user request.User, info request.Info) (Decision, error)
}

// Decision is that opinion. The zero value is none.
type Decision int

const (
	NoOpinion Decision = iota
	Allow
	Deny
)

// Union asks one after the other until one has an opinion.
type Union []Authorizer

// Authorize is part of Authorizer.
func (u Union) Authorize(ctx context.Context, user request.User, info request.Info) (Decision, error) {
	for _, a := range u {
		if d, err := a.Authorize(ctx, user, info); d != NoOpinion || err != nil {
			return d, err
		}
	}
	return NoOpinion, nil
}

// Always is AlwaysAllow or AlwaysDeny.
type Always Decision

// Authorize is part of Authorizer.
func (a Always) Authorize(context.Context, request.User, request.Info) (Decision, error) {
	return Decision(a), nil
}

// Masters lets the group system:masters do everything. It comes first: the
// server's own client has to work before any role was read.
type Masters struct{}

// Authorize is part of Authorizer.
func (Masters) Authorize(_ context.Context, user request.User, _ request.Info) (Decision, error) {
	if slices.Contains(user.Groups, "system:masters") {
		return Allow, nil
	}
	return NoOpinion, nil
}

// Rule allows verbs on paths that are no resources. A path that ends in * is a prefix.
type Rule struct {
	Groups []string // who
	Verbs  []string
	Paths  []string
}

// RBAC allows what one of its rules allows.
//
// Upstream: plugin/pkg/auth/authorizer/rbac/rbac.go RBACAuthorizer
type RBAC []Rule

// BuiltIn are the roles that every cluster has, as far as they are about paths:
// system:public-info-viewer and system:discovery.
var BuiltIn = RBAC{
	{[]string{"system:authenticated", "system:unauthenticated"}, []string{"get"}, []string{"/healthz", "/livez", "/readyz", "/version", "/version/"}},
	{[]string{"system:authenticated"}, []string{"get"}, []string{"/api", "/api/*", "/apis", "/apis/*", "/openapi", "/openapi/*", "/healthz", "/livez", "/readyz", "/version", "/version/"}},
}

// Authorize is part of Authorizer.
func (r RBAC) Authorize(_ context.Context, user request.User, info request.Info) (Decision, error) {
	if info.IsResource {
		return NoOpinion, nil
	}
	for _, rule := range r {
		if slices.ContainsFunc(rule.Groups, func(g string) bool { return slices.Contains(user.Groups, g) }) &&
			slices.Contains(rule.Verbs, info.Verb) && slices.ContainsFunc(rule.Paths, func(p string) bool { return matches(p, info.Path) }) {
			return Allow, nil
		}
	}
	return NoOpinion, nil
}

func matches(pattern, path string) bool {
	if prefix, ok := strings.CutSuffix(pattern, "*"); ok {
		return strings.HasPrefix(path, prefix)
	}
	return pattern == path
}

// ForModes makes the authorizer of --authorization-mode.
func ForModes(modes []string) (Authorizer, error) {
	u := Union{Masters{}}
	for _, m := range modes {
		switch m {
		case "AlwaysAllow":
			u = append(u, Always(Allow))
		case "AlwaysDeny":
			u = append(u, Always(Deny))
		case "RBAC":
			u = append(u, BuiltIn)
		default:
			return nil, fmt.Errorf("--authorization-mode=%s: not here yet; use AlwaysAllow, AlwaysDeny or RBAC", m)
		}
	}
	return u, nil
}
