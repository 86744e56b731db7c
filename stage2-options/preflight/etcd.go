package preflight

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"time"

	"example.com/kube-apiserver/stage1-main/process/wait"
)

// CheckEtcdServers waits until one of the servers accepts a connection, which
// it closes at once. That is no check of health: whoever listens there will do.
//
// Upstream: cmd/kube-apiserver/app/preflight/checks.go CheckEtcdServers
func CheckEtcdServers(ctx context.Context, servers []string, within time.Duration) (answers string, err error) {
	var last error
	err = wait.PollImmediate(ctx, time.Second, within, func() (done bool, err error) {
		for i, server := range servers { // which are not shown: a password may be in one
			u, err := url.Parse(server)
			if err != nil || u.Port() == "" {
				return false, fmt.Errorf("number %d is no URL such as http://127.0.0.1:2379", i+1)
			}
			if last = connect(ctx, u.Host); last == nil {
				answers = u.Host
				return true, nil
			}
		}
		return false, nil
	})
	if errors.Is(err, wait.ErrWaitTimeout) {
		err = fmt.Errorf("no server accepted a connection within %s: %w", within, last)
	}
	return answers, err
}

func connect(ctx context.Context, address string) error {
	dialer := net.Dialer{Timeout: time.Second}
	conn, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return err
	}
	return conn.Close()
}
