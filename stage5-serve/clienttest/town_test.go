package clienttest

import (
	"bytes"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
)

// town is a server with one node, and kubectl to talk to its pods.
type town struct {
	*server
	node *kubelet
	ip   string // of the pods
}

// newTown makes the node's objects and two pods. The addresses are the node's.
func newTown(t *testing.T, node *kubelet, ip string, addresses []corev1.NodeAddress, flags ...string) *town {
	t.Helper()
	if _, err := exec.LookPath("kubectl"); err != nil {
		if os.Getenv("NEED_KUBECTL") != "" {
			t.Fatal("kubectl is needed here and not installed")
		}
		t.Skip("kubectl is not installed: its story is not told")
	}
	flags = append(flags, "--disable-admission-plugins=ServiceAccount")
	w := &town{start(t, append(flags, node.flags(t.TempDir())...)...), node, ip}
	core := w.clientset(w.config()).CoreV1()
	_, err := core.Nodes().Create(within(t), &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n"}, Status: corev1.NodeStatus{
		Addresses: addresses, DaemonEndpoints: corev1.NodeDaemonEndpoints{KubeletEndpoint: corev1.DaemonEndpoint{Port: int32(node.port())}},
	}}, metav1.CreateOptions{})
	must(t, err)
	for name, containers := range map[string][]string{"worker": {"main"}, "pair": {"one", "two"}} {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: corev1.PodSpec{NodeName: "n"}}
		for _, c := range containers {
			pod.Spec.Containers = append(pod.Spec.Containers, corev1.Container{Name: c, Image: "i", Stdin: true})
		}
		pod, err := core.Pods("default").Create(within(t), pod, metav1.CreateOptions{})
		must(t, err)
		pod.Status = corev1.PodStatus{Phase: corev1.PodRunning, PodIP: ip, PodIPs: []corev1.PodIP{{IP: ip}}}
		_, err = core.Pods("default").UpdateStatus(within(t), pod, metav1.UpdateOptions{})
		must(t, err)
	}
	return w
}

// kubectl is the machine's, against this server alone. It is killed when the
// test has gone on for too long.
func (w *town) kubectl(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(within(w.T), "kubectl", args...)
	cmd.Env = append(os.Environ(), "KUBECONFIG="+filepath.Join(w.folder, "certs", "admin.kubeconfig"), "HOME="+w.folder)
	cmd.Dir = w.folder
	return cmd
}

// says runs kubectl with an input and compares its exit code and its output.
func (w *town) says(args, input string, code int, out, errs string) {
	w.Helper()
	cmd := w.kubectl(strings.Fields(args)...)
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(input), &stdout, &stderr
	cmd.Run()
	if got := cmd.ProcessState.ExitCode(); got != code || stdout.String() != out || !strings.Contains(stderr.String(), errs) {
		w.Errorf("kubectl %s ends with %d and says\n%s%s\nwant %d\n%s%s", args, got, &stdout, &stderr, code, out, errs)
	}
}

// nothingIsLeft waits until no request goes through the server's pipes.
func (w *town) nothingIsLeft() {
	w.Helper()
	client, err := rest.HTTPClientFor(w.config())
	must(w.T, err)
	defer client.CloseIdleConnections()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for ctx := within(w.T); ; {
		resp, err := client.Get(w.config().Host + "/debug/pprof/goroutine?debug=2")
		must(w.T, err)
		text, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		must(w.T, err)
		if !bytes.Contains(text, []byte("stage5-serve/kubelet.")) && !bytes.Contains(text, []byte("switchProtocolCopier")) {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			w.Fatalf("everybody has gone, and the server still carries something:\n%s", text)
		}
	}
}

// echo is a server in a pod that sends back what comes, and then the end.
func echo(t *testing.T) (port int) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	var running sync.WaitGroup
	t.Cleanup(func() { ln.Close(); running.Wait() })
	running.Go(func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			running.Go(func() { defer conn.Close(); io.Copy(conn, conn) })
		}
	})
	return ln.Addr().(*net.TCPAddr).Port
}

// as is the town of a subtest.
func (w *town) as(t *testing.T) *town {
	s := *w.server
	s.T = t
	return &town{&s, w.node, w.ip}
}
