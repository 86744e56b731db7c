package app_test

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// echo is a kubelet that says again what it hears, in whatever protocol. It
// ends with the test, after its connections.
func echo(t *testing.T) (host, port string) {
	var running sync.WaitGroup
	node := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if req.Header.Get("Authorization") != "" {
			t.Error("a kubelet gets to see the token of a user")
		}
		running.Add(1)
		defer running.Done()
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		fmt.Fprintf(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: %s\r\n\r\n", req.Header.Get("Upgrade"))
		io.Copy(conn, conn)
	}))
	t.Cleanup(func() { running.Wait(); node.Close() })
	host, port, _ = net.SplitHostPort(node.Listener.Addr().String())
	return host, port
}

// populate makes a node whose kubelet listens there, and a pod on it.
func (r *running) populate(t *testing.T, host, port string) {
	t.Helper()
	for path, body := range map[string]string{
		"/api/v1/nodes":                   `{"metadata":{"name":"n"},"status":{"addresses":[{"type":"InternalIP","address":"` + host + `"}],"daemonEndpoints":{"kubeletEndpoint":{"Port":` + port + `}}}}`,
		"/api/v1/namespaces/default/pods": `{"metadata":{"name":"p"},"spec":{"nodeName":"n","containers":[{"name":"c","image":"i"}]}}`,
	} {
		if code, text := r.do(t, "POST", path, body); code != 201 {
			t.Fatalf("POST %s: %d %s", path, code, text)
		}
	}
}

// exec asks for a connection into the pod and returns it with the answer.
func (r *running) exec(t *testing.T, token string) (io.ReadWriteCloser, *http.Response) {
	t.Helper()
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(r.CA)
	conn, err := tls.Dial("tcp", strings.TrimPrefix(r.url, "https://"), &tls.Config{RootCAs: roots})
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(conn, "GET /api/v1/namespaces/default/pods/p/exec?command=sh HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nConnection: Upgrade\r\nUpgrade: any\r\n\r\n", token)
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	return conn, resp
}

func TestAConnectionIntoAPodIsCountedWrittenDownAndEndedWithTheServer(t *testing.T) {
	noGoroutineIsLeft(t)
	log := filepath.Join(t.TempDir(), "audit")
	host, port := echo(t)
	var conn io.ReadWriteCloser
	t.Run("while the server runs", func(t *testing.T) {
		s := start(t, "--audit-log-path="+log, "--disable-admission-plugins=ServiceAccount")
		s.populate(t, host, port)
		var resp *http.Response
		if conn, resp = s.exec(t, adminToken); resp.StatusCode != 101 {
			t.Fatalf("the connection is answered with %s", resp.Status)
		}
		fmt.Fprint(conn, "hello")
		heard := make([]byte, 5)
		if _, err := io.ReadFull(conn, heard); string(heard) != "hello" {
			t.Errorf("the echo is %q, %v", heard, err)
		}
		_, metrics := s.do(t, "GET", "/metrics", "")
		if want := `apiserver_longrunning_requests{group="",resource="pods",scope="resource",subresource="exec",verb="GET",version="v1"} 1`; !strings.Contains(metrics, want) {
			t.Errorf("a connection that is open is to be counted: %s", want)
		}
	})
	defer conn.Close()
	if _, err := conn.Read(make([]byte, 1)); err == nil {
		t.Error("the server has stopped, and the connection goes on")
	}
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	var stages string
	for line := range strings.Lines(string(text)) {
		for _, stage := range []string{"RequestReceived", "ResponseStarted", "ResponseComplete"} {
			if strings.Contains(line, `"subresource":"exec"`) && strings.Contains(line, stage) {
				stages += fmt.Sprintf(" %s %t", stage, strings.Contains(line, `"code":101`))
			}
		}
	}
	if want := " RequestReceived false ResponseStarted true ResponseComplete true"; stages != want {
		t.Errorf("the audit log has%s\nwant%s, true for code 101", stages, want)
	}
}

func TestWhoMayOnlyGetDoesNotGetIntoAPod(t *testing.T) {
	s := start(t, "--disable-admission-plugins=ServiceAccount")
	s.populate(t, "127.0.0.1", "1") // nobody gets that far
	s.grant(t, "reader", `[{"apiGroups":[""],"resources":["pods","pods/exec"],"verbs":["get"]}]`)
	s.until(t, 200, "/api/v1/namespaces/default/pods/p")
	conn, resp := s.exec(t, "alicetoken")
	defer conn.Close()
	text, _ := io.ReadAll(resp.Body)
	if want := `"message":"pods \"p\" is forbidden: "`; resp.StatusCode != 403 || !strings.Contains(string(text), want) {
		t.Errorf("whoever may get pods/exec and not create it is answered with %s %s\n want 403 with %s", resp.Status, text, want)
	}
}
