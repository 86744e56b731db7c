package server

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"log"
	"net"
	"net/http"
	"strings"
	"time"

	stage1 "example.com/kube-apiserver/stage1-main/server"
	stage4 "example.com/kube-apiserver/stage4-informers/server"
)

// GenericAPIServer is stage 4's with a secure port.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/genericapiserver.go GenericAPIServer
type GenericAPIServer struct {
	*stage4.GenericAPIServer
	SecureServingInfo *SecureServingInfo
	Handler           http.Handler // set when the server is prepared: filters, then everything there is

	// ShutdownDelayDuration is how long requests are still answered after the
	// signal to stop, for load balancers to notice.
	ShutdownDelayDuration time.Duration

	effectiveSecurePort int
}

// SecureServingInfo is all that serving over TLS needs. Files have been read
// long before; what the functions return follows them when they change.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/config.go SecureServingInfo
type SecureServingInfo struct {
	Listener         net.Listener
	Cert             func() *tls.Certificate            // for those who name no server, or an unknown one
	SNICerts         func() map[string]*tls.Certificate // by server name; "*.example.com" is a wildcard
	AskForClientCert bool                               // what clients show is verified behind, by those who recognise users
	Chain            stage1.Chain
	MinTLSVersion    uint16   // 0 is TLS 1.2
	CipherSuites     []uint16 // of TLS up to 1.2; none leaves the choice to Go
}

// New adds a secure port to a server. It is served in the phase Serving, so
// that it accepts when the hooks run, in the next one. [A4.6]
func New(s *stage4.GenericAPIServer, info *SecureServingInfo) *GenericAPIServer {
	g := &GenericAPIServer{GenericAPIServer: s, SecureServingInfo: info}
	s.On(stage1.Serving, "serve securely", func(ctx context.Context) error { return g.serveSecurely(ctx.Done()) })
	s.On(stage1.Stopping, "shutdown delay", g.delayShutdown)
	return g
}

// EffectiveSecurePort is the port that is really served, also where any free one was asked for.
func (s *GenericAPIServer) EffectiveSecurePort() int { return s.effectiveSecurePort }

// serveSecurely makes the server object of the article and starts it.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/serve.go serveSecurely
func (s *GenericAPIServer) serveSecurely(stopCh <-chan struct{}) (err error) {
	s.Handler = s.SecureServingInfo.Chain.Then(s.UnprotectedHandler())
	secureServer := &http.Server{
		Addr:           s.SecureServingInfo.Listener.Addr().String(),
		Handler:        s.Handler,
		MaxHeaderBytes: 1 << 20,
		TLSConfig: &tls.Config{
			//step:5.2 which certificate, which version, which protocols
			GetCertificate: s.SecureServingInfo.certificateFor, // the article's Certificates and NameToCertificate
			MinVersion:     tls.VersionTLS12,
			NextProtos:     []string{"h2", "http/1.1"},
			//step:end
		},
	}

	if v := s.SecureServingInfo.MinTLSVersion; v > 0 {
		secureServer.TLSConfig.MinVersion = v
	}
	secureServer.TLSConfig.CipherSuites = s.SecureServingInfo.CipherSuites
	if s.SecureServingInfo.AskForClientCert {
		// Asked for, not verified: that is the authenticator's business, whose
		// answer to a bad certificate is a Status and not a broken handshake.
		secureServer.TLSConfig.ClientAuth = tls.RequestClientCert
	}

	s.effectiveSecurePort, err = s.RunServer(secureServer, s.SecureServingInfo.Listener, stopCh)
	return err
}

// certificateFor picks by the server name that the client asks for: exact
// names first, then wildcards, then the certificate for everybody.
func (i *SecureServingInfo) certificateFor(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	name := strings.ToLower(strings.TrimSuffix(hello.ServerName, "."))
	byName := i.SNICerts()
	if cert := byName[name]; cert != nil {
		return cert, nil
	}
	if _, domain, ok := strings.Cut(name, "."); ok && byName["*."+domain] != nil {
		return byName["*."+domain], nil
	}
	return i.Cert(), nil
}

// quiet logs what http.Server reports, but for handshakes that failed: every
// port scan and every client with another authority would leave a line.
//
// Now: staging/src/k8s.io/apiserver/pkg/server/secure_serving.go tlsHandshakeErrorWriter
type quiet struct{}

func (quiet) Write(line []byte) (int, error) {
	if !bytes.HasPrefix(line, []byte("http: TLS handshake error")) {
		log.Print(string(line))
	}
	return len(line), nil
}

// Limits of one HTTP/2 connection, as today's server has them.
const (
	maxStreams = 100
	window     = 256 << 10
)

// RunServer serves TLS on an open socket and returns at once, with the port.
// The server ends with the phase Stopped, after the last request; stopCh only
// keeps it from starting when the stop has begun already.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/serve.go RunServer
func (s *GenericAPIServer) RunServer(server *http.Server, ln net.Listener, stopCh <-chan struct{}) (int, error) {
	tcp, ok := ln.Addr().(*net.TCPAddr)
	if !ok {
		return 0, errors.New("invalid listen address: " + ln.Addr().String())
	}
	select {
	case <-stopCh:
		return 0, errors.New("the server is stopping")
	default:
	}
	server.IdleTimeout = 90 * time.Second
	server.ErrorLog = log.New(quiet{}, "", 0)
	// One connection cannot have more than so many requests at a time, and what
	// it may send ahead of being read is bounded.
	server.HTTP2 = &http.HTTP2Config{MaxConcurrentStreams: maxStreams, MaxReadFrameSize: window, MaxReceiveBufferPerStream: window, MaxReceiveBufferPerConnection: maxStreams * window}
	s.Serve("https", server, tls.NewListener(ln, server.TLSConfig))
	return tcp.Port, nil
}
