package pki

import (
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"example.com/kube-apiserver/stage2-options/options"
	"example.com/kube-apiserver/stage4-informers/client"
	"example.com/kube-apiserver/stage5-serve/certs"
	"example.com/kube-apiserver/stage5-serve/certs/reload"
)

// Certificates are those of a server.
type Certificates struct {
	Authority  *Authority // ours: it signs what is made here
	Serving    *reload.Files[*tls.Certificate]
	ByName     *reload.Files[map[string]*tls.Certificate] // for clients that ask for one of these names
	Origin     string                                     // of Serving, in words
	Kubeconfig string                                     // of the administrator, a file
}

// New reads or makes the certificates of the options. The server's own client
// learns where the server is, and whom to trust.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/options/serving.go ApplyTo
func New(s *options.ServerRunOptions, port int, loopback *client.Client) (*Certificates, error) {
	o := s.SecureServing
	authority, err := LoadOrMakeAuthority(o.CertDirectory, "ca")
	if err != nil {
		return nil, fmt.Errorf("--cert-dir=%s: %w", o.CertDirectory, err)
	}
	c := &Certificates{Authority: authority}
	if c.Serving, c.Origin, err = servingCert(s, authority); err != nil {
		return nil, err
	}
	own, err := useLoopback(loopback, port, o.BindAddress)
	if err != nil {
		return nil, err
	}
	if c.ByName, err = sniCerts(o.SNICertKeys, own); err != nil {
		return nil, err
	}
	c.Kubeconfig, err = writeAdminKubeconfig(o, authority, loopback.Base)
	return c, err
}

// servingCert is the certificate that most clients see: that of the flags, or
// one that is made in --cert-dir. It follows its files, and what was made here
// is made anew before it ends.
func servingCert(s *options.ServerRunOptions, authority *Authority) (cert *reload.Files[*tls.Certificate], what string, err error) {
	o := s.SecureServing
	if o.CertFile != "" {
		cert, err = reload.Read(func() (*tls.Certificate, error) {
			pair, err := tls.LoadX509KeyPair(o.CertFile, o.KeyFile)
			return &pair, err
		}, o.CertFile, o.KeyFile)
		if err != nil {
			err = fmt.Errorf("unable to load server certificate: %w", err)
		}
		return cert, o.CertFile, err
	}
	names := []string{
		"localhost", "127.0.0.1", "::1", "kubernetes", "kubernetes.default", "kubernetes.default.svc",
		s.ServiceIP.String(), s.GenericServerRunOptions.AdvertiseAddress.String(),
	}
	if !o.BindAddress.IsUnspecified() {
		names = append(names, o.BindAddress.String())
	}
	what = "read from " + o.CertDirectory
	file := filepath.Join(o.CertDirectory, "apiserver.")
	cert, err = reload.Read(func() (*tls.Certificate, error) {
		pair, made, err := MaybeDefaultWithSelfSignedCerts(o.CertDirectory, "apiserver", authority, Request{CommonName: "kube-apiserver", Names: names})
		if err != nil {
			return nil, err
		}
		if made {
			what = "made in " + o.CertDirectory
		}
		parsed, err := pair.TLS()
		return &parsed, err
	}, file+"crt", file+"key")
	cert.Outdated = func(c *tls.Certificate) bool { return authority.Outdated(c.Leaf, names) }
	return cert, what, err
}

// sniCerts are the certificates by server name, with the one for the server's
// own client.
func sniCerts(flags []options.NamedCertKey, loopback *tls.Certificate) (*reload.Files[map[string]*tls.Certificate], error) {
	var files []string
	for _, f := range flags {
		files = append(files, f.CertFile, f.KeyFile)
	}
	return reload.Read(func() (map[string]*tls.Certificate, error) {
		byName, err := certs.GetNamedCertificateMap(flags)
		if err == nil {
			byName[LoopbackName] = loopback
		}
		return byName, err
	}, files...)
}

// useLoopback gives the server's own client the address of the secure port,
// and a certificate to ask for that nobody else knows, which is returned.
func useLoopback(loopback *client.Client, port int, bind net.IP) (*tls.Certificate, error) {
	cert, roots, err := Loopback()
	if err != nil {
		return nil, err
	}
	loopback.Base = "https://" + net.JoinHostPort(reachable(bind), strconv.Itoa(port))
	loopback.HTTP = &http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{ServerName: LoopbackName, RootCAs: roots}, ForceAttemptHTTP2: true,
	}}
	return &cert, nil
}

// writeAdminKubeconfig writes a kubeconfig of an administrator, unless one of
// an earlier start will do. It trusts our own authority and, where the server
// shows a certificate of the flags, that one and those that come with it.
func writeAdminKubeconfig(o *options.SecureServingOptions, authority *Authority, url string) (path string, err error) {
	trusted := authority.CertPEM
	if o.CertFile != "" {
		shown, err := os.ReadFile(o.CertFile)
		if err != nil {
			return "", err
		}
		trusted = slices.Concat(trusted, shown)
	}
	path, err = filepath.Abs(filepath.Join(o.CertDirectory, "admin.kubeconfig"))
	if err != nil || authority.getsIn(path, url, trusted) {
		return path, err
	}
	admin, err := authority.Issue(Request{CommonName: "kubernetes-admin", Organization: []string{"system:masters"}})
	if err != nil {
		return "", err
	}
	return path, WriteKubeconfig(path, url, trusted, admin)
}

// reachable is an address at which this machine itself reaches the server.
func reachable(bind net.IP) string {
	if bind.IsUnspecified() {
		return "127.0.0.1"
	}
	return bind.String()
}
