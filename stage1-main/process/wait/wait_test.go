package wait_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"example.com/kube-apiserver/stage1-main/process/wait"
)

func TestNeverStopNeverSaysStop(t *testing.T) {
	select {
	case <-wait.NeverStop:
		t.Error("who waits for NeverStop waits for ever, but it was closed")
	default:
	}
}

func TestAClosedChannelEndsTheContext(t *testing.T) {
	stopCh := make(chan struct{})
	ctx, cancel := wait.ContextForChannel(stopCh)
	defer cancel()
	if ctx.Err() != nil {
		t.Error("the context ended before the channel was closed")
	}
	close(stopCh)
	<-ctx.Done()
}

func TestUntilCallsNowAndAfterEachPeriodAndEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stopCh, began := make(chan struct{}), time.Now()
		var at []time.Duration
		wait.Until(func() {
			if at = append(at, time.Since(began)); len(at) == 3 {
				close(stopCh)
			}
		}, time.Minute, stopCh)
		if len(at) != 3 || at[0] != 0 || at[2] != 2*time.Minute {
			t.Errorf("called at %v, want at 0, 1 and 2 minutes", at)
		}
	})
}

func TestPollImmediateGivesUpForAReason(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		broken := errors.New("broken")
		cancelled, cancel := context.WithCancel(t.Context())
		cancel()
		for _, c := range []struct {
			name  string
			ctx   context.Context
			after int // the condition's calls until it ends
			err   error
			want  error
			calls int
		}{
			{"it holds at once", t.Context(), 1, nil, nil, 1},
			{"it holds later", t.Context(), 3, nil, nil, 3},
			{"it fails", t.Context(), 2, broken, broken, 2},
			{"it never holds", t.Context(), 99, nil, wait.ErrWaitTimeout, 11},
			{"nobody wants to know any more", cancelled, 99, nil, context.Canceled, 1},
		} {
			calls := 0
			err := wait.PollImmediate(c.ctx, time.Second, 10*time.Second+time.Millisecond, func() (bool, error) {
				calls++
				if calls == c.after {
					return c.err == nil, c.err
				}
				return false, nil
			})
			if !errors.Is(err, c.want) || calls != c.calls {
				t.Errorf("%s: got %v after %d calls, want %v after %d", c.name, err, calls, c.want, c.calls)
			}
		}
	})
}
