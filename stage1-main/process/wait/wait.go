package wait

import (
	"context"
	"errors"
	"time"
)

// NeverStop is never closed and never written to: whoever waits for it waits
// for ever. The article's main passes it to Run.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/util/wait/wait.go NeverStop
var NeverStop <-chan struct{} = make(chan struct{})

// ContextForChannel returns a context that ends when stopCh is closed. Call
// cancel to release it.
//
// Now: staging/src/k8s.io/apimachinery/pkg/util/wait/wait.go ContextForChannel
func ContextForChannel(stopCh <-chan struct{}) (ctx context.Context, cancel context.CancelFunc) {
	ctx, cancel = context.WithCancel(context.Background())
	go func() {
		select {
		case <-stopCh:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}

// Until calls f now and after each period, until stopCh is closed.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/util/wait/wait.go Until
func Until(f func(), period time.Duration, stopCh <-chan struct{}) {
	tick := time.NewTicker(period)
	defer tick.Stop()
	for {
		f()
		select {
		case <-stopCh:
			return
		case <-tick.C:
		}
	}
}

// ErrWaitTimeout is PollImmediate's error when time is up.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/util/wait/wait.go ErrWaitTimeout
var ErrWaitTimeout = errors.New("timed out waiting for the condition")

// PollImmediate asks now and after each interval whether a condition holds. It
// returns nil once it does, the condition's error if it has one, and otherwise
// the reason to give up: ErrWaitTimeout, or that of ctx. The condition is asked
// at least once.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/util/wait/wait.go PollImmediate
func PollImmediate(ctx context.Context, interval, timeout time.Duration, condition func() (done bool, err error)) error {
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, ErrWaitTimeout)
	defer cancel()
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		if done, err := condition(); done || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-tick.C:
		}
	}
}
