package kubelet

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"

	"example.com/kube-apiserver/stage5-serve/certs/reload"
	"example.com/kube-apiserver/stage5-serve/flags"
)

// patience is how long to wait for others than kubelets, which have a flag.
const patience = 30 * time.Second

// tlsConfig is how kubelets are spoken to. The pair follows its files.
//
// Upstream: pkg/kubelet/client/kubelet_client.go transportConfig
func tlsConfig(o flags.KubeletOptions) (*tls.Config, error) {
	c := &tls.Config{InsecureSkipVerify: o.CAFile == ""} // as upstream: kubelets sign their certificates themselves, where nobody else does
	if o.CAFile != "" {
		text, err := os.ReadFile(o.CAFile)
		if err != nil {
			return nil, fmt.Errorf("--kubelet-certificate-authority: %w", err)
		}
		c.RootCAs = x509.NewCertPool()
		if !c.RootCAs.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("--kubelet-certificate-authority=%s: no certificate in it", o.CAFile)
		}
	}
	if o.CertFile == "" && o.KeyFile == "" {
		return c, nil
	}
	pair, err := reload.Read(func() (*tls.Certificate, error) {
		pair, err := tls.LoadX509KeyPair(o.CertFile, o.KeyFile)
		return &pair, err
	}, o.CertFile, o.KeyFile)
	if err != nil {
		return nil, fmt.Errorf("--kubelet-client-certificate=%s, --kubelet-client-key=%s: %w", o.CertFile, o.KeyFile, err)
	}
	c.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return pair.Get(), nil }
	return c, nil
}

// transport makes connections as the given one does, each within a time. It
// speaks HTTP/1.1, the one in which a connection can change its protocol.
func transport(like *http.Transport, within time.Duration, config *tls.Config) *http.Transport {
	dial := like.DialContext
	if dial == nil {
		dial = (&net.Dialer{}).DialContext
	}
	return &http.Transport{
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			ctx, cancel := context.WithTimeout(ctx, within)
			defer cancel()
			return dial(ctx, network, address)
		},
		TLSClientConfig:     config,
		TLSHandshakeTimeout: within,
		IdleConnTimeout:     90 * time.Second,
	}
}

// patient is a transport that gives up a request if no answer has begun in
// time; 0 is no limit.
type patient struct {
	*http.Transport
	within time.Duration
}

// RoundTrip is part of http.RoundTripper.
func (p patient) RoundTrip(req *http.Request) (*http.Response, error) {
	if p.within == 0 {
		return p.Transport.RoundTrip(req)
	}
	ctx, cancel := context.WithCancelCause(req.Context())
	late := time.AfterFunc(p.within, func() {
		cancel(fmt.Errorf("%s did not answer within %s", req.URL.Host, p.within))
	})
	resp, err := p.Transport.RoundTrip(req.WithContext(ctx)) // ctx ends with the request: the body needs it
	late.Stop()
	if err != nil && context.Cause(ctx) != nil {
		err = context.Cause(ctx)
	}
	return resp, err
}
