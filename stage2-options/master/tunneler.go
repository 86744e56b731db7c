package master

import (
	"context"
	"net"

	"example.com/kube-apiserver/stage1-main/server"
)

// Tunneler reaches nodes that cannot be reached directly.
//
// Upstream: pkg/master/tunneler/ssh.go Tunneler
type Tunneler interface {
	Run(addresses func(context.Context) ([]string, error)) error
	Stop()
	Dial(ctx context.Context, network, address string) (net.Conn, error) // the DialContext of an HTTP transport
	Check() error                                                        // whether the tunnels have been brought up to date of late
}

// InstallTunneler makes the tunnels part of a server's life: they are opened
// to the addresses while it prepares and closed after the last request, and
// its health is red if they are out of date.
//
// Upstream: pkg/master/master.go installTunneler
func InstallTunneler(s *server.GenericAPIServer, t Tunneler, addresses func(context.Context) ([]string, error)) {
	s.On(server.Preparing, "open SSH tunnels", func(context.Context) error { return t.Run(addresses) })
	s.On(server.Stopped, "close SSH tunnels", func(context.Context) error { t.Stop(); return nil })
	s.Health = append(s.Health, server.HealthCheck{Name: "SSH Tunnel Check", Check: t.Check})
}
