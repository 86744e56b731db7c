package app

import (
	"crypto/rand"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"slices"

	"example.com/kube-apiserver/stage2-options/options"
	"example.com/kube-apiserver/stage4-informers/informers"
	"example.com/kube-apiserver/stage5-serve/certs"
	"example.com/kube-apiserver/stage5-serve/groups/rbac"
	"example.com/kube-apiserver/stage5-serve/identity/authenticator"
	"example.com/kube-apiserver/stage5-serve/identity/authorizer"
	"example.com/kube-apiserver/stage5-serve/identity/serviceaccount"
)

// identity is who may come in and what they may do.
type identity struct {
	tokens      authenticator.Union // those who know bearer tokens
	users       authenticator.Union // all who know anybody
	accounts    *serviceaccount.Tokens
	permissions authorizer.Union
	rbac        bool // whether roles and bindings count
	guard       *rbac.Guard
}

// newIdentity puts the authenticators and authorizers of the options together.
//
// Upstream: cmd/kube-apiserver/app/server.go BuildAuthenticator
func newIdentity(s *options.ServerRunOptions, ownCA []byte, loopbackToken string, sharedInformers *informers.SharedInformerFactory) (i *identity, err error) {
	i = &identity{rbac: slices.Contains(s.Authorization.Modes, "RBAC")}
	if err := i.knowTokens(s, loopbackToken); err != nil {
		return nil, err
	}
	proxy, err := proxyInFront(s.Authentication.RequestHeader)
	if err != nil {
		return nil, err
	}
	clients, err := clientCertificates(s.Authentication.ClientCAFile, ownCA)
	if err != nil {
		return nil, err
	}
	i.users = append(proxy, clients, i.tokens)
	if s.Authentication.Anonymous {
		i.users = append(i.users, authenticator.Anonymous{})
	}
	modes := map[string]authorizer.Authorizer{}
	if i.rbac {
		modes["RBAC"] = authorizer.RBAC{Policy: rbac.NewInformed(sharedInformers)}
	}
	if slices.Contains(s.Authorization.Modes, "ABAC") {
		if modes["ABAC"], err = authorizer.ReadABAC(s.Authorization.PolicyFile); err != nil {
			return nil, fmt.Errorf("--authorization-policy-file: %w", err)
		}
	}
	i.permissions, err = authorizer.ForModes(s.Authorization.Modes, modes)
	i.guard = &rbac.Guard{Authorizer: i.permissions}
	return i, err
}

// knowTokens makes the authenticators of bearer tokens: our own, those of the
// file, which is read again when it changes, and those of service accounts.
func (i *identity) knowTokens(s *options.ServerRunOptions, loopbackToken string) error {
	o := s.Authentication
	i.tokens = authenticator.Union{authenticator.Loopback(loopbackToken)}
	if path := o.TokenAuthFile; path != "" {
		file, err := certs.ReadFiles(func() (authenticator.Authenticator, error) { return authenticator.ReadTokenFile(path) }, path)
		if err != nil {
			return fmt.Errorf("--token-auth-file: %w", err)
		}
		i.tokens = append(i.tokens, authenticator.Func(file.Get))
	}
	keys, err := serviceaccount.LoadKeys(s.SecureServing.CertDirectory, o.ServiceAccountSigningKeyFile, o.ServiceAccountKeyFiles)
	if err != nil {
		return err
	}
	issuers := o.ServiceAccountIssuers
	if len(issuers) == 0 {
		issuers = []string{"https://kubernetes.default.svc"}
	}
	audiences := o.APIAudiences
	if len(audiences) == 0 {
		audiences = issuers
	}
	i.accounts = &serviceaccount.Tokens{NoLookup: !o.ServiceAccountLookup, Keys: keys, Issuers: issuers, Audiences: audiences}
	i.tokens = append(i.tokens, i.accounts)
	return nil
}

// proxyInFront believes the headers of a proxy, where one is configured.
func proxyInFront(o options.RequestHeaderOptions) (authenticator.Union, error) {
	if o.ClientCAFile == "" {
		return nil, nil
	}
	pool, err := certs.ReadFiles(func() (*x509.CertPool, error) { return authorities(o.ClientCAFile) }, o.ClientCAFile)
	if err != nil {
		return nil, fmt.Errorf("--requestheader-client-ca-file=%s: %w", o.ClientCAFile, err)
	}
	return authenticator.Union{authenticator.Func(func() authenticator.Authenticator {
		return authenticator.RequestHeader{Authorities: pool.Get(), AllowedNames: o.AllowedNames, Users: o.UsernameHeaders, Groups: o.GroupHeaders, ExtraBeginnings: o.ExtraHeaderPrefixes}
	})}, nil
}

// clientCertificates believes certificates that our own authority has signed,
// for the administrator, or one of --client-ca-file.
func clientCertificates(file string, ownCA []byte) (authenticator.Authenticator, error) {
	read := func() (*x509.CertPool, error) {
		pool := x509.NewCertPool()
		if file != "" {
			var err error
			if pool, err = authorities(file); err != nil {
				return nil, err
			}
		}
		pool.AppendCertsFromPEM(ownCA)
		return pool, nil
	}
	pool, err := certs.ReadFiles(read, file)
	if err != nil {
		return nil, fmt.Errorf("--client-ca-file=%s: %w", file, err)
	}
	return authenticator.Func(func() authenticator.Authenticator { return authenticator.Certificates{Authorities: pool.Get()} }), nil
}

func authorities(file string) (*x509.CertPool, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(data) {
		return nil, errors.New("no certificate in it")
	}
	return pool, nil
}

func newToken() string {
	var b [32]byte
	rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}
