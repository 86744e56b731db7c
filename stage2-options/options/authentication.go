package options

import "github.com/spf13/pflag"

// AuthenticationOptions say how users are recognised. Each way that is
// configured is tried in turn.
//
// Upstream: pkg/kubeapiserver/options/authentication.go BuiltInAuthenticationOptions
type AuthenticationOptions struct {
	Anonymous     bool   // those not recognised are system:anonymous; else they get 401
	ClientCAFile  string // of the authorities that sign users' certificates
	TokenAuthFile string // lines of token,user,uid,"group,group"
	RequestHeader RequestHeaderOptions

	ServiceAccountKeyFiles       []string // that verify tokens
	ServiceAccountSigningKeyFile string   // that signs them
	ServiceAccountIssuers        []string // the first one signs, all are accepted
	ServiceAccountLookup         bool
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
	fs.BoolVar(&o.Anonymous, "anonymous-auth", o.Anonymous, "let in users that nothing recognises, as system:anonymous; false with AlwaysAllow")
	fs.StringVar(&o.ClientCAFile, "client-ca-file", o.ClientCAFile, "`file` with the authorities that sign users' certificates")
	fs.StringVar(&o.TokenAuthFile, "token-auth-file", o.TokenAuthFile, "`file` with lines of token,user,uid,\"group,group\"")

	fs.StringArrayVar(&o.ServiceAccountKeyFiles, "service-account-key-file", o.ServiceAccountKeyFiles, "`file` with a key that verifies service accounts' tokens; may be repeated")
	fs.StringVar(&o.ServiceAccountSigningKeyFile, "service-account-signing-key-file", o.ServiceAccountSigningKeyFile, "`file` with the key that signs them")
	fs.StringArrayVar(&o.ServiceAccountIssuers, "service-account-issuer", o.ServiceAccountIssuers, "`URL` that they name as their issuer; may be repeated")
	fs.BoolVar(&o.ServiceAccountLookup, "service-account-lookup", o.ServiceAccountLookup, "refuse tokens of service accounts that are gone")
	HasNoEffect(fs, "service-account-key-file", "service-account-signing-key-file", "service-account-issuer", "service-account-lookup")
	o.RequestHeader.AddFlags(fs)
}

// AddFlags binds the fields.
func (o *RequestHeaderOptions) AddFlags(fs *pflag.FlagSet) {
	fs.StringSliceVar(&o.UsernameHeaders, "requestheader-username-headers", o.UsernameHeaders, "`headers` in which a proxy in front names the user")
	fs.StringSliceVar(&o.GroupHeaders, "requestheader-group-headers", o.GroupHeaders, "`headers` with the user's groups")
	fs.StringSliceVar(&o.ExtraHeaderPrefixes, "requestheader-extra-headers-prefix", o.ExtraHeaderPrefixes, "what `headers` begin with that say more about the user")
	fs.StringVar(&o.ClientCAFile, "requestheader-client-ca-file", o.ClientCAFile, "`file` with the authorities that sign the proxy's certificate")
	fs.StringSliceVar(&o.AllowedNames, "requestheader-allowed-names", o.AllowedNames, "`names` that its certificate may have; empty for any")
	HasNoEffect(fs, "requestheader-username-headers", "requestheader-group-headers", "requestheader-extra-headers-prefix",
		"requestheader-client-ca-file", "requestheader-allowed-names")
}
