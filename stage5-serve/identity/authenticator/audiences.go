package authenticator

import (
	"context"
	"slices"
)

type audiencesKey struct{}

type audiences struct{ wanted, own, found []string }

// WithAudiences lets tokens be recognised that are meant for any of the
// audiences, instead of for this server, whose own ones tokens are for that
// name none. found returns, after somebody was recognised, those of the
// audiences that his token is good for.
//
// Now: staging/src/k8s.io/apiserver/pkg/authentication/authenticator/audiences.go WithAudiences
func WithAudiences(ctx context.Context, wanted, own []string) (_ context.Context, found func() []string) {
	a := &audiences{wanted: wanted, own: own}
	return context.WithValue(ctx, audiencesKey{}, a), func() []string { return a.found }
}

// ForAudience returns those audiences of a token that are wanted, and notes
// them for who asked. own are wanted where nobody has said anything else.
func ForAudience(ctx context.Context, token, own []string) []string {
	a, asked := ctx.Value(audiencesKey{}).(*audiences)
	if !asked {
		a = &audiences{wanted: own}
	}
	a.found = slices.DeleteFunc(slices.Clone(a.wanted), func(w string) bool { return !slices.Contains(token, w) })
	return a.found
}

// forThisServer says whether a token without audiences is good for what is wanted.
//
// Now: staging/src/k8s.io/apiserver/pkg/authentication/authenticator/audagnostic.go WrapAudienceAgnosticToken
func forThisServer(ctx context.Context) bool {
	a, asked := ctx.Value(audiencesKey{}).(*audiences)
	return !asked || len(ForAudience(ctx, a.own, nil)) > 0
}
