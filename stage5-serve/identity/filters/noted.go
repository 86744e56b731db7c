package filters

import (
	"context"

	"example.com/kube-apiserver/stage5-serve/identity/authorizer"
	"example.com/kube-apiserver/stage5-serve/traffic/audit"
)

// noted is an authorizer whose decisions the audit log tells of.
type noted struct{ authorizer.Authorizer }

// Authorize is part of authorizer.Authorizer.
func (n noted) Authorize(ctx context.Context, a authorizer.Attributes) (authorizer.Decision, string, error) {
	decision, reason, err := n.Authorizer.Authorize(ctx, a)
	word, why := "forbid", reason
	switch {
	case err != nil:
		word, why = "", "internal error"
	case decision == authorizer.Allow:
		word = "allow"
	}
	if word != "" {
		audit.Annotate(ctx, "authorization.k8s.io/decision", word)
	}
	audit.Annotate(ctx, "authorization.k8s.io/reason", why)
	return decision, reason, err
}
