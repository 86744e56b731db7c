package tunnel_test

import (
	"sync"
	"time"
)

// clock stands still until a test moves it. Each interval of the tunneler is
// another one, so a test can tell by it what somebody waits for.
type clock struct {
	mu      sync.Mutex // guards what follows
	changed *sync.Cond
	now     time.Time
	waiting map[time.Duration][]chan time.Time
	asked   map[time.Duration]int // how often somebody began to wait
	instant time.Duration         // an interval for which nobody has to wait
}

func newClock() *clock {
	c := &clock{now: time.Unix(1_500_000_000, 0), waiting: map[time.Duration][]chan time.Time{}, asked: map[time.Duration]int{}}
	c.changed = sync.NewCond(&c.mu)
	return c
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) After(d time.Duration) <-chan time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	ch := make(chan time.Time, 1)
	if d == c.instant {
		ch <- c.now
	} else {
		c.waiting[d] = append(c.waiting[d], ch)
	}
	c.asked[d]++
	c.changed.Broadcast()
	return ch
}

// advance moves Now without waking anybody.
func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// await blocks until somebody has begun n times to wait for an interval.
func (c *clock) await(d time.Duration, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.asked[d] < n {
		c.changed.Wait()
	}
}

// fire wakes all who wait for an interval.
func (c *clock) fire(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, ch := range c.waiting[d] {
		ch <- c.now
	}
	c.waiting[d] = nil
}
