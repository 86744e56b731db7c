package tunnel_test

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"example.com/kube-apiserver/stage2-options/tunnel"
	"golang.org/x/crypto/ssh"
)

// sshd finds OpenSSH's server and tries its configuration. Where it cannot run
// the test is skipped, except where NEED_SSHD says that it has to.
func sshd(t *testing.T, config string) string {
	t.Helper()
	path, err := exec.LookPath("sshd")
	if err != nil {
		path, err = exec.LookPath("/usr/sbin/sshd") // not in everybody's PATH
	}
	if err == nil {
		var out []byte
		if out, err = exec.Command(path, "-t", "-f", config).CombinedOutput(); err == nil {
			return path
		}
		err = fmt.Errorf("%w: %s", err, out)
	}
	if os.Getenv("NEED_SSHD") != "" {
		t.Fatalf("NEED_SSHD is set, but OpenSSH's sshd cannot run here: %v", err)
	}
	t.Skipf("OpenSSH's sshd cannot run here: %v", err)
	return ""
}

// configureSSHD writes the configuration of a server that lets in the user of
// this test with one key.
func configureSSHD(t *testing.T, authorized ssh.PublicKey) (file string) {
	t.Helper()
	folder := t.TempDir()
	hostKey := filepath.Join(folder, "host")
	if err := runOnce(hostKey); err != nil {
		t.Fatal(err)
	}
	keys := filepath.Join(folder, "authorized_keys")
	if err := os.WriteFile(keys, ssh.MarshalAuthorizedKey(authorized), 0o600); err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(folder, "sshd_config")
	text := fmt.Sprintf("HostKey %s\nAuthorizedKeysFile %s\nPidFile none\nStrictModes no\nUsePAM no\nPermitRootLogin yes\nAllowTcpForwarding yes\n", hostKey, keys)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// serveSSHD starts an sshd for each connection, as inetd does.
func serveSSHD(t *testing.T, path, config string) (address string) {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var running sync.WaitGroup
	t.Cleanup(func() { ln.Close(); running.Wait() })
	running.Go(func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			f, err := conn.(*net.TCPConn).File()
			conn.Close()
			if err != nil {
				t.Error(err)
				return
			}
			cmd := exec.Command(path, "-i", "-e", "-f", config)
			var said strings.Builder
			cmd.Stdin, cmd.Stdout, cmd.Stderr = f, f, &said
			running.Go(func() {
				cmd.Run() // ends with the connection, in whatever way
				f.Close()
				t.Logf("sshd: %s", said.String())
			})
		}
	})
	return ln.Addr().String()
}

func TestOpenSSHForwardsToo(t *testing.T) {
	me, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	made, _, key := newTunneler(t)
	config := configureSSHD(t, key)
	address := serveSSHD(t, sshd(t, config), config)
	tunneler, c := tunnel.New(me.Username, made.KeyFile, nil), newClock()
	tunneler.Now, tunneler.After = c.Now, c.After
	t.Cleanup(tunneler.Stop)
	run(t, tunneler, address)
	c.await(check, 1)
	if body, err := get(t, tunneler, kubelet(t).URL); err != nil || body != "log line" {
		t.Errorf("the kubelet's answer through OpenSSH is %q, %v", body, err)
	}
	c.fire(check) // OpenSSH says no to this request, which is a sign of life
	c.await(check, 2)
}
