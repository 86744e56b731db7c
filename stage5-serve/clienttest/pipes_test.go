package clienttest

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/creack/pty"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// story is what people do with pods that run.
func (w *town) story() {
	worker := w.node.run("worker", "main", "sh", "-c", `echo one; echo two; while read line; do echo "heard $line"; done`)
	w.node.run("pair", "two", "sh", "-c", `echo I am two; cat`)
	awaitPrinted(w.T, worker, "two\n")
	w.Run("logs", w.tellLogs)
	w.Run("logs that are followed", func(t *testing.T) { w.follow(t, worker) })
	w.Run("exec", w.tellExec)
	w.Run("exec with a terminal", w.terminal)
	w.Run("cp", w.copies)
	w.Run("attach", w.attaches)
	w.Run("port-forward", w.forwards)
	w.Run("proxy", w.proxies)
	w.nothingIsLeft()
}

func awaitPrinted(t *testing.T, c *container, end string) {
	t.Helper()
	for ctx := within(t); ; {
		text, more := c.since(0)
		if strings.HasSuffix(string(text), end) {
			return
		}
		select {
		case <-more:
		case <-ctx.Done():
			t.Fatalf("the container has printed %q; want %q at the end", text, end)
		}
	}
}

func (w *town) tellLogs(t *testing.T) {
	w = w.as(t)
	w.says("logs worker", "", 0, "one\ntwo\n", "")
	w.says("logs worker --tail=1", "", 0, "two\n", "")
	w.says("logs worker --limit-bytes=2", "", 0, "on", "")
	w.says("logs worker --previous", "", 0, "an earlier life\n", "")
	w.says("logs pair -c two", "", 0, "I am two\n", "")
	w.says("logs pair -c one", "", 1, "", "Error from server (NotFound): the server could not find the requested resource ( pods/log pair)")
	w.says("logs pair -c three", "", 1, "", "container three is not valid for pod pair")
}

func (w *town) follow(t *testing.T, worker *container) {
	w = w.as(t)
	cmd := w.kubectl("logs", "-f", "worker")
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	lines := bufio.NewScanner(out)
	for _, want := range []string{"one", "two", "heard a", "heard b"} { // each is said only after the one before was read
		if !lines.Scan() || lines.Text() != want {
			t.Fatalf("the line is %q; want %q", lines.Text(), want)
		}
		if next := map[string]string{"two": "a\n", "heard a": "b\n"}[want]; next != "" {
			_, err := io.WriteString(worker.in, next)
			must(t, err)
		}
	}
	must(t, cmd.Process.Kill())
	cmd.Wait() // killed
}

func (w *town) tellExec(t *testing.T) {
	w = w.as(t)
	w.says("exec worker -- echo hello", "", 0, "hello\n", "")
	w.says("exec worker -- ls /nowhere", "", 2, "", "/nowhere")
	w.says("exec -i worker -- wc -c", strings.Repeat("x", 300_000), 0, "300000\n", "")
	w.says("exec -i worker -- sh", "echo out; echo err >&2; exit 7", 7, "out\n", "err\ncommand terminated with exit code 7")
	w.says("exec worker -- /no/such/program", "", 1, "", "no such file or directory")
	w.says("exec pair -c two -- echo two", "", 0, "two\n", "")
}

func (w *town) terminal(t *testing.T) {
	w = w.as(t)
	cmd := w.kubectl("exec", "-it", "worker", "--", "sh", "-c", "stty size; read line; echo [$line]; exit 3")
	screen, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 17, Cols: 71})
	must(t, err)
	defer screen.Close()
	in := bufio.NewReader(screen)
	text, err := in.ReadString('\n')
	must(t, err)
	if strings.TrimSpace(text) != "17 71" {
		t.Errorf("the terminal in the pod is %q; want 17 lines of 71", text)
	}
	_, err = io.WriteString(screen, "typed\r")
	must(t, err)
	rest, _ := io.ReadAll(in) // ends with an error when the process has ended
	cmd.Wait()
	if got := cmd.ProcessState.ExitCode(); got != 3 || !strings.Contains(string(rest), "[typed]") {
		t.Errorf("kubectl ends with %d, and the screen has %q; want 3 and [typed]", got, rest)
	}
}

func (w *town) copies(t *testing.T) {
	w = w.as(t)
	here, pod := t.TempDir(), t.TempDir()
	data := make([]byte, 3<<20)
	rand.Read(data)
	must(t, os.Mkdir(filepath.Join(here, "folder"), 0o700))
	must(t, os.WriteFile(filepath.Join(here, "folder", "data"), data, 0o600))
	must(t, os.WriteFile(filepath.Join(here, "folder", "empty"), nil, 0o600))
	for _, way := range [][2]string{{filepath.Join(here, "folder"), "worker:" + pod + "/there"}, {"worker:" + pod + "/there", filepath.Join(here, "back")}} {
		if out, err := w.kubectl("cp", way[0], way[1]).CombinedOutput(); err != nil { // tar may have something to remark
			t.Fatalf("kubectl cp %s %s: %v\n%s", way[0], way[1], err, out)
		}
	}
	for _, path := range []string{filepath.Join(pod, "there"), filepath.Join(here, "back")} {
		if got, err := os.ReadFile(filepath.Join(path, "data")); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%s: %d of %d bytes have come, or others: %v", path, len(got), len(data), err)
		}
		if _, err := os.Stat(filepath.Join(path, "empty")); err != nil {
			t.Error(err)
		}
	}
}

func (w *town) attaches(t *testing.T) {
	w = w.as(t)
	cmd := w.kubectl("attach", "-i", "worker")
	in, err := cmd.StdinPipe()
	must(t, err)
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	lines := bufio.NewScanner(out)
	io.WriteString(in, "from outside\n")
	if !lines.Scan() || lines.Text() != "heard from outside" {
		t.Errorf("the container answers %q, %v", lines.Text(), lines.Err())
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		t.Errorf("kubectl has nothing more to say and ends with %v", err)
	}
}

var forwarding = regexp.MustCompile(`Forwarding from (127\.0\.0\.1:\d+)`)

func (w *town) forwards(t *testing.T) {
	w = w.as(t)
	cmd := w.kubectl("port-forward", "worker", fmt.Sprintf(":%d", echo(t)))
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	lines := bufio.NewReader(out)
	line, err := lines.ReadString('\n')
	must(t, err)
	m := forwarding.FindStringSubmatch(line)
	if m == nil {
		t.Fatalf("kubectl says %q", line)
	}
	data := make([]byte, 10<<20)
	rand.Read(data)
	for range 2 { // one connection after the other
		conn, err := net.Dial("tcp", m[1])
		must(t, err)
		var sent sync.WaitGroup
		sent.Go(func() {
			if _, err := conn.Write(data); err != nil {
				t.Error(err)
			}
		})
		got := make([]byte, len(data))
		_, err = io.ReadFull(conn, got)
		must(t, err)
		sent.Wait()
		conn.Close()
		if !bytes.Equal(got, data) {
			t.Error("10 MB have gone to the pod and back, and are no longer the same")
		}
	}
	must(t, cmd.Process.Kill())
	cmd.Wait() // killed
}

// proxies: a node's kubelet, and what listens in pods, where pods have
// addresses that one may be led to.
func (w *town) proxies(t *testing.T) {
	w = w.as(t)
	w.says("get --raw /api/v1/nodes/n/proxy/healthz", "", 0, "the kubelet is well", "")
	if net.ParseIP(w.ip).IsLoopback() {
		w.says("get --raw /api/v1/namespaces/default/pods/worker:80/proxy/", "", 1, "", "address not allowed")
		return
	}
	web := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, req *http.Request) {
		fmt.Fprintf(rw, "%s %s", req.Method, req.URL)
	}))
	defer web.Close()
	port := int32(web.Listener.Addr().(*net.TCPAddr).Port)
	core := w.clientset(w.config()).CoreV1()
	_, err := core.Services("default").Create(within(t), &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: "web"},
		Spec: corev1.ServiceSpec{Ports: []corev1.ServicePort{{Name: "http", Port: 80}}}}, metav1.CreateOptions{})
	must(t, err)
	_, err = core.Endpoints("default").Create(within(t), &corev1.Endpoints{ObjectMeta: metav1.ObjectMeta{Name: "web"}, Subsets: []corev1.EndpointSubset{{
		Addresses: []corev1.EndpointAddress{{IP: w.ip, TargetRef: &corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: "worker"}}},
		Ports:     []corev1.EndpointPort{{Name: "http", Port: port}},
	}}}, metav1.CreateOptions{})
	must(t, err)
	const proxy = "get --raw /api/v1/namespaces/default/"
	w.says(fmt.Sprintf(proxy+"pods/worker:%d/proxy/a?b=c", port), "", 0, "GET /a?b=c", "")
	w.says(proxy+"services/web:80/proxy/a/", "", 0, "GET /a/", "")
	w.says(proxy+"services/http:web:http/proxy/", "", 0, "GET /", "")
	w.says(proxy+"services/https:web:http/proxy/", "", 1, "", "error trying to reach service")
}

func TestKubectlGetsIntoPods(t *testing.T) {
	node := newKubelet(t)
	newTown(t, node, "127.0.0.1", []corev1.NodeAddress{{Type: corev1.NodeExternalIP, Address: "192.0.2.1"}, {Type: corev1.NodeInternalIP, Address: "127.0.0.1"}}).story()
}

func TestKubectlGetsIntoPodsThroughATunnel(t *testing.T) {
	node := newKubelet(t)
	gate := newGate(t)
	w := newTown(t, node, "10.99.0.2", []corev1.NodeAddress{
		{Type: corev1.NodeInternalDNS, Address: "example.com"}, // which is in the kubelet's certificate, and whose address only the gate knows
		{Type: corev1.NodeExternalIP, Address: gate.address()},
	}, "--ssh-user=core", "--ssh-keyfile="+gate.key)
	w.stop() // nodes are listed at the start, and then every fifteen seconds
	w.up()
	gate.await()
	w.story()
}
