package workqueue_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"example.com/kube-apiserver/stage4-informers/controllers/workqueue"
)

// run has workers look until the test ends; it is for use in a bubble.
func run(t *testing.T, q *workqueue.Queue[string], workers int, look func(string) error) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		q.Run(ctx, workers, func(_ context.Context, key string) error { return look(key) })
	}()
	t.Cleanup(func() { cancel(); <-ended })
	synctest.Wait()
}

// step moves the bubble's clock and waits until nothing moves any more.
func step(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

func TestAKeyThatWaitsIsNotPutInTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := workqueue.New[string]("test")
		for _, key := range []string{"a", "b", "a", "a"} {
			q.Add(key)
		}
		var looked []string
		run(t, q, 1, func(key string) error { looked = append(looked, key); return nil })
		if !slices.Equal(looked, []string{"a", "b"}) {
			t.Errorf("the worker looked at %q, want each key once and in order", looked)
		}
	})
}

func TestAKeyThatComesDuringItsWorkIsLookedAtAgainByNobodyElse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := workqueue.New[string]("test")
		q.Add("a")
		var mu sync.Mutex
		looks, at, most := 0, 0, 0
		release := make(chan struct{})
		run(t, q, 3, func(string) error {
			mu.Lock()
			looks, at = looks+1, at+1
			most = max(most, at)
			mu.Unlock()
			<-release
			mu.Lock()
			defer mu.Unlock()
			at--
			return nil
		})
		q.Add("a")
		synctest.Wait()
		if looks != 1 {
			t.Errorf("while a worker is at a key, %d are; want one", looks)
		}
		close(release)
		synctest.Wait()
		if looks != 2 || most != 1 {
			t.Errorf("a key that came while it was worked on was looked at %d times, by up to %d at once; want 2 and 1", looks, most)
		}
	})
}

func TestAFailedKeyComesAgainLessAndLessOften(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := workqueue.New[string]("test")
		var looks atomic.Int64
		var well atomic.Bool
		q.Add("a")
		run(t, q, 1, func(string) error {
			switch n := looks.Add(1); {
			case well.Load():
				return nil
			case n%2 == 0:
				return workqueue.ErrAgain
			}
			return errors.New("no")
		})
		step(time.Minute)
		if n := looks.Load(); n < 10 || n > 20 {
			t.Errorf("a key that fails was looked at %d times in a minute, want about 14", n)
		}
		well.Store(true)
		step(time.Minute)
		before := looks.Load()
		step(time.Hour)
		if looks.Load() != before {
			t.Error("a key that is done was looked at again")
		}
	})
}

func TestAfterTheStopNothingIsLookedAt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := workqueue.New[string]("test")
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		q.AddAfter("later", time.Second)
		q.Run(ctx, 2, func(context.Context, string) error { return nil })
		q.Add("a")
		<-time.After(time.Minute)
		q.Run(ctx, 1, func(_ context.Context, key string) error { t.Errorf("a stopped queue handed out %q", key); return nil })
	})
}

// A handler notes a name, a worker looks.
func Example() {
	ctx, cancel := context.WithCancel(context.Background())
	q := workqueue.New[string]("example")
	q.Add("default/web")
	q.Add("default/web")
	q.Run(ctx, 1, func(_ context.Context, key string) error {
		fmt.Println("looking at", key)
		cancel()
		return nil
	})
	// Output: looking at default/web
}
