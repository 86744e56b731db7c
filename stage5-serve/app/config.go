package app

import (
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"slices"
	"strconv"
	"time"

	stage1options "example.com/kube-apiserver/stage1-main/options"
	stage1server "example.com/kube-apiserver/stage1-main/server"
	stage2master "example.com/kube-apiserver/stage2-options/master"
	"example.com/kube-apiserver/stage2-options/options"
	"example.com/kube-apiserver/stage3-storage/kinds/subresources"
	stage4 "example.com/kube-apiserver/stage4-informers/app"
	"example.com/kube-apiserver/stage4-informers/client"
	"example.com/kube-apiserver/stage4-informers/informers"
	"example.com/kube-apiserver/stage5-serve/certs/pki"
	"example.com/kube-apiserver/stage5-serve/flags"
	"example.com/kube-apiserver/stage5-serve/groups"
	"example.com/kube-apiserver/stage5-serve/identity"
	"example.com/kube-apiserver/stage5-serve/identity/filters"
	"example.com/kube-apiserver/stage5-serve/kubelet"
	"example.com/kube-apiserver/stage5-serve/server"
	"example.com/kube-apiserver/stage5-serve/traffic"
	"example.com/kube-apiserver/stage5-serve/traffic/audit"
)

// Config is stage 4's with what serving over TLS needs.
type Config struct {
	*stage4.Config
	SecureServing *server.SecureServingInfo
	Kubeconfig    string // the administrator's
	Groups        *groups.Table
	ShutdownDelay time.Duration
	InsecureChain stage1server.Chain // for the plain port, if it is asked for
	Metrics       *traffic.Metrics
	Audit         *audit.Log // nil: nothing is written down
	Profiling     bool
	Identity      *identity.Identity
	Pipes         *kubelet.Pipes
}

// stopTimeout bounds what comes after the delay: requests in flight get their
// answers, watches end, the storage is closed.
const stopTimeout = time.Minute

// CreateKubeAPIServerConfig is stage 4's, with the secure socket opened,
// certificates read or made, and the filters that say who may come in.
//
// Upstream: cmd/kube-apiserver/app/server.go CreateKubeAPIServerConfig
func CreateKubeAPIServerConfig(s *flags.ServerRunOptions, nodeTunneler stage2master.Tunneler, proxyTransport *http.Transport) (*Config, *informers.SharedInformerFactory, *stage1options.InsecureServingOptions, error) {
	loopback := &client.Client{Token: rand.Text()}
	inner, sharedInformers, insecureServingOptions, err := stage4.CreateKubeAPIServerConfig(s.ServerRunOptions, nodeTunneler, proxyTransport, loopback, ownControllers...)
	if err != nil || s.DryRun {
		return nil, nil, insecureServingOptions, err
	}
	config := &Config{Config: inner, ShutdownDelay: s.GenericServerRunOptions.ShutdownDelay, Profiling: s.Features.Profiling}
	config.GenericConfig.StopTimeout = config.ShutdownDelay + stopTimeout
	ln, err := listen(s.SecureServing)
	if err != nil {
		return nil, nil, nil, err
	}
	inner.Port = ln.Addr().(*net.TCPAddr).Port
	if err = config.secure(s, ln, loopback, sharedInformers); err == nil {
		err = config.addPipes(s, proxyTransport)
	}
	if err != nil {
		ln.Close()
		return nil, nil, nil, err
	}
	config.addGroups()
	inner.OpenBackend = config.Metrics.TimedBackend(inner.OpenBackend)
	return config, sharedInformers, insecureServingOptions, nil
}

// checkSuites refuses cipher suites without one that HTTP/2 needs, and says
// which of the others have been broken.
func checkSuites(o *options.SecureServingOptions) error {
	asked := func(suite uint16) bool { return slices.Contains(o.CipherSuites, suite) }
	if len(o.CipherSuites) > 0 && o.MinTLSVersion < tls.VersionTLS13 &&
		!asked(tls.TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256) && !asked(tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256) {
		return errors.New("--tls-cipher-suites: HTTP/2 cannot be spoken with these; give TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256 too, or --tls-min-version=VersionTLS13")
	}
	for _, suite := range tls.InsecureCipherSuites() {
		if asked(suite.ID) {
			log.Printf("--tls-cipher-suites: %s has known weaknesses", suite.Name)
		}
	}
	return nil
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
func (c *Config) secure(s *flags.ServerRunOptions, ln net.Listener, loopback *client.Client, sharedInformers *informers.SharedInformerFactory) error {
	if err := checkSuites(s.SecureServing); err != nil {
		return err
	}
	done := c.GenericConfig.Startup.Step("A4.4", "certificates")
	certificates, err := pki.New(s.ServerRunOptions, c.Port, loopback)
	if err != nil {
		return err
	}
	c.Kubeconfig = certificates.Kubeconfig
	c.Identity, err = identity.New(s, certificates.Authority.CertPEM, loopback.Token, sharedInformers)
	if err != nil {
		return err
	}
	chain, err := c.buildChains(s, c.Identity)
	if err != nil {
		return err
	}
	c.SecureServing = &server.SecureServingInfo{
		Listener: ln, Cert: certificates.Serving.Get, SNICerts: certificates.ByName.Get, AskForClientCert: true, Chain: chain,
		MinTLSVersion: s.SecureServing.MinTLSVersion, CipherSuites: s.SecureServing.CipherSuites,
	}
	done("%s, chain: %s", certificates.Origin, chain)
	return nil
}

// addPipes makes the subresources anew, with what stage 3 did not have:
// connections to nodes, on the way that CreateNodeDialer has chosen.
func (c *Config) addPipes(s *flags.ServerRunOptions, proxyTransport *http.Transport) (err error) {
	if c.Pipes, err = kubelet.New(s.KubeletConfig, proxyTransport); err != nil {
		return err
	}
	o := subresources.OptionsOf(c.RESTOptionsGetter, c.Installed)
	o.Kubelet, o.Transport, o.Permit = s.KubeletConfig.Kubelet, c.Pipes, filters.MayAlso(c.Identity.Permissions)
	c.Subresources = subresources.New(o)
	return nil
}
