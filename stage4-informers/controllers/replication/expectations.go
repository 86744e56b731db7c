package replication

import (
	"sync"
	"time"
)

// patience is after how long an expectation is given up: news may be lost for
// good, for example when somebody deletes a pod while the connection is cut.
const patience = 5 * time.Minute

// expectations remember what the controller has asked for and its cache does
// not show yet. Without them a worker that looks again too early would not see
// the pods that it has just created, and create them once more.
//
// Upstream: pkg/controller/controller_utils.go ControllerExpectations
type expectations struct {
	mu sync.Mutex              // guards of
	of map[string]*expectation // by the key of their replication controller
}

type expectation struct {
	creations int
	deletions map[string]bool // UIDs
	since     time.Time
}

func newExpectations() *expectations {
	return &expectations{of: map[string]*expectation{}}
}

// expect is called before anything is asked for, because news may be quicker
// than the answer.
func (e *expectations) expect(key string, creations int, deletions ...string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	x := &expectation{creations: creations, deletions: map[string]bool{}, since: time.Now()}
	for _, uid := range deletions {
		x.deletions[uid] = true
	}
	e.of[key] = x
}

// created: a pod was created, or could not be.
func (e *expectations) created(key string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if x := e.of[key]; x != nil {
		x.creations--
	}
}

// deleted: a pod is gone or on its way, or could not be deleted.
func (e *expectations) deleted(key, uid string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if x := e.of[key]; x != nil {
		delete(x.deletions, uid)
	}
}

// met says whether the cache shows all that was asked for.
func (e *expectations) met(key string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	x := e.of[key]
	return x == nil || x.creations <= 0 && len(x.deletions) == 0 || time.Since(x.since) > patience
}

func (e *expectations) forget(key string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.of, key)
}
