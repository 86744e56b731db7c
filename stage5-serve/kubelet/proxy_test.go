package kubelet_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"example.com/kube-apiserver/stage3-storage/kinds/subresources"
)

// taken is a kubelet's handler that changes the protocol and hands the
// connection to f. TLS ends the two directions one by one, as TCP does.
func taken(t *testing.T, f func(conn net.Conn, in *bufio.Reader)) http.HandlerFunc {
	return func(w http.ResponseWriter, req *http.Request) {
		conn, buffered, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		fmt.Fprintf(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: %s\r\nX-Stream-Protocol-Version: v4\r\n\r\n", req.Header.Get("Upgrade"))
		f(conn, buffered.Reader)
	}
}

// dial asks for another protocol and returns the connection once it is there.
// ahead is sent together with the request.
func (s *street) dial(ahead string) (*net.TCPConn, *bufio.Reader) {
	s.Helper()
	conn, err := net.Dial("tcp", s.front.Listener.Addr().String())
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() { conn.Close() })
	fmt.Fprintf(conn, "GET / HTTP/1.1\r\nHost: x\r\nConnection: keep-alive, Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\n%s", ahead)
	in := bufio.NewReader(conn)
	resp, err := http.ReadResponse(in, nil)
	if err != nil || resp.StatusCode != 101 || resp.Header.Get("X-Stream-Protocol-Version") != "v4" {
		s.Fatalf("the protocol is not changed: %v %v", resp, err)
	}
	return conn.(*net.TCPConn), in
}

func TestWhatIsSentAheadOfAnUpgradeIsNotLost(t *testing.T) {
	s := newStreet(t, subresources.Upgrade, taken(t, func(conn net.Conn, in *bufio.Reader) { io.Copy(conn, in) })).open()
	conn, in := s.dial("ahead")
	io.WriteString(conn, " and behind")
	conn.CloseWrite()
	if text, err := io.ReadAll(in); string(text) != "ahead and behind" || err != nil {
		t.Errorf("the echo is %q, %v", text, err)
	}
}

func TestAClientThatSaysNoMoreStillHears(t *testing.T) {
	s := newStreet(t, subresources.Upgrade, taken(t, func(conn net.Conn, in *bufio.Reader) {
		text, err := io.ReadAll(in) // until the client is done
		fmt.Fprintf(conn, "heard %s, %v", text, err)
	})).open()
	conn, in := s.dial("")
	io.WriteString(conn, "all")
	conn.CloseWrite()
	if text, err := io.ReadAll(in); string(text) != "heard all, <nil>" || err != nil {
		t.Errorf("the answer is %q, %v", text, err)
	}
}

func TestAnEndThatGoesEndsTheOther(t *testing.T) {
	ended := make(chan error, 1)
	s := newStreet(t, subresources.Upgrade, taken(t, func(_ net.Conn, in *bufio.Reader) {
		_, err := in.ReadByte()
		ended <- err
	})).open()
	conn, _ := s.dial("")
	conn.Close()
	if err := <-ended; err == nil {
		t.Error("the client has gone, and the kubelet hears more")
	}
	conn, in := s.dial("x") // one byte, and the kubelet goes
	if _, err := in.ReadByte(); err == nil {
		t.Error("the kubelet has gone, and the client hears more")
	}
	conn.Close()
}

func TestOnlyAnUpgradeIsCarriedIntoAPod(t *testing.T) {
	s := newStreet(t, subresources.Upgrade, func(w http.ResponseWriter, req *http.Request) {
		http.Redirect(w, req, "https://elsewhere.example.com/", http.StatusFound)
	}).open()
	resp, text := s.get("/")
	s.says("a plain request", resp, text, 400, "Upgrade request required")
	resp, text = s.get("/", "Connection: Upgrade", "Upgrade: SPDY/3.1")
	s.says("a redirect", resp, text, 500, "invalid upgrade response: status code 302")
}

func TestAKubeletsNoToAnUpgradeIsPassedOn(t *testing.T) {
	s := newStreet(t, subresources.Upgrade, func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "only SPDY here", http.StatusForbidden)
	}).open()
	resp, text := s.get("/", "Connection: Upgrade", "Upgrade: websocket")
	s.says("an unknown protocol", resp, text, 403, "only SPDY here")
}

func TestAProxyPassesOnWhatConcernsTheTarget(t *testing.T) {
	s := newStreet(t, subresources.Forward, func(w http.ResponseWriter, req *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("X-Own", "1")
		if to := req.URL.Query().Get("to"); to != "" {
			w.Header().Set("Location", to)
			w.WriteHeader(http.StatusFound)
		}
		fmt.Fprintf(w, "%s %s %s from %s as %s", req.Method, req.URL, req.Host, req.Header.Get("X-Forwarded-Uri"), req.Header.Get("X-Forwarded-For"))
	})
	s.to.Kubelet, s.to.URL.Path = false, "/a b/"
	s.open()
	const prefix = "/api/v1/namespaces/ns/services/s/proxy"
	resp, text := s.get(prefix+"/a%20b/?q=1", "X-Forwarded-For: 192.0.2.1")
	host := s.front.Listener.Addr().String()
	s.says("a request", resp, text, 200, "GET /a%20b/?q=1 "+host+" from "+prefix+"/a%20b/ as 192.0.2.1, 127.0.0.1")
	if resp.Header.Get("Access-Control-Allow-Origin") != "" || resp.Header.Get("X-Own") != "1" {
		t.Errorf("the target's headers are passed on, but not who may call from elsewhere: %v", resp.Header)
	}
	for to, want := range map[string]string{
		"/x/":                               prefix + "/x/",
		"/x?y":                              prefix + "/x?y",
		"x":                                 "x",
		"https://" + s.to.URL.Host + "/x":   prefix + "/x",
		"http://" + host + prefix + "/x":    prefix + "/x",
		"https://elsewhere.example.com/x":   "https://elsewhere.example.com/x",
		"//elsewhere.example.com" + prefix:  "//elsewhere.example.com" + prefix,
		"https://" + s.to.URL.Host + prefix: prefix,
	} {
		resp, _ := s.get(prefix + "/a%20b/?to=" + strings.ReplaceAll(to, "?", "%3F"))
		if got := resp.Header.Get("Location"); got != want || resp.StatusCode != 302 {
			t.Errorf("a redirect to %s leads to %d %s; want %s", to, resp.StatusCode, got, want)
		}
	}
}

func TestTheRootOfAProxyEndsInASlash(t *testing.T) {
	s := newStreet(t, subresources.Forward, func(w http.ResponseWriter, req *http.Request) { io.WriteString(w, req.Method+" "+req.URL.Path) })
	resp, _ := s.open().get("/api/v1/nodes/n/proxy?a=b")
	if got := resp.Header.Get("Location"); resp.StatusCode != 301 || got != "/api/v1/nodes/n/proxy/?a=b" {
		t.Errorf("the answer is %d %s; want a redirect to the same with a slash", resp.StatusCode, got)
	}
	resp, err := http.Post(s.front.URL+"/api/v1/nodes/n/proxy", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body)
	s.says("a POST, which no client sends again", resp, string(text), 200, "POST /")
}
