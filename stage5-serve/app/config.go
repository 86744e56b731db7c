package app

import (
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"strconv"

	stage1options "example.com/kube-apiserver/stage1-main/options"
	stage2master "example.com/kube-apiserver/stage2-options/master"
	"example.com/kube-apiserver/stage2-options/options"
	stage4 "example.com/kube-apiserver/stage4-informers/app"
	"example.com/kube-apiserver/stage4-informers/client"
	"example.com/kube-apiserver/stage4-informers/informers"
	"example.com/kube-apiserver/stage5-serve/certs"
	"example.com/kube-apiserver/stage5-serve/groups"
	"example.com/kube-apiserver/stage5-serve/server"
)

// Config is stage 4's with what serving over TLS needs.
type Config struct {
	*stage4.Config
	SecureServing *server.SecureServingInfo
	Kubeconfig    string // the administrator's
	Groups        *groups.Table
	Identity      *identity
}

// CreateKubeAPIServerConfig is stage 4's, with the secure socket opened,
// certificates read or made, and the filters that say who may come in.
//
// Upstream: cmd/kube-apiserver/app/server.go CreateKubeAPIServerConfig
func CreateKubeAPIServerConfig(s *options.ServerRunOptions, nodeTunneler stage2master.Tunneler, proxyTransport *http.Transport) (*Config, *informers.SharedInformerFactory, *stage1options.InsecureServingOptions, error) {
	loopback := &client.Client{Token: newToken()}
	inner, sharedInformers, insecureServingOptions, err := stage4.CreateKubeAPIServerConfig(s, nodeTunneler, proxyTransport, loopback)
	if err != nil || s.DryRun {
		return nil, nil, insecureServingOptions, err
	}
	config := &Config{Config: inner}
	ln, err := listen(s.SecureServing)
	if err != nil {
		return nil, nil, nil, err
	}
	inner.Port = ln.Addr().(*net.TCPAddr).Port
	if err := config.secure(s, ln, loopback, sharedInformers); err != nil {
		ln.Close()
		return nil, nil, nil, err
	}
	config.addGroups()
	return config, sharedInformers, insecureServingOptions, nil
}

func listen(o *options.SecureServingOptions) (net.Listener, error) {
	address := net.JoinHostPort(o.BindAddress.String(), strconv.Itoa(o.BindPort))
	ln, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("--secure-port=%d: cannot listen on %s: %w (give another port)", o.BindPort, address, err)
	}
	return ln, nil
}

// secure reads or makes all certificates and builds the chain of filters.
func (c *Config) secure(s *options.ServerRunOptions, ln net.Listener, loopback *client.Client, sharedInformers *informers.SharedInformerFactory) error {
	done := c.GenericConfig.Startup.Step("A4.4", "certificates")
	authority, err := certs.LoadOrMakeAuthority(s.SecureServing.CertDirectory, "ca")
	if err != nil {
		return err
	}
	cert, what, err := servingCert(s, authority)
	if err != nil {
		return err
	}
	sni, err := certs.GetNamedCertificateMap(s.SecureServing.SNICertKeys)
	if err != nil {
		return err
	}
	port := strconv.Itoa(ln.Addr().(*net.TCPAddr).Port)
	if err := useLoopback(loopback, sni, port, s.SecureServing.BindAddress); err != nil {
		return err
	}
	admin, err := authority.Issue(certs.Request{CommonName: "kubernetes-admin", Organization: []string{"system:masters"}})
	if err != nil {
		return err
	}
	c.Kubeconfig, err = filepath.Abs(filepath.Join(s.SecureServing.CertDirectory, "admin.kubeconfig"))
	if err != nil {
		return err
	}
	host := net.JoinHostPort(reachable(s.SecureServing.BindAddress), port)
	if err := certs.WriteKubeconfig(c.Kubeconfig, "https://"+host, authority.CertPEM, admin); err != nil {
		return err
	}
	c.Identity, err = newIdentity(s, authority.CertPEM, loopback.Token, sharedInformers)
	if err != nil {
		return err
	}
	chain := secureChain(c.Identity)
	c.SecureServing = &server.SecureServingInfo{Listener: ln, Cert: &cert, SNICerts: sni, AskForClientCert: true, Chain: chain}
	done("%s, chain: %s", what, chain)
	return nil
}

// servingCert is the certificate that most clients see.
func servingCert(s *options.ServerRunOptions, authority *certs.Authority) (cert tls.Certificate, what string, err error) {
	o := s.SecureServing
	if o.CertFile != "" {
		cert, err = tls.LoadX509KeyPair(o.CertFile, o.KeyFile)
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
	pair, made, err := certs.MaybeDefaultWithSelfSignedCerts(o.CertDirectory, "apiserver", authority, certs.Request{CommonName: "kube-apiserver", Names: names})
	if err != nil {
		return cert, "", err
	}
	what = "read from " + o.CertDirectory
	if made {
		what = "made in " + o.CertDirectory
	}
	cert, err = pair.TLS()
	return cert, what, err
}

// useLoopback gives the server's own client a certificate to ask for that
// nobody else knows, and the address of the secure port.
func useLoopback(loopback *client.Client, sni map[string]*tls.Certificate, port string, bind net.IP) error {
	cert, roots, err := certs.Loopback()
	if err != nil {
		return err
	}
	sni[certs.LoopbackName] = &cert
	loopback.Base = "https://" + net.JoinHostPort(reachable(bind), port)
	loopback.HTTP = &http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{ServerName: certs.LoopbackName, RootCAs: roots}, ForceAttemptHTTP2: true,
	}}
	return nil
}

// reachable is an address at which this machine itself reaches the server.
func reachable(bind net.IP) string {
	if bind.IsUnspecified() {
		return "127.0.0.1"
	}
	return bind.String()
}
