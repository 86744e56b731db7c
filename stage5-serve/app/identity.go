package app

import (
	"crypto/rand"
	"crypto/x509"
	"encoding/hex"
	"fmt"
	"slices"

	stage1server "example.com/kube-apiserver/stage1-main/server"
	"example.com/kube-apiserver/stage2-options/options"
	stage3 "example.com/kube-apiserver/stage3-storage/app"
	"example.com/kube-apiserver/stage4-informers/informers"
	"example.com/kube-apiserver/stage5-serve/groups/rbac"
	"example.com/kube-apiserver/stage5-serve/identity/authenticator"
	"example.com/kube-apiserver/stage5-serve/identity/authorizer"
	"example.com/kube-apiserver/stage5-serve/identity/filters"
)

// identity is who may come in and what they may do.
type identity struct {
	tokens      authenticator.Union // those who know bearer tokens
	users       authenticator.Union // all who know anybody
	permissions authorizer.Union
	rbac        bool // whether roles and bindings count
	guard       *rbac.Guard
}

// newIdentity puts the authenticators and authorizers of the options together.
//
// Upstream: cmd/kube-apiserver/app/server.go BuildAuthenticator
func newIdentity(s *options.ServerRunOptions, clientCAs *x509.CertPool, loopbackToken string, sharedInformers *informers.SharedInformerFactory) (*identity, error) {
	i := &identity{rbac: slices.Contains(s.Authorization.Modes, "RBAC")}
	tokens := authenticator.Loopback(loopbackToken)
	if file := s.Authentication.TokenAuthFile; file != "" {
		more, err := authenticator.ReadTokenFile(file)
		if err != nil {
			return nil, fmt.Errorf("--token-auth-file: %w", err)
		}
		tokens = append(tokens, more...)
	}
	i.tokens = authenticator.Union{tokens}
	i.users = authenticator.Union{authenticator.Certificates{Authorities: clientCAs}, i.tokens}
	if s.Authentication.Anonymous {
		i.users = append(i.users, authenticator.Anonymous{})
	}
	modes := map[string]authorizer.Authorizer{}
	if i.rbac {
		modes["RBAC"] = authorizer.RBAC{Policy: rbac.NewInformed(sharedInformers)}
	}
	var err error
	i.permissions, err = authorizer.ForModes(s.Authorization.Modes, modes)
	i.guard = &rbac.Guard{Authorizer: i.permissions}
	return i, err
}

// secureChain is what a request meets before the server: who are you, may you.
func secureChain(i *identity) stage1server.Chain {
	return stage3.Chain.After("request-info",
		stage1server.Filter{Name: "authentication", Wrap: filters.WithAuthentication(i.users, stage3.Formats)},
		stage1server.Filter{Name: "impersonation", Wrap: filters.WithImpersonation(i.permissions, stage3.Formats)},
		stage1server.Filter{Name: "authorization", Wrap: filters.WithAuthorization(i.permissions, stage3.Formats)},
	)
}

func newToken() string {
	var b [32]byte
	rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}
