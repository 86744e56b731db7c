package kubelet_test

import (
	"bufio"
	"crypto/tls"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/kube-apiserver/stage3-storage/kinds/subresources"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage5-serve/certs/pki"
	"example.com/kube-apiserver/stage5-serve/flags"
	"example.com/kube-apiserver/stage5-serve/kubelet"
)

// street is a server that carries every request to one target.
type street struct {
	*testing.T
	options flags.KubeletOptions
	to      subresources.Target
	node    *httptest.Server
	front   *httptest.Server
}

// newStreet has a node that answers as given. open makes the server before it.
func newStreet(t *testing.T, way subresources.Way, answer http.HandlerFunc) *street {
	t.Helper()
	s := &street{T: t, options: flags.NewServerRunOptions().KubeletConfig, node: httptest.NewUnstartedServer(answer)}
	s.to = subresources.Target{URL: &url.URL{Scheme: "https"}, Kubelet: true, Way: way}
	return s
}

func (s *street) open() *street {
	s.Helper()
	s.node.StartTLS()
	s.to.URL.Host = s.node.Listener.Addr().String()
	pipes, err := kubelet.New(s.options, &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}})
	if err != nil {
		s.Fatal(err)
	}
	s.front = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if err := pipes.Carry(s.to)(w, req); err != nil {
			answer := status.From(err)
			http.Error(w, answer.Message, answer.Code)
		}
	}))
	s.Cleanup(func() {
		s.front.Close()
		pipes.Close()
		s.node.Close()
	})
	return s
}

// get asks as a client does, and follows no redirect.
func (s *street) get(path string, headers ...string) (resp *http.Response, text string) {
	s.Helper()
	req, err := http.NewRequestWithContext(s.Context(), "GET", s.front.URL+path, nil)
	if err != nil {
		s.Fatal(err)
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Add(name, value)
	}
	resp, err = http.DefaultTransport.RoundTrip(req)
	if err != nil {
		s.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		text = "broken off: "
	}
	return resp, text + string(body)
}

// says checks an answer.
func (s *street) says(what string, resp *http.Response, text string, code int, words string) {
	s.Helper()
	if resp.StatusCode != code || !strings.Contains(text, words) {
		s.Errorf("%s: the answer is %d %s\n want %d with %q", what, resp.StatusCode, text, code, words)
	}
}

func TestALogIsPassedOnAsItComes(t *testing.T) {
	more := make(chan string)
	s := newStreet(t, subresources.Read, func(w http.ResponseWriter, req *http.Request) {
		if req.Header.Get("Cookie") != "" {
			t.Error("a kubelet is told what the client told the server alone")
		}
		for line := range more {
			fmt.Fprintln(w, line)
			w.(http.Flusher).Flush()
		}
	}).open()
	req, _ := http.NewRequest("GET", s.front.URL, nil)
	req.Header.Set("Cookie", "secret")
	go func() { more <- "one" }()
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.Header.Get("Content-Type") != "text/plain" {
		t.Errorf("a log is plain text, not %s", resp.Header.Get("Content-Type"))
	}
	lines := bufio.NewScanner(resp.Body)
	for _, want := range []string{"one", "two", "three"} { // the next is printed only after the last was read
		if !lines.Scan() || lines.Text() != want {
			t.Fatalf("the line is %q, %v; want %q", lines.Text(), lines.Err(), want)
		}
		if want == "three" {
			close(more)
			break
		}
		more <- map[string]string{"one": "two", "two": "three"}[want]
	}
	if lines.Scan() || lines.Err() != nil {
		t.Errorf("a log ends as the kubelet ends it, not with %q, %v", lines.Text(), lines.Err())
	}
}

func TestWhatAKubeletRefusesTheClientHears(t *testing.T) {
	for _, c := range []struct {
		says int
		code int
		want string
	}{
		{400, 400, "because"},
		{401, 401, "the server has asked for the client to provide credentials ( pods/log )"},
		{403, 403, "because ( pods/log )"},
		{404, 404, "the server could not find the requested resource ( pods/log )"},
		{418, 418, "the server responded with the status code 418 but did not return more information"},
		{500, 500, "Internal error occurred: because"},
		{503, 503, "the server is currently unable to handle the request"},
		{302, 500, "redirects forbidden"},
	} {
		s := newStreet(t, subresources.Read, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "https://elsewhere.example.com/")
			w.WriteHeader(c.says)
			io.WriteString(w, "because")
		}).open()
		resp, text := s.get("/")
		s.says(fmt.Sprintf("a log that the kubelet answers with %d", c.says), resp, text, c.code, c.want)
	}
}

func TestWhatTheNodeBreaksOffIsBrokenOff(t *testing.T) {
	for name, way := range map[string]subresources.Way{"a log": subresources.Read, "a proxy's answer": subresources.Forward} {
		s := newStreet(t, way, func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, "half of")
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		})
		s.to.URL.Path = "/"
		if _, text := s.open().get("/"); text != "broken off: half of" {
			t.Errorf("%s: half of an answer looks whole: %q", name, text)
		}
	}
}

func TestAKubeletThatCannotBeReachedIsNamed(t *testing.T) {
	for way, want := range map[subresources.Way]struct {
		code  int
		words string
	}{
		subresources.Read:    {500, "connection refused"},
		subresources.Upgrade: {500, "error dialing backend: dial tcp 127.0.0.1:"},
		subresources.Forward: {503, "error trying to reach service: dial tcp 127.0.0.1:"},
	} {
		s := newStreet(t, way, nil)
		s.to.URL.Path = "/"
		s.open().node.Close()
		resp, text := s.get("/", "Connection: Upgrade", "Upgrade: x")
		if way == subresources.Forward {
			resp, text = s.get("/")
		}
		s.says(fmt.Sprintf("way %d", way), resp, text, want.code, want.words)
	}
}

func TestAKubeletThatHangsIsGivenUp(t *testing.T) {
	s := newStreet(t, subresources.Upgrade, func(_ http.ResponseWriter, req *http.Request) { <-req.Context().Done() })
	s.options.Timeout = 50 * time.Millisecond
	resp, text := s.open().get("/", "Connection: Upgrade", "Upgrade: SPDY/3.1")
	s.says("an exec", resp, text, 500, s.to.URL.Host+" did not answer within 50ms")
}

func TestAKubeletThatDoesNotEvenShakeHandsIsGivenUp(t *testing.T) {
	mute, err := net.Listen("tcp", "127.0.0.1:0") // accepts, as the kernel does, and says nothing
	if err != nil {
		t.Fatal(err)
	}
	defer mute.Close()
	s := newStreet(t, subresources.Read, nil)
	s.options.Timeout = 50 * time.Millisecond
	s.open()
	s.to.URL.Host, s.to.URL.RawQuery = mute.Addr().String(), "follow=true"
	resp, text := s.get("/")
	s.says("a log that is followed", resp, text, 500, "TLS handshake timeout")
}

func TestOnlyAKubeletOfTheAuthorityIsSpokenTo(t *testing.T) {
	authority, err := pki.NewAuthority("nodes")
	if err != nil {
		t.Fatal(err)
	}
	ours, err := authority.Issue(pki.Request{CommonName: "apiserver"})
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	file := func(name string, data []byte) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct {
		what      string
		right     bool // the authority is that of the kubelet
		unchecked bool
		code      int
		words     string
	}{
		{"the authority of the kubelet", true, false, 200, "apiserver"},
		{"another authority", false, false, 500, "certificate signed by unknown authority"},
		{"another authority, and a client who does not care", false, true, 200, "apiserver"},
	} {
		s := newStreet(t, subresources.Read, func(w http.ResponseWriter, req *http.Request) {
			for _, shown := range req.TLS.PeerCertificates {
				io.WriteString(w, shown.Subject.CommonName)
			}
		})
		s.node.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert}
		s.to.Unchecked = c.unchecked
		s.options.CertFile, s.options.KeyFile = file("c", ours.CertPEM), file("k", ours.KeyPEM)
		s.options.CAFile = file("ca", authority.CertPEM)
		if c.right {
			s.node.StartTLS()
			s.options.CAFile = file("ca", pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.node.Certificate().Raw}))
			s.node.Close()
			s.node = httptest.NewUnstartedServer(s.node.Config.Handler)
			s.node.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert}
		}
		resp, text := s.open().get("/")
		s.says(c.what, resp, text, c.code, c.words)
	}
}

func TestAFileThatIsNoCertificateIsNamed(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for flag, o := range map[string]flags.KubeletOptions{
		"--kubelet-certificate-authority=" + empty:                     {CAFile: empty},
		"--kubelet-certificate-authority: open /none":                  {CAFile: "/none"},
		"--kubelet-client-certificate=" + empty:                        {CertFile: empty, KeyFile: empty},
		"--kubelet-client-certificate=" + empty + ", --kubelet-client": {CertFile: empty},
	} {
		if _, err := kubelet.New(o, &http.Transport{}); err == nil || !strings.Contains(err.Error(), flag) {
			t.Errorf("the error must begin with %s; it is %v", flag, err)
		}
	}
}
