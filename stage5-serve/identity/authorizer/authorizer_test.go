package authorizer_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"example.com/kube-apiserver/stage3-storage/registry/request"
	"example.com/kube-apiserver/stage5-serve/groups/rbac"
	"example.com/kube-apiserver/stage5-serve/identity/authorizer"
)

var (
	alice   = request.User{Name: "alice", Groups: []string{"devs", "system:authenticated"}}
	nobody  = request.User{Name: "system:anonymous", Groups: []string{"system:unauthenticated"}}
	admin   = request.User{Name: "admin", Groups: []string{"system:masters", "system:authenticated"}}
	listing = request.Info{IsResource: true, Verb: "list", Version: "v1", Resource: "pods", Namespace: "default"}
)

func path(verb, p string) request.Info { return request.Info{Verb: verb, Path: p} }

func decide(t *testing.T, a authorizer.Authorizer, user request.User, info request.Info) (authorizer.Decision, string) {
	t.Helper()
	d, reason, err := a.Authorize(t.Context(), authorizer.Attributes{User: user, Info: info})
	if err != nil {
		t.Fatalf("%s %s%s by %s: %v", info.Verb, info.Resource, info.Path, user.Name, err)
	}
	return d, reason
}

func forModes(t *testing.T, modes ...string) authorizer.Authorizer {
	t.Helper()
	a, err := authorizer.ForModes(modes, map[string]authorizer.Authorizer{"RBAC": authorizer.RBAC{Policy: rbac.Builtin()}})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestTheFirstModeWithAnOpinionDecides(t *testing.T) {
	healthz := path("get", "/healthz")
	for _, c := range []struct {
		modes []string
		user  request.User
		info  request.Info
		want  authorizer.Decision
	}{
		{[]string{"AlwaysAllow"}, nobody, listing, authorizer.Allow},
		{[]string{"AlwaysDeny"}, alice, healthz, authorizer.NoOpinion},
		{[]string{"AlwaysDeny"}, admin, listing, authorizer.Allow}, // or nobody could ever set the server right
		{[]string{"RBAC"}, admin, listing, authorizer.Allow},
		{[]string{"RBAC"}, alice, listing, authorizer.NoOpinion},
		{[]string{"AlwaysDeny", "RBAC"}, alice, healthz, authorizer.Allow},
		{[]string{"AlwaysDeny", "RBAC"}, alice, listing, authorizer.NoOpinion},
		{[]string{"RBAC", "AlwaysAllow"}, alice, listing, authorizer.Allow},
		{nil, alice, healthz, authorizer.NoOpinion},
	} {
		got, reason := decide(t, forModes(t, c.modes...), c.user, c.info)
		if got != c.want {
			t.Errorf("modes %v, %s wants %s %s%s: want %v, got %v (%s)", c.modes, c.user.Name, c.info.Verb, c.info.Resource, c.info.Path, c.want, got, reason)
		}
	}
	if _, reason := decide(t, forModes(t, "AlwaysDeny"), alice, listing); reason != "Everything is forbidden." {
		t.Errorf("AlwaysDeny must say that everything is forbidden, said %q", reason)
	}
}

func TestAModeThatIsNotHereIsAnError(t *testing.T) {
	for _, mode := range []string{"ABAC", "Webhook", "Node", "rbac", ""} {
		if _, err := authorizer.ForModes([]string{"RBAC", mode}, map[string]authorizer.Authorizer{"RBAC": authorizer.RBAC{Policy: rbac.Builtin()}}); err == nil || !strings.Contains(err.Error(), "--authorization-mode="+mode) {
			t.Errorf("mode %q must be refused by name, got %v", mode, err)
		}
	}
}

// failing says yes and that something went wrong.
type failing struct{ err error }

func (f failing) Authorize(context.Context, authorizer.Attributes) (authorizer.Decision, string, error) {
	return authorizer.Allow, "", f.err
}

func TestAfterAnErrorNoLaterAuthorizerAllows(t *testing.T) {
	broken := errors.New("the webhook does not answer")
	u := authorizer.Union{authorizer.Always{}, failing{broken}, authorizer.Always{Decision: authorizer.Allow}}
	d, _, err := u.Authorize(t.Context(), authorizer.Attributes{User: alice, Info: listing})
	if d != authorizer.NoOpinion || !errors.Is(err, broken) {
		t.Errorf("the one that failed might have denied; want no opinion and its error, got %v, %v", d, err)
	}
}

func TestDenyEndsTheQuestion(t *testing.T) {
	u := authorizer.Union{authorizer.Always{Decision: authorizer.Deny, Reason: "not today"}, authorizer.Always{Decision: authorizer.Allow}}
	if d, reason := decide(t, u, alice, listing); d != authorizer.Deny || reason != "not today" {
		t.Errorf("an authorizer that denies must be the last that is asked, got %v (%s)", d, reason)
	}
}

func TestEveryReasonIsTold(t *testing.T) {
	u := authorizer.Union{authorizer.Always{Reason: "one"}, authorizer.Always{}, authorizer.Always{Reason: "two"}}
	if d, reason := decide(t, u, alice, listing); d != authorizer.NoOpinion || reason != "one\ntwo" {
		t.Errorf("who is refused should learn all reasons, got %v, %q", d, reason)
	}
}
