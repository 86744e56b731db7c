package server_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/kube-apiserver/stage1-main/process/drain"
	"example.com/kube-apiserver/stage1-main/process/routes"
	stage1 "example.com/kube-apiserver/stage1-main/server"
	"example.com/kube-apiserver/stage3-storage/endpoints"
	stage3 "example.com/kube-apiserver/stage3-storage/server"
	"example.com/kube-apiserver/stage3-storage/wire/negotiation"
	stage4 "example.com/kube-apiserver/stage4-informers/server"
	"example.com/kube-apiserver/stage5-serve/certs/pki"
	"example.com/kube-apiserver/stage5-serve/server"
)

var tables = &endpoints.Config{Encoder: negotiation.Encoder{Tables: &negotiation.Tables{Formats: []negotiation.Format{{MediaType: "application/json"}}}}}

func generic(name string, delegate *stage3.GenericAPIServer) *stage3.GenericAPIServer {
	return stage3.New(stage1.Config{Name: name, Install: routes.Install, Drain: drain.Attach, StopTimeout: time.Minute}, tables, &stage3.Inventory{}, delegate)
}

// secure is a server over TLS with a certificate of its own.
type secure struct {
	*server.GenericAPIServer
	address string
	roots   *x509.CertPool
}

func newSecure(t *testing.T, s *stage3.GenericAPIServer, chain stage1.Chain) *secure {
	t.Helper()
	authority, err := pki.NewAuthority("test")
	if err != nil {
		t.Fatal(err)
	}
	pair, err := authority.Issue(pki.Request{CommonName: "server", Names: []string{"127.0.0.1"}})
	if err != nil {
		t.Fatal(err)
	}
	cert, err := pair.TLS()
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(authority.CertPEM)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return &secure{server.New(stage4.New(s), &server.SecureServingInfo{
		Listener: ln, Cert: func() *tls.Certificate { return &cert }, SNICerts: func() map[string]*tls.Certificate { return nil }, Chain: chain,
	}), ln.Addr().String(), roots}
}

// run serves until stop is called, which returns what Run returns.
func (s *secure) run(t *testing.T) (stop func() error) {
	t.Helper()
	up := make(chan struct{})
	s.On(stage1.Listening, "tell the test", func(context.Context) error { close(up); return nil })
	stopCh, result := make(chan struct{}), make(chan error, 1)
	go func() { result <- s.PrepareRun().Run(stopCh) }()
	select {
	case <-up:
	case err := <-result:
		t.Fatalf("the server ended before it served: %v", err)
	}
	stop = sync.OnceValue(func() error { close(stopCh); return <-result })
	t.Cleanup(func() { stop() })
	return stop
}

func (s *secure) client(config *tls.Config) *http.Client {
	config.RootCAs = s.roots
	return &http.Client{Transport: &http.Transport{TLSClientConfig: config, ForceAttemptHTTP2: true, DisableKeepAlives: true}}
}

// get returns the body of an answer, or the error.
func (s *secure) get(path string) (string, error) {
	resp, err := s.client(&tls.Config{}).Get("https://" + s.address + path)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return strings.TrimSpace(string(body)), err
}

// say is a handler that answers with a text.
func say(text string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, text) })
}

// chain makes three servers, each with a path of its own, behind a filter that
// counts.
func chain(t *testing.T) (s *secure, filtered *[]string) {
	inner := generic("inner", nil)
	middle := generic("middle", inner)
	outer := generic("outer", middle)
	for _, g := range []*stage3.GenericAPIServer{inner, middle, outer} {
		g.Mux.Handle("/"+g.Name, say(g.Name))
		g.Mux.Handle("/all", say(g.Name))
	}
	inner.Mux.NotFound = say("the last one")
	filtered = &[]string{}
	return newSecure(t, outer, stage1.Chain{{Name: "count", Wrap: func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			*filtered = append(*filtered, req.URL.Path)
			next.ServeHTTP(w, req)
		})
	}}}), filtered
}

func TestARequestPassesTheFiltersOnceWhicheverServerAnswers(t *testing.T) {
	s, filtered := chain(t)
	s.run(t)
	for path, want := range map[string]string{"/inner": "inner", "/middle": "middle", "/outer": "outer", "/all": "outer"} {
		*filtered = nil
		if got, err := s.get(path); err != nil || got != want {
			t.Errorf("GET %s must be answered by %s, got %q, %v", path, want, got, err)
		}
		if len(*filtered) != 1 {
			t.Errorf("GET %s met the filters %d times, want once", path, len(*filtered))
		}
	}
}

func TestUnknownPathReachesTheLast(t *testing.T) {
	s, _ := chain(t)
	s.run(t)
	if got, err := s.get("/nosuch"); err != nil || got != "the last one" {
		t.Errorf("what nobody knows the innermost server answers, got %q, %v", got, err)
	}
}

func TestHTTP2IsSpoken(t *testing.T) {
	s := newSecure(t, generic("s", nil), nil)
	s.run(t)
	for _, c := range []struct {
		protocols []string
		major     int
	}{{nil, 2}, {[]string{"http/1.1"}, 1}} {
		client := s.client(&tls.Config{NextProtos: c.protocols})
		client.Transport.(*http.Transport).ForceAttemptHTTP2 = c.major == 2
		resp, err := client.Get("https://" + s.address + "/healthz")
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.ProtoMajor != c.major {
			t.Errorf("a client that offers %v must be answered over HTTP/%d, got %s", c.protocols, c.major, resp.Proto)
		}
	}
}

func TestTLS11IsRefused(t *testing.T) {
	s := newSecure(t, generic("s", nil), nil)
	s.run(t)
	for _, version := range []uint16{tls.VersionTLS10, tls.VersionTLS11, tls.VersionTLS12, tls.VersionTLS13} {
		want := version >= tls.VersionTLS12
		conn, err := tls.Dial("tcp", s.address, &tls.Config{RootCAs: s.roots, MinVersion: version, MaxVersion: version})
		if (err == nil) != want {
			t.Errorf("%s: want a connection %v, got %v", tls.VersionName(version), want, err)
		}
		if err == nil {
			conn.Close()
		}
	}
}

func TestTheOldestVersionAndTheCipherSuitesCanBeChosen(t *testing.T) {
	s := newSecure(t, generic("s", nil), nil)
	s.SecureServingInfo.MinTLSVersion = tls.VersionTLS11
	s.SecureServingInfo.CipherSuites = []uint16{tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, tls.TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA}
	s.run(t)
	for _, c := range []struct {
		version, suite uint16
		want           bool
	}{
		{tls.VersionTLS10, tls.TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA, false},
		{tls.VersionTLS11, tls.TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA, true},
		{tls.VersionTLS12, tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, true},
		{tls.VersionTLS12, tls.TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, false},
		{tls.VersionTLS13, tls.TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, true}, // nobody chooses those of TLS 1.3
	} {
		conn, err := tls.Dial("tcp", s.address, &tls.Config{RootCAs: s.roots, MinVersion: c.version, MaxVersion: c.version, CipherSuites: []uint16{c.suite}})
		if (err == nil) != c.want {
			t.Errorf("%s with %s: want a connection %v, got %v", tls.VersionName(c.version), tls.CipherSuiteName(c.suite), c.want, err)
		}
		if err == nil {
			conn.Close()
		}
	}
}

func TestPortZeroReportsThePort(t *testing.T) {
	s := newSecure(t, generic("s", nil), nil)
	s.run(t)
	if _, port, _ := net.SplitHostPort(s.address); fmt.Sprint(s.EffectiveSecurePort()) != port {
		t.Errorf("the port that is served is %s, and EffectiveSecurePort says %d", port, s.EffectiveSecurePort())
	}
}

func TestOpenRequestIsAnsweredAfterStop(t *testing.T) {
	g := generic("s", nil)
	inside, finish := make(chan struct{}), make(chan struct{})
	g.Mux.Handle("/slow", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		close(inside)
		<-finish
		fmt.Fprint(w, "done")
	}))
	s := newSecure(t, g, nil)
	stop := s.run(t)
	answer := make(chan string, 1)
	go func() {
		body, err := s.get("/slow")
		answer <- fmt.Sprint(body, err)
	}()
	<-inside
	refused := make(chan struct{})
	stopped := make(chan error, 1)
	go func() { stopped <- stop() }()
	go func() { // a new connection is refused while the open request is still at work
		defer close(refused)
		for {
			conn, err := net.Dial("tcp", s.address)
			if err != nil {
				return
			}
			conn.Close()
		}
	}()
	<-refused
	close(finish)
	if got := <-answer; got != "done<nil>" {
		t.Errorf("a request that was open when the stop began was answered %q", got)
	}
	if err := <-stopped; err != nil {
		t.Error(err)
	}
}

// The article ends with "block the main process on stopCh": it is the main
// goroutine, and in 1.7 the channel never closes. Were it closed, 1.7 would
// return at once and cut what is open. Here Run returns after the last answer.
func TestErratumE25(t *testing.T) {
	g := generic("s", nil)
	inside, finish := make(chan struct{}), make(chan struct{})
	var order []string
	g.Mux.Handle("/slow", http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		close(inside)
		<-finish
		order = append(order, "answered")
	}))
	g.On(stage1.Stopped, "close storage", func(context.Context) error { order = append(order, "storage closed"); return nil })
	s := newSecure(t, g, nil)
	begun := make(chan struct{})
	if err := s.AddPreShutdownHook("tell the test", func() error {
		order = append(order, "pre-shutdown hook")
		close(begun)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	stop := s.run(t)
	answer := make(chan error, 1)
	go func() {
		_, err := s.get("/slow")
		answer <- err
	}()
	<-inside
	returned := make(chan error, 1)
	go func() { returned <- stop() }()
	<-begun
	select {
	case err := <-returned:
		t.Fatalf("Run returned, with %v, while a request was open", err)
	default:
	}
	close(finish)
	if err := errors.Join(<-answer, <-returned); err != nil {
		t.Error(err)
	}
	t.Logf("the server stopped in the order %q", order)
	if want := []string{"pre-shutdown hook", "answered", "storage closed"}; !slices.Equal(order, want) {
		t.Errorf("the server stopped in the order %q, want %q", order, want)
	}
}

func TestReadyzIsRedAndRequestsAreServedDuringTheDelay(t *testing.T) {
	g := generic("s", nil)
	s := newSecure(t, g, nil)
	s.ShutdownDelayDuration = time.Millisecond
	var ready, other string
	if err := s.AddPreShutdownHook("ask", func() (err error) {
		ready, err = s.get("/readyz/shutdown")
		var e error
		other, e = s.get("/healthz")
		return errors.Join(err, e)
	}); err != nil {
		t.Fatal(err)
	}
	if err := s.run(t)(); err != nil {
		t.Error(err)
	}
	if !strings.Contains(ready, "shutting down") || other != "ok" {
		t.Errorf("before the socket closes /readyz is red and requests are answered, got %q and %q", ready, other)
	}
}

func TestRequestsAreAnsweredUntilTheDelayIsOver(t *testing.T) {
	g := generic("s", nil)
	g.StopTimeout = 2 * time.Second // the delay is longer: this ends it
	s := newSecure(t, g, nil)
	s.ShutdownDelayDuration = time.Hour
	stop := s.run(t)
	stopped := make(chan struct{})
	go func() { defer close(stopped); stop() }()
	for red := 0; red < 10; {
		answer, err := s.get("/readyz/shutdown")
		if err != nil {
			t.Fatal("the socket is closed although the delay of an hour is not over: load balancers had no time to notice")
		}
		if strings.Contains(answer, "shutting down") {
			red++
		}
	}
	<-stopped
}

func TestAFailedPreShutdownHookDoesNotKeepTheServerFromStopping(t *testing.T) {
	s := newSecure(t, generic("s", nil), nil)
	for name, run := range map[string]func() error{"fails": func() error { return errors.New("no") }, "panics": func() error { panic("oh") }} {
		if err := s.AddPreShutdownHook(name, run); err != nil {
			t.Fatal(err)
		}
	}
	if s.AddPreShutdownHook("fails", func() error { return nil }) == nil || s.AddPreShutdownHook("", nil) == nil || s.AddPreShutdownHook("nil", nil) == nil {
		t.Error("a hook without a name, without a function, or of a name that is taken must be refused")
	}
	err := s.run(t)()
	for _, want := range []string{`PreShutdownHook "fails" failed: no`, `PreShutdownHook "panics" failed: panic: oh`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Run must tell %q, got %v", want, err)
		}
	}
}

func TestOversizedHeadersAreRefused(t *testing.T) {
	s := newSecure(t, generic("s", nil), nil)
	s.run(t)
	conn, err := tls.Dial("tcp", s.address, &tls.Config{RootCAs: s.roots, NextProtos: []string{"http/1.1"}})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	go func() { // may fail when the server has answered and closed
		fmt.Fprintf(conn, "GET /healthz HTTP/1.1\r\nHost: x\r\nX-Big: %s\r\n\r\n", strings.Repeat("a", 2<<20))
	}()
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("two megabytes of headers must be refused with 431, got %d", resp.StatusCode)
	}
}

func TestPlainHTTPOnTheSecurePortIsToldSo(t *testing.T) {
	s := newSecure(t, generic("s", nil), nil)
	s.run(t)
	resp, err := http.Get("http://" + s.address + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusBadRequest {
		t.Errorf("who speaks no TLS must be told with 400, got %d", resp.StatusCode)
	}
}

func TestAThousandIdleConnectionsHinderNobody(t *testing.T) {
	s := newSecure(t, generic("s", nil), nil)
	s.run(t)
	for i := range 1000 {
		conn, err := net.Dial("tcp", s.address) // half open: it never says hello
		if err != nil {
			t.Fatalf("connection %d: %v", i, err)
		}
		defer conn.Close()
	}
	if got, err := s.get("/healthz"); err != nil || got != "ok" {
		t.Errorf("beside a thousand idle connections a request must be answered, got %q, %v", got, err)
	}
}
