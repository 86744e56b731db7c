package options

import (
	"time"

	"github.com/spf13/pflag"
)

// AuthenticationOptions say how users are recognised. Every way that is
// configured is tried.
//
// Upstream: pkg/kubeapiserver/options/authentication.go BuiltInAuthenticationOptions
type AuthenticationOptions struct {
	Anonymous     bool   // who is not recognised is system:anonymous, instead of getting 401
	ClientCAFile  string // authorities that sign users' certificates
	TokenAuthFile string // lines of token,user,uid,"group,group"
	RequestHeader RequestHeaderOptions

	ServiceAccountKeyFiles       []string      // keys that verify their tokens
	ServiceAccountSigningKeyFile string        // the key that signs them
	ServiceAccountIssuers        []string      // the first is in new tokens, all are accepted
	ServiceAccountLookup         bool          // whether a token dies with its account
	ServiceAccountMaxExpiration  time.Duration // of new tokens; 0 for no limit
	APIAudiences                 []string      // what tokens for this server are for; without any, the issuers
}

// RequestHeaderOptions let a proxy in front say who the user is.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/options/authentication.go RequestHeaderAuthenticationOptions
type RequestHeaderOptions struct {
	UsernameHeaders     []string
	GroupHeaders        []string
	ExtraHeaderPrefixes []string
	ClientCAFile        string
	AllowedNames        []string
}

// NewAuthenticationOptions returns 1.7's defaults.
//
// Upstream: pkg/kubeapiserver/options/authentication.go WithAll
func NewAuthenticationOptions() *AuthenticationOptions {
	return &AuthenticationOptions{Anonymous: true, ServiceAccountLookup: true}
}

// AddFlags binds the group's fields.
func (o *AuthenticationOptions) AddFlags(fs *pflag.FlagSet) {
	fs.BoolVar(&o.Anonymous, "anonymous-auth", o.Anonymous, "let in who is not recognised, as system:anonymous; not with AlwaysAllow")
	fs.StringVar(&o.ClientCAFile, "client-ca-file", o.ClientCAFile, "`file` with the authorities that sign users' certificates")
	fs.StringVar(&o.TokenAuthFile, "token-auth-file", o.TokenAuthFile, "`file` with lines of token,user,uid,\"group,group\"")
}
