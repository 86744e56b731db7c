package testserver

import (
	"bytes"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/csv"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/kube-apiserver/stage1-main/startup"
	"example.com/kube-apiserver/stage2-options/options/flagtable"
	"example.com/kube-apiserver/stage5-serve/app"
	"example.com/kube-apiserver/stage5-serve/flags"
	"github.com/spf13/pflag"
)

// Options say what is special about a server. The zero value will do.
type Options struct {
	Args   []string // of the command line, besides those that place the server
	Users  []User   // besides the administrator
	Folder string   // where data and certificates are kept; "" is one that is removed with the server
}

// User is known by a token. Groups give rights; without any he has those of all users.
type User struct {
	Token, Name string
	Groups      []string
}

// Server is one that runs.
type Server struct {
	URL        string
	CA         []byte // PEM: what to trust, of the kubeconfig
	Token      string // of an administrator
	Kubeconfig string // a file with which kubectl is an administrator
	Client     *http.Client

	transport *http.Transport
	temporary string        // a folder to be removed, or ""
	stop      chan struct{} // closed to stop it
	result    chan error    // gets how it ended
}

// Start starts a server and waits until it is ready. When the test ends the
// server is stopped; a test whose server does not stop in order has failed.
func Start(t testing.TB, o Options) *Server {
	t.Helper()
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(); err != nil {
			t.Errorf("the server did not stop in order: %v", err)
		}
	})
	return s
}

// New starts a server that outlives a test, such as one that TestMain starts
// for all tests of a package, and waits until it is ready. It ends with Stop.
func New(o Options) (*Server, error) {
	s := &Server{Token: rand.Text(), stop: make(chan struct{}), result: make(chan error, 1)}
	if o.Folder == "" {
		var err error
		if o.Folder, err = os.MkdirTemp("", "testserver"); err != nil {
			return nil, err
		}
		s.temporary = o.Folder
	}
	if err := s.start(o); err != nil {
		return nil, errors.Join(err, os.RemoveAll(s.temporary))
	}
	if err := s.ready(); err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	return s, nil
}

// start returns when the server accepts requests, or has ended.
func (s *Server) start(o Options) error {
	tokens := filepath.Join(o.Folder, "tokens.csv")
	if err := os.WriteFile(tokens, lines(append([]User{{s.Token, "admin", []string{"system:masters"}}}, o.Users...)), 0o600); err != nil {
		return err
	}
	out := &screen{serving: make(chan string, 1)}
	go func() { s.result <- run(o.Folder, tokens, o.Args, out, s.stop) }()
	select {
	case s.URL = <-out.serving:
		s.Kubeconfig = filepath.Join(o.Folder, "certs", "admin.kubeconfig")
		return nil
	case err := <-s.result:
		return fmt.Errorf("the server ended before it served: %w\n%s", err, out)
	}
}

// ready makes the client, and returns when the hooks have done their work.
func (s *Server) ready() (err error) {
	if s.CA, err = authorities(s.Kubeconfig); err != nil {
		return err
	}
	s.Client, s.transport = s.as(s.Token)
	again := time.NewTicker(2 * time.Millisecond)
	defer again.Stop()
	for {
		resp, err := s.Client.Get(s.URL + "/readyz")
		if err != nil {
			return err
		}
		resp.Body.Close()
		if resp.StatusCode == http.StatusOK {
			return nil
		}
		<-again.C // a server whose hooks fail ends, and does not answer any more
	}
}

// Stop ends the server in order. Clients with connections of their own that
// they keep make it last a second.
func (s *Server) Stop() error {
	if s.transport != nil {
		s.transport.CloseIdleConnections()
	}
	close(s.stop)
	return errors.Join(<-s.result, os.RemoveAll(s.temporary))
}

var authorityData = regexp.MustCompile(`certificate-authority-data: (\S+)`)

// authorities are those that the holder of a kubeconfig trusts.
func authorities(kubeconfig string) ([]byte, error) {
	text, err := os.ReadFile(kubeconfig)
	if err != nil {
		return nil, err
	}
	data := authorityData.FindSubmatch(text)
	if data == nil {
		return nil, fmt.Errorf("%s: no certificate-authority-data in it", kubeconfig)
	}
	return base64.StdEncoding.DecodeString(string(data[1]))
}

// run is the program with its own command line.
func run(folder, tokens string, args []string, out *screen, stopCh <-chan struct{}) error {
	o := app.NewServerRunOptions()
	o.Startup = startup.New(out)
	fs := pflag.NewFlagSet("kube-apiserver", pflag.ContinueOnError)
	o.AddFlags(fs)
	flags.AddFlags(o)
	flagtable.AddFlags(o.ServerRunOptions, fs)
	if err := fs.Parse(append([]string{
		"--secure-port=0", "--bbolt-file=" + filepath.Join(folder, "state.db"), "--cert-dir=" + filepath.Join(folder, "certs"), "--token-auth-file=" + tokens,
	}, args...)); err != nil {
		return err
	}
	return app.Run(o, stopCh)
}

// lines writes users as a file of tokens has them.
func lines(users []User) []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	for _, u := range users {
		w.Write([]string{u.Token, u.Name, u.Name, strings.Join(u.Groups, ",")}) // to memory, so it cannot fail
	}
	w.Flush()
	return b.Bytes()
}

// As is a client that shows another token, or none where it is "". Each has
// connections of its own, which it does not keep.
func (s *Server) As(token string) *http.Client {
	client, transport := s.as(token)
	transport.DisableKeepAlives = true
	return client
}

func (s *Server) as(token string) (*http.Client, *http.Transport) {
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(s.CA)
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: true}
	return &http.Client{Transport: bearer{transport, token}}, transport
}

type bearer struct {
	next  *http.Transport
	token string
}

// Unwrap lets a test change how the connection is made.
func (b bearer) Unwrap() *http.Transport { return b.next }

// RoundTrip is part of http.RoundTripper.
func (b bearer) RoundTrip(req *http.Request) (*http.Response, error) {
	if b.token != "" {
		req = req.Clone(req.Context())
		req.Header.Set("Authorization", "Bearer "+b.token)
	}
	return b.next.RoundTrip(req)
}

// CloseIdleConnections is what http.Client looks for.
func (b bearer) CloseIdleConnections() { b.next.CloseIdleConnections() }

// screen is where the server writes its start-up lines; it tells when it serves.
type screen struct {
	mu      sync.Mutex // guards text
	text    bytes.Buffer
	serving chan string
}

var serving = regexp.MustCompile(`(?m)^serving (https://\S+)`)

// Write is part of io.Writer.
func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if m := serving.FindSubmatch(p); m != nil {
		s.serving <- string(m[1])
	}
	return s.text.Write(p)
}

func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}
