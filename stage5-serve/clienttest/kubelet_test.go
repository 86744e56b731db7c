package clienttest

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"k8s.io/cri-streaming/pkg/streaming/portforward"
	"k8s.io/cri-streaming/pkg/streaming/remotecommand"
	utilexec "k8s.io/utils/exec"
)

// kubelet is a small one that speaks the real protocols. Its containers are
// processes of this machine, and their ports those of 127.0.0.1.
type kubelet struct {
	*testing.T
	server     *httptest.Server
	containers map[string]*container // by namespace/pod/container
	running    sync.WaitGroup

	mu   sync.Mutex // guards open
	open map[net.Conn]bool
}

const answerWithin = 30 * time.Second // of a client, for its streams

// newKubelet starts one that speaks only to clients that show a certificate of theirs.
func newKubelet(t *testing.T) *kubelet {
	k := &kubelet{T: t, containers: map[string]*container{}, open: map[net.Conn]bool{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /containerLogs/{ns}/{pod}/{container}", k.logs)
	mux.HandleFunc("/exec/{ns}/{pod}/{container}", k.exec)
	mux.HandleFunc("/attach/{ns}/{pod}/{container}", k.attach)
	mux.HandleFunc("/portForward/{ns}/{pod}", k.portForward)
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "the kubelet is well") })
	k.server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		k.running.Add(1)
		defer k.running.Done()
		if shown := req.TLS.PeerCertificates; len(shown) != 1 || shown[0].Subject.CommonName != "apiserver" {
			t.Errorf("the server shows the kubelet the certificates %v", shown)
		}
		mux.ServeHTTP(w, req)
	}))
	k.server.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert}
	k.server.Config.ConnState = func(conn net.Conn, state http.ConnState) {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.open[conn] = true
	}
	k.server.StartTLS()
	t.Cleanup(func() { k.cut(); k.server.Close(); k.running.Wait() })
	return k
}

// flags let a server reach the kubelet.
func (k *kubelet) flags(folder string) []string {
	ca, cert, key := filepath.Join(folder, "nodes.crt"), filepath.Join(folder, "apiserver.crt"), filepath.Join(folder, "apiserver.key")
	must(k.T, os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: k.server.Certificate().Raw}), 0o600))
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(k.T, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "apiserver"}, NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	must(k.T, err)
	text, err := x509.MarshalPKCS8PrivateKey(private)
	must(k.T, err)
	must(k.T, os.WriteFile(cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600))
	must(k.T, os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: text}), 0o600))
	return []string{"--kubelet-certificate-authority=" + ca, "--kubelet-client-certificate=" + cert, "--kubelet-client-key=" + key}
}

func (k *kubelet) port() int { return k.server.Listener.Addr().(*net.TCPAddr).Port }

// cut ends all connections without a word, also those that changed their protocol.
func (k *kubelet) cut() {
	k.mu.Lock()
	defer k.mu.Unlock()
	for conn := range k.open {
		conn.(*tls.Conn).NetConn().(*net.TCPConn).SetLinger(0)
		conn.(*tls.Conn).NetConn().Close()
	}
	clear(k.open)
}

// find is the container that a path names.
func (k *kubelet) find(w http.ResponseWriter, req *http.Request) *container {
	c := k.containers[req.PathValue("ns")+"/"+req.PathValue("pod")+"/"+req.PathValue("container")]
	if c == nil {
		http.Error(w, "no such container", http.StatusNotFound)
	}
	return c
}

func (k *kubelet) logs(w http.ResponseWriter, req *http.Request) {
	c, q := k.find(w, req), req.URL.Query()
	if c == nil {
		return
	}
	if q.Get("previous") == "true" {
		io.WriteString(w, c.previous)
		return
	}
	text, _ := c.since(0)
	from := 0
	if n, err := strconv.Atoi(q.Get("tailLines")); err == nil {
		lines := bytes.SplitAfter(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))
		from = len(text)
		for _, line := range lines[max(0, len(lines)-n):] {
			from -= len(line)
		}
		from = max(0, from-1)
	}
	if n, err := strconv.Atoi(q.Get("limitBytes")); err == nil && len(text) > n {
		text = text[:n]
	}
	if q.Get("follow") == "true" {
		c.follow(req.Context(), w, from)
		return
	}
	w.Write(text[from:])
}

func (k *kubelet) exec(w http.ResponseWriter, req *http.Request) {
	o, err := remotecommand.NewOptions(req)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	remotecommand.ServeExec(w, req, k, req.PathValue("pod"), "", req.PathValue("container"), req.URL.Query()["command"], o, time.Hour, answerWithin, remotecommand.SupportedStreamingProtocols)
}

// ExecInContainer is part of remotecommand.Executor.
func (k *kubelet) ExecInContainer(ctx context.Context, _, _, _ string, command []string, in io.Reader, out, errs io.WriteCloser, tty bool, resize <-chan remotecommand.TerminalSize, _ time.Duration) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	var err error
	if tty {
		err = onTerminal(cmd, in, out, resize)
	} else {
		err = onPipes(cancel, cmd, in, out, errs)
	}
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return utilexec.CodeExitError{Err: err, Code: exit.ExitCode()}
	}
	return err
}

func (k *kubelet) attach(w http.ResponseWriter, req *http.Request) {
	o, err := remotecommand.NewOptions(req)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if c := k.find(w, req); c != nil {
		remotecommand.ServeAttach(w, req, c, "", "", "", o, time.Hour, answerWithin, remotecommand.SupportedStreamingProtocols)
	}
}

func (k *kubelet) portForward(w http.ResponseWriter, req *http.Request) {
	o, err := portforward.NewV4Options(req)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	portforward.ServePortForward(w, req, k, req.PathValue("pod"), "", o, time.Hour, answerWithin, portforward.SupportedProtocols)
}

// PortForward is part of portforward.PortForwarder.
func (k *kubelet) PortForward(ctx context.Context, _, _ string, port int32, stream io.ReadWriteCloser) error {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return err
	}
	defer conn.Close()
	go func() { // ends with the stream
		io.Copy(conn, stream)
		conn.(*net.TCPConn).CloseWrite()
	}()
	_, err = io.Copy(stream, conn)
	return err
}
