package master

import (
	"context"
	"fmt"
	"net"

	"example.com/kube-apiserver/stage1-main/server"
)

// DialFunc opens a connection; it is the DialContext of an HTTP transport.
type DialFunc func(ctx context.Context, network, address string) (net.Conn, error)

// Tunneler reaches nodes that cannot be reached directly.
//
// Upstream: pkg/master/tunneler/ssh.go Tunneler
type Tunneler interface {
	Run(addresses func(context.Context) ([]string, error)) error
	Stop()
	Dial(ctx context.Context, network, address string) (net.Conn, error)
	SecondsSinceSync() int64
	SecondsSinceSSHKeySync() int64
}

// tooLong is how many seconds may pass without a sync.
const tooLong = 600

// InstallTunneler makes the tunnels part of a server's life: they are opened
// to the addresses while it prepares, closed after the last request, and if
// they have not been brought up to date for ten minutes its health is red.
//
// Upstream: pkg/master/master.go installTunneler
func InstallTunneler(s *server.GenericAPIServer, t Tunneler, addresses func(context.Context) ([]string, error)) {
	s.On(server.Preparing, "open SSH tunnels", func(context.Context) error { return t.Run(addresses) })
	s.On(server.Stopped, "close SSH tunnels", func(context.Context) error { t.Stop(); return nil })
	s.Health = append(s.Health, server.HealthCheck{Name: "SSH Tunnel Check", Check: func() error {
		if lag := t.SecondsSinceSync(); lag > tooLong {
			return fmt.Errorf("tunnel sync is taking too long: %d", lag)
		}
		if lag := t.SecondsSinceSSHKeySync(); lag > tooLong {
			return fmt.Errorf("SSH key sync is taking too long: %d", lag)
		}
		return nil
	}})
}
