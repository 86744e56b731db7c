package options

import (
	"net"

	"github.com/spf13/pflag"
)

// SecureServingOptions say where to serve TLS, and as whom.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/options/serving.go SecureServingOptions
type SecureServingOptions struct {
	BindAddress       net.IP
	BindPort          int    // 0 takes any free port, and the start-up lines say which
	CertDirectory     string // where apiserver.crt and apiserver.key are, or are made
	CertFile, KeyFile string // instead of those in CertDirectory
	SNICertKeys       []NamedCertKey

	MinTLSVersion uint16   // 0 for the server's own default
	CipherSuites  []uint16 // of TLS up to 1.2; none for Go's own choice
}

// NewSecureServingOptions returns the defaults.
//
// Upstream: pkg/kubeapiserver/options/serving.go NewSecureServingOptions
func NewSecureServingOptions() *SecureServingOptions {
	return &SecureServingOptions{BindAddress: net.IPv4(127, 0, 0, 1), BindPort: 6443, CertDirectory: "certs"}
}

// AddFlags binds the group's fields.
func (o *SecureServingOptions) AddFlags(fs *pflag.FlagSet) {
	fs.IPVar(&o.BindAddress, "bind-address", o.BindAddress, "`address` to serve TLS on; 0.0.0.0 for all of this machine")
	fs.IntVar(&o.BindPort, "secure-port", o.BindPort, "`port` to serve TLS on; 0 for any free one")
	fs.StringVar(&o.CertDirectory, "cert-dir", o.CertDirectory, "`folder` of apiserver.crt and apiserver.key; made if they are not there")
	fs.StringVar(&o.CertFile, "tls-cert-file", o.CertFile, "`file` with a certificate to use instead, and those of its authorities")
	fs.StringVar(&o.KeyFile, "tls-private-key-file", o.KeyFile, "`file` with the key of --tls-cert-file")
	fs.Var((*namedCertKeys)(&o.SNICertKeys), "tls-sni-cert-key", "a further `cert,key[:name,name]`, for clients that ask for one of the names; may be repeated")
	addAlias(fs, "public-address-override", "bind-address")
}

// Validate returns everything that is wrong with the group.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/options/serving.go Validate
func (o *SecureServingOptions) Validate() []error {
	return check(
		rule{o.BindPort < 0 || o.BindPort > 65535, "secure-port", o.BindPort, "want a port from 1 to 65535, or 0 for any free one"},
		rule{o.CertFile != "" && o.KeyFile == "", "tls-cert-file", o.CertFile, "a certificate without its key; give --tls-private-key-file too"},
		rule{o.CertFile == "" && o.KeyFile != "", "tls-private-key-file", o.KeyFile, "a key without its certificate; give --tls-cert-file too"},
	)
}

// addInsecureServingFlags adds those of stage 1's group, but not to --help:
// programs that start an API server look there for --insecure-port, to find
// out whether they have an old one that would serve on it.
func (s *ServerRunOptions) addInsecureServingFlags(fs *pflag.FlagSet) {
	s.InsecureServing.AddFlags(fs)
	addAlias(fs, "address", "insecure-bind-address")
	addAlias(fs, "port", "insecure-port")
	fs.VisitAll(func(f *pflag.Flag) { f.Hidden = true })
}
