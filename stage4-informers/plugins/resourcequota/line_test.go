package resourcequota

import (
	"sync"
	"testing"
	"testing/synctest"
)

func newTestRequest() *request {
	return &request{turn: make(chan struct{}), served: make(chan struct{})}
}

func TestWhoComesMeanwhileIsServedTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l line
		var mu sync.Mutex
		var sizes []int
		goOn := make(chan struct{})
		work := func(batch []*request) {
			mu.Lock()
			sizes = append(sizes, len(batch))
			mu.Unlock()
			<-goOn
		}
		var wg sync.WaitGroup
		serve := func(namespace string, n int) {
			for range n {
				wg.Go(func() { l.serve(namespace, newTestRequest(), work) })
			}
			synctest.Wait() // until all of them wait
		}
		serve("a", 1)
		serve("a", 7)
		serve("b", 1) // nobody waits for another namespace
		close(goOn)
		wg.Wait()
		if len(sizes) != 3 || sizes[0] != 1 || sizes[1] != 1 || sizes[2] != 7 {
			t.Errorf("the batches had %v requests, want 1 in a, 1 in b at the same time, then the 7 that came meanwhile", sizes)
		}
		if len(l.waiting) != 0 {
			t.Errorf("nobody waits any more, and %d namespaces are remembered", len(l.waiting))
		}
	})
}
