package wait

import "context"

// NeverStop is never closed and never written to: whoever waits for it waits
// for ever. The article's main passes it to Run.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/util/wait/wait.go NeverStop
var NeverStop <-chan struct{} = make(chan struct{})

// ContextForChannel returns a context that ends when stopCh is closed. Call
// cancel to release it.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/util/wait/wait.go contextForChannel
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
