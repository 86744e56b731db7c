package options

import (
	"net"

	"github.com/spf13/pflag"
)

// SecureServingOptions say where to serve TLS, and as whom.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/options/serving.go SecureServingOptions
type SecureServingOptions struct {
	BindAddress   net.IP
	BindPort      int    // 0 serves no TLS at all
	CertDirectory string // where apiserver.crt and apiserver.key are looked for, or made
	CertFile      string // instead of those in CertDirectory
	KeyFile       string
	SNICertKeys   []NamedCertKey // further certificates, chosen by the name the client asks for
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
	fs.IntVar(&o.BindPort, "secure-port", o.BindPort, "`port` to serve TLS on; 0 for none")
	fs.StringVar(&o.CertDirectory, "cert-dir", o.CertDirectory, "`folder` with apiserver.crt and apiserver.key; made if they do not exist")
	fs.StringVar(&o.CertFile, "tls-cert-file", o.CertFile, "`file` with the certificate, and those of its authorities, instead")
	fs.StringVar(&o.KeyFile, "tls-private-key-file", o.KeyFile, "`file` with the key of --tls-cert-file")
	fs.Var((*namedCertKeys)(&o.SNICertKeys), "tls-sni-cert-key", "further certificate `cert,key[:names]`, for clients that ask for one of the names; may be repeated")
	alias(fs, "public-address-override", "bind-address")
}

// addInsecureServingFlags binds stage 1's group. Its flags are not listed in
// --help: programs that start an API server look there for --insecure-port to
// find out whether it is older than 1.20.
func (s *ServerRunOptions) addInsecureServingFlags(fs *pflag.FlagSet) {
	s.InsecureServing.AddFlags(fs)
	alias(fs, "address", "insecure-bind-address")
	alias(fs, "port", "insecure-port")
	fs.VisitAll(func(f *pflag.Flag) { f.Hidden = true })
}
