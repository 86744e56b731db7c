package serviceaccount

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/registry/request"
	"example.com/kube-apiserver/stage3-storage/wire/metadata"
	"example.com/kube-apiserver/stage5-serve/identity/authenticator"
	"github.com/golang-jwt/jwt/v5"
)

// Ref names an object and tells it from a later one of the same name.
type Ref struct {
	Name string `json:"name,omitempty"`
	UID  string `json:"uid,omitempty"`
}

// private are the claims that only a Kubernetes server understands.
//
// Now: pkg/serviceaccount/claims.go privateClaims
type private struct {
	Namespace      string `json:"namespace,omitempty"`
	ServiceAccount Ref    `json:"serviceaccount"`
	Pod            *Ref   `json:"pod,omitempty"`
	Secret         *Ref   `json:"secret,omitempty"`
	Node           *Ref   `json:"node,omitempty"`
	WarnAfter      int64  `json:"warnafter,omitempty"`
}

type claims struct {
	jwt.RegisteredClaims
	Kubernetes private `json:"kubernetes.io"`
}

// Tokens issues and recognises. It is an authenticator.
type Tokens struct {
	Keys          *Keys
	Issuers       []string      // the first stands in new tokens, all are believed
	Audiences     []string      // of this server
	NoLookup      bool          // a token is believed to its end, whatever has become of its account
	MaxExpiration time.Duration // of new tokens; 0 for no limit
	// Lookup finds an object that a token depends on.
	Lookup func(ctx context.Context, resource, namespace, name string) (*object.Object, error)
}

// Bound is what a token depends on besides its service account.
type Bound struct{ Pod, Secret, Node *Ref }

// Issue signs a token.
//
// Upstream: pkg/serviceaccount/jwt.go GenerateToken
func (t *Tokens) Issue(account *object.Object, audiences []string, bound Bound, now time.Time, lifetime time.Duration) (string, error) {
	signing := t.Keys.public[0]
	token := jwt.NewWithClaims(signing.method, claims{
		RegisteredClaims: jwt.RegisteredClaims{
			ID: metadata.NewUID(), Issuer: t.Issuers[0], Audience: audiences,
			Subject:  username(account.Meta.Namespace, account.Meta.Name),
			IssuedAt: jwt.NewNumericDate(now), NotBefore: jwt.NewNumericDate(now), ExpiresAt: jwt.NewNumericDate(now.Add(lifetime)),
		},
		Kubernetes: private{Namespace: account.Meta.Namespace, ServiceAccount: Ref{account.Meta.Name, account.Meta.UID}, Pod: bound.Pod, Secret: bound.Secret, Node: bound.Node},
	})
	token.Header["kid"] = signing.id
	return token.SignedString(t.Keys.signer)
}

// Authenticate is part of authenticator.Authenticator. What is no token of an
// issuer of ours is somebody else's business.
//
// Upstream: pkg/serviceaccount/jwt.go AuthenticateToken
func (t *Tokens) Authenticate(req *http.Request) (request.User, bool, error) {
	scheme, text, _ := strings.Cut(req.Header.Get("Authorization"), " ")
	text = strings.TrimSpace(text)
	if !strings.EqualFold(scheme, "bearer") || !t.ours(text) {
		return request.User{}, false, nil
	}
	var c claims
	_, err := jwt.ParseWithClaims(text, &c, t.key, jwt.WithLeeway(leeway), jwt.WithIssuedAt(), jwt.WithExpirationRequired())
	switch {
	case errors.Is(err, jwt.ErrTokenExpired):
		return request.User{}, false, errors.New("service account token has expired")
	case err != nil:
		return request.User{}, false, fmt.Errorf("service account token: %w", err)
	case c.Subject != username(c.Kubernetes.Namespace, c.Kubernetes.ServiceAccount.Name):
		return request.User{}, false, errors.New("service account token: its subject is not its service account")
	}
	if len(authenticator.ForAudience(req.Context(), c.Audience, t.Audiences)) == 0 {
		return request.User{}, false, fmt.Errorf("token audiences %q is invalid for the target audiences %q", c.Audience, t.Audiences)
	}
	if err := t.alive(req.Context(), c.Kubernetes); err != nil {
		return request.User{}, false, err
	}
	return user(c), true, nil
}

// leeway is how far the clocks of servers may be apart.
const leeway = time.Minute

// ours looks at the issuer of a token before anything of it is verified.
func (t *Tokens) ours(text string) bool {
	var c claims
	_, _, err := jwt.NewParser().ParseUnverified(text, &c)
	return err == nil && slices.Contains(t.Issuers, c.Issuer)
}

// key finds the key that a token says it was signed with. The algorithm must
// be the key's: what the token says of it is not to be believed.
func (t *Tokens) key(token *jwt.Token) (any, error) {
	id, named := token.Header["kid"].(string)
	if !named { // by a signer that does not name its keys: any of ours
		var all jwt.VerificationKeySet
		for _, k := range t.Keys.public {
			if token.Method.Alg() == k.method.Alg() {
				all.Keys = append(all.Keys, k.public)
			}
		}
		return all, nil
	}
	k, ok := t.Keys.find(id)
	if !ok || token.Method.Alg() != k.method.Alg() {
		return nil, errors.New("it is signed with a key that is not known here")
	}
	return k.public, nil
}

// alive checks that the service account, and what the token is bound to, are
// still there.
//
// Upstream: pkg/serviceaccount/jwt.go AuthenticateToken
// Now: pkg/serviceaccount/claims.go Validate
func (t *Tokens) alive(ctx context.Context, p private) error {
	if t.NoLookup {
		return nil
	}
	node := p.Node
	if p.Pod != nil {
		node = nil // it is where the pod was, nothing that the token depends on
	}
	for _, dependency := range []struct {
		resource, namespace string
		ref                 *Ref
	}{{"serviceaccounts", p.Namespace, &p.ServiceAccount}, {"pods", p.Namespace, p.Pod}, {"secrets", p.Namespace, p.Secret}, {"nodes", "", node}} {
		if dependency.ref == nil {
			continue
		}
		o, err := t.Lookup(ctx, dependency.resource, dependency.namespace, dependency.ref.Name)
		switch {
		case err != nil:
			return fmt.Errorf("service account token has been invalidated: %w", err)
		case o.Meta.UID != dependency.ref.UID:
			return fmt.Errorf("service account token has been invalidated: %s %q is another one now", dependency.resource, dependency.ref.Name)
		case gone(o):
			return fmt.Errorf("service account token has been invalidated: %s %q has been deleted", dependency.resource, dependency.ref.Name)
		}
	}
	return nil
}

func gone(o *object.Object) bool {
	deleted, err := time.Parse(time.RFC3339, o.Meta.DeletionTimestamp)
	return err == nil && deleted.Before(time.Now().Add(-leeway))
}

// user is who a token stands for.
//
// Upstream: pkg/serviceaccount/util.go UserInfo
// Now: staging/src/k8s.io/apiserver/pkg/authentication/serviceaccount/util.go UserInfo
func user(c claims) request.User {
	p := c.Kubernetes
	extra := map[string][]string{}
	set := func(key string, values ...string) {
		if values[0] != "" {
			extra["authentication.kubernetes.io/"+key] = values
		}
	}
	if c.ID != "" {
		set("credential-id", "JTI="+c.ID)
	}
	for kind, ref := range map[string]*Ref{"pod": p.Pod, "node": p.Node} {
		if ref != nil {
			set(kind+"-name", ref.Name)
			set(kind+"-uid", ref.UID)
		}
	}
	return request.User{
		Name: c.Subject, UID: p.ServiceAccount.UID, Extra: extra,
		Groups: []string{"system:serviceaccounts", "system:serviceaccounts:" + p.Namespace},
	}
}

// username is how the user of a service account is called.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/authentication/serviceaccount/util.go MakeUsername
func username(namespace, name string) string {
	return "system:serviceaccount:" + namespace + ":" + name
}
