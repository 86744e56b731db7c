package flags

import (
	"github.com/spf13/pflag"
)

// AddFlags adds the flags of 1.7 that work from this stage on, and some of
// today's. Call it after s.AddFlags and before the table of flags that do not work.
func AddFlags(s *ServerRunOptions) {
	s.AddGroup("generic", func(fs *pflag.FlagSet) {
		o := s.GenericServerRunOptions
		fs.StringSliceVar(&o.CorsAllowedOriginList, "cors-allowed-origins", o.CorsAllowedOriginList, "regular `expressions` for origins that browsers may call from; without any, none")
		fs.IntVar(&o.MaxRequestsInFlight, "max-requests-inflight", o.MaxRequestsInFlight, "how many reads are served at a time; 0 for no limit")
		fs.IntVar(&o.MaxMutatingRequestsInFlight, "max-mutating-requests-inflight", o.MaxMutatingRequestsInFlight, "how many writes are served at a time; 0 for no limit")
		fs.DurationVar(&o.RequestTimeout, "request-timeout", o.RequestTimeout, "how long requests may take that do not go on for ever")
		fs.DurationVar(&o.ShutdownDelay, "shutdown-delay-duration", o.ShutdownDelay, "how long to go on serving after the signal to stop, not ready")
	})
	s.AddGroup("secure serving", func(fs *pflag.FlagSet) {
		fs.Var((*tlsVersion)(&s.SecureServing.MinTLSVersion), "tls-min-version", "oldest `version` of TLS to speak, such as VersionTLS13; without one, VersionTLS12")
		fs.Var((*cipherSuites)(&s.SecureServing.CipherSuites), "tls-cipher-suites", "`names` of the cipher suites to use up to TLS 1.2; without any, Go's choice")
	})
	s.AddGroup("audit", func(fs *pflag.FlagSet) {
		fs.StringVar(&s.Audit.LogPath, "audit-log-path", s.Audit.LogPath, "`file` to write down requests in, a line of JSON each; - for stdout")
		fs.StringVar(&s.Audit.PolicyFile, "audit-policy-file", s.Audit.PolicyFile, "`file` that says which requests, and how much of them; without one, all without their bodies")
		fs.IntVar(&s.Audit.MaxSizeMB, "audit-log-maxsize", s.Audit.MaxSizeMB, "how many `MB` a file may have before the next one is begun; 0 for 100")
		fs.IntVar(&s.Audit.MaxBackups, "audit-log-maxbackup", s.Audit.MaxBackups, "how many full files to keep; 0 for all")
		fs.IntVar(&s.Audit.MaxAge, "audit-log-maxage", s.Audit.MaxAge, "how many `days` to keep full files; 0 for ever")
		fs.BoolVar(&s.Audit.Compress, "audit-log-compress", s.Audit.Compress, "compress full files with gzip")
	})
	s.AddGroup("features", func(fs *pflag.FlagSet) {
		fs.BoolVar(&s.Features.Profiling, "profiling", s.Features.Profiling, "serve profiles under /debug/pprof, to those who may get that path")
	})
	s.AddGroup("miscellaneous", func(fs *pflag.FlagSet) {
		o := &s.KubeletConfig
		fs.BoolVar(&o.HTTPS, "kubelet-https", o.HTTPS, "speak TLS to kubelets")
		fs.StringSliceVar(&o.PreferredAddressTypes, "kubelet-preferred-address-types", o.PreferredAddressTypes, "`types` of node address to try, in this order")
		fs.UintVar(&o.Port, "kubelet-port", o.Port, "port of kubelets whose node names none")
		fs.DurationVar(&o.Timeout, "kubelet-timeout", o.Timeout, "how long to wait for a kubelet until it begins to answer")
		fs.StringVar(&o.CAFile, "kubelet-certificate-authority", o.CAFile, "`file` with the authority of kubelets' certificates; without one they are not checked")
		fs.StringVar(&o.CertFile, "kubelet-client-certificate", o.CertFile, "`file` with the certificate to show to kubelets")
		fs.StringVar(&o.KeyFile, "kubelet-client-key", o.KeyFile, "`file` with its key")
	})
	s.AddGroup("authorization", func(fs *pflag.FlagSet) {
		fs.StringVar(&s.Authorization.PolicyFile, "authorization-policy-file", s.Authorization.PolicyFile, "`file` with the rules of mode ABAC, a line of JSON each")
	})
	addAuthentication(s)
}

func addAuthentication(s *ServerRunOptions) {
	s.AddGroup("authentication", func(fs *pflag.FlagSet) {
		keys, o := &s.Authentication.ServiceAccountKeyFiles, &s.ServiceAccounts
		fs.StringArrayVar(keys, "service-account-key-file", *keys, "`file` with keys that verify service accounts' tokens besides the one that signs; may be repeated")
		fs.StringVar(&o.SigningKeyFile, "service-account-signing-key-file", o.SigningKeyFile, "`file` with the key that signs them; without one, sa.key in --cert-dir, made if it is not there")
		fs.StringArrayVar(&o.Issuers, "service-account-issuer", o.Issuers, "`URL` that they name as their issuer; may be repeated: all are believed, the first is in new ones")
		fs.StringSliceVar(&o.APIAudiences, "api-audiences", o.APIAudiences, "`audiences` that tokens for this server may name; without any, the issuers")
		fs.BoolVar(&o.Lookup, "service-account-lookup", o.Lookup, "refuse tokens of service accounts that are gone")
		fs.DurationVar(&o.MaxExpiration, "service-account-max-token-expiration", o.MaxExpiration, "how long new tokens of service accounts live at most, 1h or more; who asks for more is warned and gets this; 0 for no limit")
		h := &s.RequestHeader
		fs.StringSliceVar(&h.UsernameHeaders, "requestheader-username-headers", h.UsernameHeaders, "`headers` in which a proxy in front names the user")
		fs.StringSliceVar(&h.GroupHeaders, "requestheader-group-headers", h.GroupHeaders, "`headers` with the user's groups")
		fs.StringSliceVar(&h.ExtraHeaderPrefixes, "requestheader-extra-headers-prefix", h.ExtraHeaderPrefixes, "`beginnings` of headers with more about the user")
		fs.StringVar(&h.ClientCAFile, "requestheader-client-ca-file", h.ClientCAFile, "`file` with the authority of that proxy's certificate; without one no header is believed")
		fs.StringSliceVar(&h.AllowedNames, "requestheader-allowed-names", h.AllowedNames, "`names` that its certificate may have; empty for any")
	})
}
