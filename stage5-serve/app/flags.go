package app

import (
	"example.com/kube-apiserver/stage2-options/options"
	"github.com/spf13/pflag"
)

// AddFlags adds the flags of 1.7 that work from this stage on, and some of
// today's. Call it after s.AddFlags and before the table of flags that do not work.
func AddFlags(s *options.ServerRunOptions) {
	s.AddGroup("authentication", func(fs *pflag.FlagSet) {
		o := s.Authentication
		fs.StringArrayVar(&o.ServiceAccountKeyFiles, "service-account-key-file", o.ServiceAccountKeyFiles, "`file` with keys that verify service accounts' tokens besides the one that signs; may be repeated")
		fs.StringVar(&o.ServiceAccountSigningKeyFile, "service-account-signing-key-file", o.ServiceAccountSigningKeyFile, "`file` with the key that signs them; without one, sa.key in --cert-dir, made if it is not there")
		fs.StringArrayVar(&o.ServiceAccountIssuers, "service-account-issuer", o.ServiceAccountIssuers, "`URL` that they name as their issuer; may be repeated: all are believed, the first is in new ones")
		fs.StringSliceVar(&o.APIAudiences, "api-audiences", o.APIAudiences, "`audiences` that tokens for this server may name; without any, the issuers")
		fs.BoolVar(&o.ServiceAccountLookup, "service-account-lookup", o.ServiceAccountLookup, "refuse tokens of service accounts that are gone")
		h := &o.RequestHeader
		fs.StringSliceVar(&h.UsernameHeaders, "requestheader-username-headers", h.UsernameHeaders, "`headers` in which a proxy in front names the user")
		fs.StringSliceVar(&h.GroupHeaders, "requestheader-group-headers", h.GroupHeaders, "`headers` with the user's groups")
		fs.StringSliceVar(&h.ExtraHeaderPrefixes, "requestheader-extra-headers-prefix", h.ExtraHeaderPrefixes, "`beginnings` of headers with more about the user")
		fs.StringVar(&h.ClientCAFile, "requestheader-client-ca-file", h.ClientCAFile, "`file` with the authority of that proxy's certificate; without one no header is believed")
		fs.StringSliceVar(&h.AllowedNames, "requestheader-allowed-names", h.AllowedNames, "`names` that its certificate may have; empty for any")
	})
}
