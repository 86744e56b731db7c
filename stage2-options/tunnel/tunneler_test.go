package tunnel_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/kube-apiserver/stage2-options/tunnel"
	"golang.org/x/crypto/ssh"
)

const (
	syncNodes = 15 * time.Second
	syncKeys  = 5 * time.Minute
	check     = time.Minute
	redial    = 10 * time.Second
	patience  = 30 * time.Second
)

// nodes is a list of addresses that a test changes.
type nodes struct {
	mu   sync.Mutex // guards what follows
	list []string
	err  error
}

func (n *nodes) set(err error, list ...string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.list, n.err = list, err
}

func (n *nodes) get(context.Context) ([]string, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.list, n.err
}

// newTunneler makes one that has its key already and tells the public half.
func newTunneler(t *testing.T) (*tunnel.SSHTunneler, *clock, ssh.PublicKey) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "id")
	maker := tunnel.New("core", file, nil)
	if err := maker.Run(noNodes); err != nil {
		t.Fatal(err)
	}
	maker.Stop()
	tunneler, c := tunnel.New("core", file, nil), newClock()
	tunneler.Now, tunneler.After = c.Now, c.After
	t.Cleanup(tunneler.Stop)
	return tunneler, c, publicKey(t, file)
}

func publicKey(t *testing.T, file string) ssh.PublicKey {
	t.Helper()
	line, err := os.ReadFile(file + ".pub")
	if err != nil {
		t.Fatal(err)
	}
	key, _, _, _, err := ssh.ParseAuthorizedKey(line)
	if err != nil {
		t.Fatalf("%s.pub must be a line for authorized_keys: %v", file, err)
	}
	return key
}

func run(t *testing.T, tunneler *tunnel.SSHTunneler, addresses ...string) *nodes {
	t.Helper()
	n := &nodes{list: addresses}
	if err := tunneler.Run(n.get); err != nil {
		t.Fatal(err)
	}
	return n
}

// kubelet is something to reach behind a node.
func kubelet(t *testing.T) *httptest.Server {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "log line") }))
	t.Cleanup(s.Close)
	return s
}

// get asks for a URL through the tunnels.
func get(t *testing.T, tunneler *tunnel.SSHTunneler, url string) (string, error) {
	t.Helper()
	client := http.Client{Transport: &http.Transport{DialContext: tunneler.Dial, DisableKeepAlives: true}}
	resp, err := client.Get(url)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return string(body), err
}

func TestAnHTTPTransportReachesAKubeletThroughATunnel(t *testing.T) {
	tunneler, c, key := newTunneler(t)
	node := newNode(t, key)
	run(t, tunneler, node.address())
	c.await(check, 1)
	if body, err := get(t, tunneler, kubelet(t).URL); err != nil || body != "log line" {
		t.Errorf("the kubelet's answer through the tunnel is %q, %v", body, err)
	}
	if logins, forwarded := node.counts(); logins != 1 || forwarded != 1 {
		t.Errorf("one tunnel and one connection through it were expected, the node saw %d and %d", logins, forwarded)
	}
}

func TestEveryNodeHasOneTunnelAndAllAreUsed(t *testing.T) {
	tunneler, c, key := newTunneler(t)
	first, second := newNode(t, key), newNode(t, key)
	run(t, tunneler, first.address(), second.address())
	c.await(check, 2)
	elsewhere := strings.Replace(kubelet(t).URL, "127.0.0.1", "elsewhere", 1) // not the address of a node
	for range 64 {
		if _, err := get(t, tunneler, elsewhere); err != nil {
			t.Fatal(err)
		}
	}
	for i, node := range []*sshServer{first, second} {
		if logins, forwarded := node.counts(); logins != 1 || forwarded == 0 {
			t.Errorf("node %d has %d tunnels and %d of 64 connections: want one tunnel, and chance to use both", i, logins, forwarded)
		}
	}
}

func TestANodeIsReachedThroughItsOwnTunnel(t *testing.T) {
	tunneler, c, key := newTunneler(t)
	own, other := newNode(t, key), newNode(t, key)
	run(t, tunneler, own.address(), "localhost:"+other.port())
	c.await(check, 2)
	for range 16 {
		if _, err := get(t, tunneler, kubelet(t).URL); err != nil {
			t.Fatal(err)
		}
	}
	if _, forwarded := other.counts(); forwarded != 0 {
		t.Errorf("127.0.0.1 has a tunnel of its own, yet %d of 16 connections to it went through that of localhost", forwarded)
	}
}

func TestTunnelsFollowTheNodes(t *testing.T) {
	tunneler, c, key := newTunneler(t)
	stays, goes := newNode(t, key), newNode(t, key)
	list := run(t, tunneler, goes.address())
	c.await(check, 1)
	c.await(syncNodes, 1)

	list.set(nil, goes.address(), stays.address())
	c.fire(syncNodes)
	c.await(check, 2)

	list.set(nil, stays.address())
	c.fire(syncNodes)
	goes.awaitClosed()
	c.await(syncNodes, 3)
	for range 8 {
		if _, err := get(t, tunneler, kubelet(t).URL); err != nil {
			t.Fatalf("one node is left, its tunnel must be taken: %v", err)
		}
	}
	if logins, _ := stays.counts(); logins != 1 {
		t.Errorf("the tunnel of a node that stays is left alone, but it was opened %d times", logins)
	}
}

func TestATunnelThatBrokeIsOpenedAgain(t *testing.T) {
	tunneler, c, key := newTunneler(t)
	node := newNode(t, key)
	run(t, tunneler, node.address())
	c.await(check, 1)
	node.cut()
	c.await(redial, 1)
	if _, err := get(t, tunneler, kubelet(t).URL); err == nil || !strings.Contains(err.Error(), "no SSH tunnels currently open") {
		t.Errorf("the only tunnel is broken, the error is %v", err)
	}
	c.fire(redial)
	c.await(check, 2)
	if _, err := get(t, tunneler, kubelet(t).URL); err != nil {
		t.Errorf("the node is well again, but not reached: %v", err)
	}
}

func TestANodeThatSaysNothingIsGivenUp(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0") // accepts by itself, and nobody reads
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	tunneler, c, _ := newTunneler(t)
	tunneler.Patience = time.Millisecond
	run(t, tunneler, silent.Addr().String())
	c.await(redial, 1) // else the test ends only with its deadline
}

func TestStopDoesNotWaitForANodeThatSaysNothing(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	tunneler, _, _ := newTunneler(t)
	tunneler.Patience = time.Hour
	run(t, tunneler, silent.Addr().String())
	conn, err := silent.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	tunneler.Stop()
}

func TestANodeThatHangsLaterIsGivenUp(t *testing.T) {
	tunneler, c, key := newTunneler(t)
	node := newNode(t, key)
	node.mute = true
	run(t, tunneler, node.address())
	c.await(check, 1)
	c.fire(check)
	c.await(patience, 1)
	c.fire(patience)
	c.await(redial, 1)
	node.awaitClosed()
}

func TestANodeThatAnswersKeepsItsTunnel(t *testing.T) {
	tunneler, c, key := newTunneler(t)
	node := newNode(t, key)
	run(t, tunneler, node.address())
	for n := range 3 {
		c.await(check, n+1)
		c.fire(check)
	}
	c.await(check, 4)
	if logins, _ := node.counts(); logins != 1 {
		t.Errorf("three times the node gave a sign of life, yet its tunnel was opened %d times", logins)
	}
}

func TestAWrongKeyOpensNothingAndTheErrorSaysWhichKeyIsMeant(t *testing.T) {
	tunneler, c, _ := newTunneler(t)
	node := newNode(t, nil)
	run(t, tunneler, node.address())
	c.await(redial, 1)
	_, err := tunneler.Dial(context.Background(), "tcp", "127.0.0.1:1")
	if err == nil || !strings.Contains(err.Error(), tunneler.KeyFile+".pub") || !strings.Contains(err.Error(), `"core"`) {
		t.Errorf("the error must name the key and the user that the nodes should know, it is %v", err)
	}
	if logins, _ := node.counts(); logins != 0 {
		t.Errorf("the node let a wrong key in, %d times", logins)
	}
}

// cloud installs keys on its only machine.
type cloud struct {
	node *sshServer
	mu   sync.Mutex // guards what follows
	err  error
	n    int
}

func (i *cloud) AddSSHKeyToAllInstances(_ context.Context, _ string, line []byte) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.n++
	key, _, _, _, err := ssh.ParseAuthorizedKey(line)
	if err != nil || i.err != nil {
		return errors.Join(err, i.err)
	}
	i.node.authorize(key.Marshal())
	return nil
}

func (i *cloud) installed() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.n
}

func TestNothingIsMadeOrInstalledBeforeRun(t *testing.T) {
	node := newNode(t, nil)
	installer := &cloud{node: node}
	file := filepath.Join(t.TempDir(), "id")
	tunneler, c := tunnel.New("core", file, installer), newClock()
	tunneler.Now, tunneler.After = c.Now, c.After
	c.instant = redial // the first attempts may come before the key
	defer tunneler.Stop()
	if _, err := os.Stat(file); installer.installed() != 0 || err == nil {
		t.Errorf("New only remembers, but the key was installed %d times and its file: %v", installer.installed(), err)
	}
	run(t, tunneler, node.address())
	c.await(syncKeys, 1)
	if installer.installed() == 0 {
		t.Error("Run begins with the key, but did not install it")
	}
	c.await(check, 1)
}

func TestTheTimeOfASyncIsThatOfTheLastGoodOne(t *testing.T) {
	installer := &cloud{node: newNode(t, nil), err: errors.New("quota")}
	tunneler, c, _ := newTunneler(t)
	tunneler.Installer = installer
	list := run(t, tunneler)
	c.await(syncNodes, 1)
	c.await(syncKeys, 1)
	list.set(errors.New("no such table"))
	c.advance(time.Hour)
	c.fire(syncNodes)
	c.fire(syncKeys)
	c.await(syncNodes, 2)
	c.await(syncKeys, 2)
	if n, k := tunneler.SecondsSinceSync(), tunneler.SecondsSinceSSHKeySync(); n != 3600 || k != 3600 {
		t.Errorf("an hour ago nodes could be listed and since the start no key was installed, they say %d and %d seconds", n, k)
	}
	list.set(nil)
	c.fire(syncNodes)
	c.await(syncNodes, 3)
	if n := tunneler.SecondsSinceSync(); n != 0 {
		t.Errorf("the nodes were listed just now, it says %d seconds ago", n)
	}
}

func TestTunnelsOutliveAListThatFailed(t *testing.T) {
	tunneler, c, key := newTunneler(t)
	node := newNode(t, key)
	list := run(t, tunneler, node.address())
	c.await(check, 1)
	c.await(syncNodes, 1)
	list.set(errors.New("the store is busy"))
	c.fire(syncNodes)
	c.await(syncNodes, 2)
	if _, err := get(t, tunneler, kubelet(t).URL); err != nil {
		t.Errorf("nobody said that the node is gone, but its tunnel is: %v", err)
	}
}
