package tunnel

import (
	"context"
	"fmt"
	"log"
	"math/rand/v2"
	"net"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"
)

// The intervals are 1.7's, but for the last: 1.7 opens a tunnel that broke
// when it next lists the nodes.
const (
	syncNodesEvery = 15 * time.Second
	syncKeysEvery  = 5 * time.Minute
	checkEvery     = time.Minute
	redialAfter    = 10 * time.Second
)

// KeyInstaller makes nodes accept a key. A cloud has one for all its machines.
//
// Upstream: pkg/cloudprovider/cloud.go Instances
type KeyInstaller interface {
	// AddSSHKeyToAllInstances gets the line for a user's authorized_keys. It
	// is called again and again, for the nodes that have come meanwhile.
	AddSSHKeyToAllInstances(ctx context.Context, user string, authorizedKey []byte) error
}

// SSHTunneler keeps a tunnel open to every node. Fill its fields before Run.
//
// Upstream: pkg/master/tunneler/ssh.go SSHTunneler
type SSHTunneler struct {
	User      string
	KeyFile   string        // private key, made by Run if it is not there
	Installer KeyInstaller  // nil: somebody else puts the key on the nodes
	Patience  time.Duration // with a node that does not answer

	Now   func() time.Time // the clock, for tests
	After func(time.Duration) <-chan time.Time

	signer  ssh.Signer
	cancel  context.CancelFunc
	running sync.WaitGroup

	mu        sync.Mutex // guards what follows
	tunnels   map[string]*tunnel
	nodesSync time.Time
	keySync   time.Time
}

// New only remembers: no key is made and no node is called before Run.
//
// Upstream: pkg/master/tunneler/ssh.go New
func New(user, keyFile string, installer KeyInstaller) *SSHTunneler {
	return &SSHTunneler{User: user, KeyFile: keyFile, Installer: installer, Patience: 30 * time.Second, Now: time.Now, After: time.After}
}

// Run loads the key, or makes one, and begins to keep tunnels to the addresses
// that it is told again and again. An address without a port means port 22. A
// second Run does nothing.
//
// Upstream: pkg/master/tunneler/ssh.go Run
func (t *SSHTunneler) Run(addresses func(context.Context) ([]string, error)) (err error) {
	if t.cancel != nil {
		return nil
	}
	if t.signer, err = loadKey(t.KeyFile); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	t.cancel = cancel
	t.tunnels = map[string]*tunnel{}
	t.nodesSync, t.keySync = t.Now(), t.Now()
	if t.Installer != nil {
		t.every(ctx, syncKeysEvery, t.installKey)
	}
	t.every(ctx, syncNodesEvery, func(ctx context.Context) { t.syncNodes(ctx, addresses) })
	return nil
}

// Stop closes every tunnel and waits until nothing of them is left.
//
// Upstream: pkg/master/tunneler/ssh.go Stop
func (t *SSHTunneler) Stop() {
	if t.cancel != nil {
		t.cancel()
		t.running.Wait()
	}
}

// every calls f now and after each interval, until ctx ends.
func (t *SSHTunneler) every(ctx context.Context, interval time.Duration, f func(context.Context)) {
	t.running.Go(func() {
		for {
			f(ctx)
			select {
			case <-ctx.Done():
				return
			case <-t.After(interval):
			}
		}
	})
}

func (t *SSHTunneler) installKey(ctx context.Context) {
	err := t.Installer.AddSSHKeyToAllInstances(ctx, t.User, ssh.MarshalAuthorizedKey(t.signer.PublicKey()))
	if err != nil {
		log.Printf("ssh tunnels: install the key of %s on the nodes: %v", t.User, err)
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.keySync = t.Now()
}

// syncNodes opens tunnels to new nodes and closes those to nodes that are gone.
//
// Upstream: pkg/ssh/ssh.go Update
func (t *SSHTunneler) syncNodes(ctx context.Context, addresses func(context.Context) ([]string, error)) {
	list, err := addresses(ctx)
	if err != nil {
		log.Printf("ssh tunnels: which nodes there are: %v", err)
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.nodesSync = t.Now()
	wanted := map[string]bool{}
	for _, address := range list {
		wanted[address] = true
		if t.tunnels[address] == nil {
			own, cancel := context.WithCancel(ctx)
			n := &tunnel{address: address, cancel: cancel}
			t.tunnels[address] = n
			t.running.Go(func() { t.keep(own, n) })
		}
	}
	for address, n := range t.tunnels {
		if !wanted[address] {
			n.cancel()
			delete(t.tunnels, address)
		}
	}
}

// Dial connects to an address through a tunnel: that of the node with this
// address, else any that is open. It is the DialContext of an HTTP transport.
//
// Upstream: pkg/ssh/ssh.go Dial
func (t *SSHTunneler) Dial(ctx context.Context, network, address string) (net.Conn, error) {
	client := t.pick(address)
	if client == nil {
		return nil, fmt.Errorf("no SSH tunnels currently open: do the nodes accept the key %s.pub for user %q?", t.KeyFile, t.User)
	}
	return client.DialContext(ctx, network, address)
}

func (t *SSHTunneler) pick(address string) *ssh.Client {
	t.mu.Lock()
	defer t.mu.Unlock()
	var open []*ssh.Client
	for _, n := range t.tunnels {
		if n.client == nil {
			continue
		}
		if host(n.address) == host(address) {
			return n.client
		}
		open = append(open, n.client)
	}
	if len(open) == 0 {
		return nil
	}
	return open[rand.IntN(len(open))]
}

// SecondsSinceSync tells how long ago the nodes could last be listed.
//
// Upstream: pkg/master/tunneler/ssh.go SecondsSinceSync
func (t *SSHTunneler) SecondsSinceSync() int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return int64(t.Now().Sub(t.nodesSync) / time.Second)
}

// SecondsSinceSSHKeySync tells how long ago the key could last be installed.
// Where nobody installs it, nothing is late.
//
// Upstream: pkg/master/tunneler/ssh.go SecondsSinceSSHKeySync
func (t *SSHTunneler) SecondsSinceSSHKeySync() int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.Installer == nil {
		return 0
	}
	return int64(t.Now().Sub(t.keySync) / time.Second)
}

// tooLong is how many seconds may pass without a sync.
const tooLong = 600

// Check is a health check: ten minutes without a sync are too long.
//
// Upstream: pkg/master/tunneler/ssh.go TunnelSyncHealthChecker
func (t *SSHTunneler) Check() error {
	if lag := t.SecondsSinceSync(); lag > tooLong {
		return fmt.Errorf("tunnel sync is taking too long: %d", lag)
	}
	if lag := t.SecondsSinceSSHKeySync(); lag > tooLong {
		return fmt.Errorf("SSH key sync is taking too long: %d", lag)
	}
	return nil
}
