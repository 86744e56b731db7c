package clienttest

import (
	"bytes"
	"io"
	"net"
	"os/exec"
	"strings"
	"testing"

	"github.com/gorilla/websocket"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
)

func TestAnEndThatIsCutEndsTheOther(t *testing.T) {
	node := newKubelet(t)
	w := newTown(t, node, "127.0.0.1", []corev1.NodeAddress{{Type: corev1.NodeInternalIP, Address: "127.0.0.1"}})
	node.run("worker", "main", "sh", "-c", `head -c 16000000 /dev/zero | tr '\0' '\n'; cat`) // more than lies between a container and a reader
	for _, args := range []string{"logs -f worker", "exec worker -- yes", "attach -i worker"} {
		t.Run("the node goes: "+args, func(t *testing.T) {
			w := w.as(t)
			cmd, out := w.begin(args)
			node.cut()
			io.Copy(io.Discard, out)
			if err := cmd.Wait(); err == nil && strings.HasPrefix(args, "logs") { // in SPDY a stream that is cut looks like one that has ended
				t.Error("half of a log looks like the whole to kubectl")
			}
			w.nothingIsLeft()
		})
		t.Run("the client reads no more and goes: "+args, func(t *testing.T) {
			w := w.as(t)
			cmd, _ := w.begin(args)
			must(t, cmd.Process.Kill())
			cmd.Wait()
			w.nothingIsLeft()
		})
	}
}

// begin starts kubectl and returns when its output has begun.
func (w *town) begin(args string) (*exec.Cmd, io.Reader) {
	w.Helper()
	cmd := w.kubectl(strings.Fields(args)...)
	var errs bytes.Buffer
	in, err := cmd.StdinPipe() // which stays open
	must(w.T, err)
	cmd.Stderr = &errs
	out, err := cmd.StdoutPipe()
	must(w.T, err)
	must(w.T, cmd.Start())
	io.WriteString(in, "hello\n") // for the one that says it again
	if _, err := io.ReadFull(out, make([]byte, 2)); err != nil {
		cmd.Wait()
		w.Fatalf("kubectl %s says nothing: %v\n%s", args, err, &errs)
	}
	return cmd, out
}

func TestAKubeletThatDoesNotAnswerIsGivenUp(t *testing.T) {
	mute, err := net.Listen("tcp", "127.0.0.1:0") // accepts, as the kernel does, and says nothing
	must(t, err)
	defer mute.Close()
	node := newKubelet(t)
	w := newTown(t, node, "127.0.0.1", []corev1.NodeAddress{{Type: corev1.NodeInternalIP, Address: "127.0.0.1"}}, "--kubelet-timeout=200ms")
	nodes := w.clientset(w.config()).CoreV1().Nodes()
	n, err := nodes.Get(within(t), "n", metav1.GetOptions{})
	must(t, err)
	n.Status.DaemonEndpoints.KubeletEndpoint.Port = int32(mute.Addr().(*net.TCPAddr).Port)
	_, err = nodes.UpdateStatus(within(t), n, metav1.UpdateOptions{})
	must(t, err)
	w.says("exec worker -- true", "", 1, "", "error dialing backend")
	w.says("logs -f worker", "", 1, "", "TLS handshake timeout")
	w.says("get --raw /api/v1/nodes/n/proxy/healthz", "", 1, "", "error trying to reach service")
	w.nothingIsLeft()
}

// Clients that know nothing but WebSocket, and no version of it with a word for
// the end of the input, are understood by kubelets.
func TestAWebSocketGoesToTheKubeletAsItIs(t *testing.T) {
	node := newKubelet(t)
	w := newTown(t, node, "127.0.0.1", []corev1.NodeAddress{{Type: corev1.NodeInternalIP, Address: "127.0.0.1"}})
	config, err := rest.TLSConfigFor(w.config())
	must(t, err)
	dialer := websocket.Dialer{TLSClientConfig: config, Subprotocols: []string{"v5.channel.k8s.io", "v4.channel.k8s.io"}}
	conn, resp, err := dialer.DialContext(within(t), "ws"+strings.TrimPrefix(w.config().Host, "http")+"/api/v1/namespaces/default/pods/worker/exec?command=echo&command=hello", nil)
	must(t, err)
	defer conn.Close()
	if got := resp.Header.Get("Sec-Websocket-Protocol"); got != "v4.channel.k8s.io" {
		t.Errorf("this kubelet speaks version 4; it has chosen %q", got)
	}
	text := map[byte]string{} // by channel
	for {
		_, message, err := conn.ReadMessage()
		if err != nil {
			break
		}
		text[message[0]] += string(message[1:])
	}
	if text[1] != "hello\n" || !strings.Contains(text[3], "Success") {
		t.Errorf("stdout and the status are %q and %q", text[1], text[3])
	}
}
