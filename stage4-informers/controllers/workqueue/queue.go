package workqueue

import (
	"context"
	"errors"
	"log"
	"sync"
	"time"

	"example.com/kube-apiserver/stage3-storage/object/status"
)

// How long a key waits after its work failed: a little, then twice as long
// each time.
const (
	minDelay = 50 * time.Millisecond
	maxDelay = 8 * time.Second
)

// Queue hands keys to workers. Its methods may be called concurrently.
//
// Upstream: staging/src/k8s.io/client-go/util/workqueue/queue.go Type
type Queue[K comparable] struct {
	name string // of the controller, for the log

	mu       sync.Mutex // guards what follows
	wake     sync.Cond  // a key came, or the stop
	waiting  []K        // in the order in which they will be taken
	dirty    map[K]bool // is in waiting, or will be once its worker is done
	working  map[K]bool
	failures map[K]int // in a row
	timers   map[K]timer
	stopped  bool
}

type timer struct {
	at time.Time
	*time.Timer
}

// New returns an empty queue.
func New[K comparable](name string) *Queue[K] {
	q := &Queue[K]{name: name, dirty: map[K]bool{}, working: map[K]bool{}, failures: map[K]int{}, timers: map[K]timer{}}
	q.wake.L = &q.mu
	return q
}

// Add makes sure that a worker looks at key after this moment.
func (q *Queue[K]) Add(key K) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.add(key)
}

func (q *Queue[K]) add(key K) {
	if q.stopped || q.dirty[key] {
		return
	}
	q.dirty[key] = true
	if !q.working[key] {
		q.waiting = append(q.waiting, key)
		q.wake.Signal()
	}
}

// AddAfter is Add when d has passed. Of two that are planned the earlier counts.
func (q *Queue[K]) AddAfter(key K, d time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.addAfter(key, d)
}

func (q *Queue[K]) addAfter(key K, d time.Duration) {
	at := time.Now().Add(d)
	planned, is := q.timers[key]
	if q.stopped || is && planned.at.Before(at) {
		return
	}
	if is {
		planned.Stop()
	}
	q.timers[key] = timer{at, time.AfterFunc(d, func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		if q.timers[key].at.Equal(at) { // else it was replaced in the last moment
			delete(q.timers, key)
			q.add(key)
		}
	})}
}

// ErrAgain is what a worker returns where nothing went wrong and the key has to
// be looked at once more after a while.
var ErrAgain = errors.New("not finished yet")

// Run has workers call look for every key until ctx ends, and waits for them.
// A key whose look fails comes again, after a pause that grows.
func (q *Queue[K]) Run(ctx context.Context, workers int, look func(ctx context.Context, key K) error) {
	var running sync.WaitGroup
	for range workers {
		running.Go(func() {
			for key, more := q.next(); more; key, more = q.next() {
				q.done(key, look(ctx, key), ctx.Err() != nil)
			}
		})
	}
	<-ctx.Done()
	q.stop()
	running.Wait()
}

func (q *Queue[K]) stop() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.stopped = true
	for _, timer := range q.timers {
		timer.Stop()
	}
	q.wake.Broadcast()
}

func (q *Queue[K]) next() (key K, more bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.waiting) == 0 && !q.stopped {
		q.wake.Wait()
	}
	if q.stopped {
		return key, false
	}
	key = q.waiting[0]
	q.waiting = q.waiting[1:]
	delete(q.dirty, key)
	q.working[key] = true
	return key, true
}

func (q *Queue[K]) done(key K, err error, stopping bool) {
	if err != nil && !errors.Is(err, ErrAgain) && !status.Is(err, "Conflict") && !stopping {
		log.Printf("%s: %v: %v (will try again)", q.name, key, err)
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.working, key)
	if err == nil {
		delete(q.failures, key)
	} else {
		q.failures[key]++
		q.addAfter(key, min(minDelay<<min(q.failures[key]-1, 10), maxDelay))
	}
	if q.dirty[key] {
		q.waiting = append(q.waiting, key)
		q.wake.Signal()
	}
}
