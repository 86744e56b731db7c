package app

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"time"

	stage1options "example.com/kube-apiserver/stage1-main/options"
	stage1server "example.com/kube-apiserver/stage1-main/server"
	stage2master "example.com/kube-apiserver/stage2-options/master"
	"example.com/kube-apiserver/stage2-options/options"
	"example.com/kube-apiserver/stage3-storage/kv"
	stage4 "example.com/kube-apiserver/stage4-informers/app"
	"example.com/kube-apiserver/stage4-informers/client"
	"example.com/kube-apiserver/stage4-informers/informers"
	"example.com/kube-apiserver/stage5-serve/certs"
	"example.com/kube-apiserver/stage5-serve/groups"
	"example.com/kube-apiserver/stage5-serve/identity"
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
func CreateKubeAPIServerConfig(s *options.ServerRunOptions, nodeTunneler stage2master.Tunneler, proxyTransport *http.Transport) (*Config, *informers.SharedInformerFactory, *stage1options.InsecureServingOptions, error) {
	loopback := &client.Client{Token: newToken()}
	inner, sharedInformers, insecureServingOptions, err := stage4.CreateKubeAPIServerConfig(s, nodeTunneler, proxyTransport, loopback, controllers...)
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
	if err := config.secure(s, ln, loopback, sharedInformers); err != nil {
		ln.Close()
		return nil, nil, nil, err
	}
	if err := config.addPipes(s, proxyTransport); err != nil {
		ln.Close()
		return nil, nil, nil, err
	}
	config.addGroups()
	open := inner.OpenBackend
	inner.OpenBackend = func(ctx context.Context) (kv.Store, error) {
		store, err := open(ctx)
		if err != nil {
			return nil, err
		}
		return config.Metrics.Timed(store), nil
	}
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
	o := s.SecureServing
	authority, err := certs.LoadOrMakeAuthority(o.CertDirectory, "ca")
	if err != nil {
		return err
	}
	cert, what, err := servingCert(s, authority)
	if err != nil {
		return err
	}
	own, err := useLoopback(loopback, ln.Addr().(*net.TCPAddr).Port, o.BindAddress)
	if err != nil {
		return err
	}
	sni, err := sniCerts(o.SNICertKeys, own)
	if err != nil {
		return err
	}
	if c.Kubeconfig, err = writeAdminKubeconfig(o, authority, loopback.Base); err != nil {
		return err
	}
	c.Identity, err = identity.New(s, authority.CertPEM, loopback.Token, sharedInformers)
	if err != nil {
		return err
	}
	chain, err := c.buildChains(s, c.Identity)
	if err != nil {
		return err
	}
	c.SecureServing = &server.SecureServingInfo{Listener: ln, Cert: cert.Get, SNICerts: sni.Get, AskForClientCert: true, Chain: chain}
	done("%s, chain: %s", what, chain)
	return nil
}

func newToken() string {
	var b [32]byte
	rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}
