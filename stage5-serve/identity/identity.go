package identity

import (
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"log"
	"os"
	"slices"
	"time"

	"example.com/kube-apiserver/stage4-informers/informers"
	"example.com/kube-apiserver/stage5-serve/certs/reload"
	"example.com/kube-apiserver/stage5-serve/flags"
	"example.com/kube-apiserver/stage5-serve/groups/rbac"
	"example.com/kube-apiserver/stage5-serve/identity/authenticator"
	"example.com/kube-apiserver/stage5-serve/identity/authorizer"
	"example.com/kube-apiserver/stage5-serve/identity/serviceaccount"
)

// Identity is who may come in and what they may do.
type Identity struct {
	Tokens      authenticator.Union // those who know bearer tokens
	Users       authenticator.Union // all who know anybody
	Accounts    *serviceaccount.Tokens
	Permissions authorizer.Union
	RBAC        bool // whether roles and bindings count
	Guard       *rbac.Guard
}

// New puts the authenticators and authorizers of the options together.
//
// Upstream: cmd/kube-apiserver/app/server.go BuildAuthenticator
func New(s *flags.ServerRunOptions, ownCA []byte, loopbackToken string, sharedInformers *informers.SharedInformerFactory) (i *Identity, err error) {
	i = &Identity{RBAC: slices.Contains(s.Authorization.Modes, "RBAC")}
	if err := i.knowTokens(s, loopbackToken); err != nil {
		return nil, err
	}
	proxy, err := proxyInFront(s.RequestHeader)
	if err != nil {
		return nil, err
	}
	clients, err := clientCertificates(s.Authentication.ClientCAFile, ownCA)
	if err != nil {
		return nil, err
	}
	if proxy != nil && len(s.RequestHeader.AllowedNames) == 0 {
		if name := inBoth(s.RequestHeader.ClientCAFile, s.Authentication.ClientCAFile, ownCA); name != "" {
			log.Printf("--requestheader-client-ca-file: %q signs users' certificates as well, so that each user could say that he is another; give --requestheader-allowed-names", name)
		}
	}
	i.Users = append(proxy, clients, i.Tokens)
	if s.Authentication.Anonymous {
		i.Users = append(i.Users, authenticator.Anonymous{})
	}
	modes := map[string]authorizer.Authorizer{}
	if i.RBAC {
		modes["RBAC"] = authorizer.RBAC{Policy: rbac.NewInformed(sharedInformers)}
	}
	if slices.Contains(s.Authorization.Modes, "ABAC") {
		if modes["ABAC"], err = authorizer.ReadABAC(s.Authorization.PolicyFile); err != nil {
			return nil, fmt.Errorf("--authorization-policy-file: %w", err)
		}
	}
	i.Permissions, err = authorizer.ForModes(s.Authorization.Modes, modes)
	i.Guard = &rbac.Guard{Authorizer: i.Permissions}
	return i, err
}

// knowTokens makes the authenticators of bearer tokens: our own, those of the
// file, which is read again when it changes, and those of service accounts.
func (i *Identity) knowTokens(s *flags.ServerRunOptions, loopbackToken string) error {
	o := s.ServiceAccounts
	i.Tokens = authenticator.Union{authenticator.Loopback(loopbackToken)}
	if path := s.Authentication.TokenAuthFile; path != "" {
		file, err := reload.Read(func() (authenticator.Authenticator, error) { return authenticator.ReadTokenFile(path) }, path)
		if err != nil {
			return fmt.Errorf("--token-auth-file: %w", err)
		}
		i.Tokens = append(i.Tokens, authenticator.Func(file.Get))
	}
	keys, err := serviceaccount.LoadKeys(s.SecureServing.CertDirectory, o.SigningKeyFile, s.Authentication.ServiceAccountKeyFiles)
	if err != nil {
		return err
	}
	issuers := o.Issuers
	if len(issuers) == 0 {
		issuers = []string{"https://kubernetes.default.svc"}
	}
	audiences := o.APIAudiences
	if len(audiences) == 0 {
		audiences = issuers
	}
	if limit := o.MaxExpiration; limit != 0 && (limit < time.Hour || limit > 1<<32*time.Second) {
		return fmt.Errorf("--service-account-max-token-expiration=%s: want a duration from 1h to 2^32 seconds, or 0 for no limit", limit)
	}
	i.Accounts = &serviceaccount.Tokens{
		NoLookup: !o.Lookup, Keys: keys, Issuers: issuers, Audiences: audiences, MaxExpiration: o.MaxExpiration,
	}
	i.Tokens = append(i.Tokens, i.Accounts)
	return nil
}

// proxyInFront believes the headers of a proxy, where one is configured.
func proxyInFront(o flags.RequestHeaderOptions) (authenticator.Union, error) {
	if o.ClientCAFile == "" {
		return nil, nil
	}
	pool, err := reload.Read(func() (*x509.CertPool, error) { return authorities(o.ClientCAFile) }, o.ClientCAFile)
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
	pool, err := reload.Read(read, file)
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

// inBoth names an authority that signs the certificates of proxies in front and
// those of users, "" if there is none. Files that cannot be read were told of before.
func inBoth(proxiesFile, usersFile string, ownCA []byte) string {
	proxies, _ := os.ReadFile(proxiesFile)
	users, _ := os.ReadFile(usersFile)
	signers := append(certificates(users), certificates(ownCA)...)
	for _, proxy := range certificates(proxies) {
		if slices.ContainsFunc(signers, proxy.Equal) {
			return proxy.Subject.CommonName
		}
	}
	return ""
}

func certificates(text []byte) (list []*x509.Certificate) {
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		if c, err := x509.ParseCertificate(block.Bytes); err == nil {
			list = append(list, c)
		}
	}
	return list
}
