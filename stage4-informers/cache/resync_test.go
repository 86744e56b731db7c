package cache_test

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/kube-apiserver/stage4-informers/cache"
)

// The article says that the cache is written to etcd from time to time. What
// happens from time to time is a resync: handlers are shown what is cached.
func TestErratumE15(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := newServer("default/a", "default/b")
		informer := cache.NewSharedIndexInformer("configmaps", srv, 10*time.Minute)
		var handler recorder
		informer.AddEventHandler(&handler)
		same := true
		informer.AddEventHandler(cache.ResourceEventHandlerFuncs{UpdateFunc: func(old, new any) { same = same && old == new }})
		run(t, informer)
		handler.take()
		before := len(srv.requested())
		step(10 * time.Minute)
		heard, asked := sorted(handler.take()), len(srv.requested())-before
		expect(t, "what the handler heard after one resync period", heard,
			[]string{"update default/a=1 to default/a=1", "update default/b=1 to default/b=1"})
		if !same {
			t.Error("a resync handed out two different objects as old and new; nothing has changed")
		}
		if asked != 0 {
			t.Errorf("a resync made %d requests, want 0: %q", asked, srv.requested()[before:])
		}
		t.Logf("one period later: requests to the server: %d; the handler heard: %q", asked, heard)
	})
}

// The article calls the period of AddEventHandlerWithResyncPeriod that of
// synchronising data. It is how often this handler is shown the cache, within
// these limits.
func TestErratumE16(t *testing.T) {
	const never = 0
	var seen []string
	for _, row := range []struct {
		claim                string
		informer, others, by time.Duration // the informer's period, that of a handler from before, that asked for
		late                 bool          // asked for half a second after the start
		want                 time.Duration // when the first resync comes
	}{
		{"0 never resyncs", time.Minute, never, 0, false, never},
		{"less than a second becomes a second", time.Minute, never, time.Millisecond, false, time.Second},
		{"an informer without resync has none for its handlers either", 0, never, time.Second, false, never},
		{"before the start a shorter period makes the timer faster", time.Minute, never, 5 * time.Second, false, 5 * time.Second},
		{"after the start a shorter period becomes the informer's", time.Minute, never, 5 * time.Second, true, 2 * time.Minute},
		{"a longer period is served at the first tick that is not too early", time.Minute, never, 90 * time.Second, false, 2 * time.Minute},
		{"an impatient handler does not speed up the others", time.Minute, 2 * time.Second, 31 * time.Second, false, 32 * time.Second},
		{"a late handler gets what an early one made possible", time.Minute, 2 * time.Second, 3 * time.Second, true, 4 * time.Second},
	} {
		t.Run(row.claim, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				informer := cache.NewSharedIndexInformer("configmaps", newServer("default/a"), row.informer)
				if row.others > 0 {
					informer.AddEventHandlerWithResyncPeriod(cache.ResourceEventHandlerFuncs{}, row.others)
				}
				began, first := time.Now(), time.Duration(never)
				handler := cache.ResourceEventHandlerFuncs{UpdateFunc: func(_, _ any) {
					if first == never {
						first = time.Since(began)
					}
				}}
				if row.late {
					run(t, informer)
					step(time.Second / 2)
				}
				informer.AddEventHandlerWithResyncPeriod(handler, row.by)
				if !row.late {
					run(t, informer)
				}
				step(time.Hour)
				if first != row.want {
					t.Errorf("the first resync came after %v, want %v (0s is never)", first, row.want)
				}
				seen = append(seen, fmt.Sprintf("%s: informer %v, handler %v: the first resync came after %v", row.claim, row.informer, row.by, first))
			})
		})
	}
	t.Logf("0s is never\n%s", strings.Join(seen, "\n"))
}

func TestAHandlerThatDoesNotGetItsPeriodIsInTheLog(t *testing.T) {
	var said bytes.Buffer
	log.SetOutput(&said)
	t.Cleanup(func() { log.SetOutput(os.Stderr) })
	for _, row := range []struct {
		claim           string
		informer, asked time.Duration
		want            string
	}{
		{"never is what it asked for", time.Minute, 0, ""},
		{"what it asked for is possible", time.Minute, time.Hour, ""},
		{"it gets a longer one", time.Minute, time.Millisecond, "informer of configmaps: a handler asks for a resync every 1ms: it gets one every 1s (0s is never)"},
		{"it gets none", 0, time.Second, "informer of configmaps: a handler asks for a resync every 1s: it gets one every 0s (0s is never)"},
	} {
		said.Reset()
		informer := cache.NewSharedIndexInformer("configmaps", newServer(), row.informer)
		informer.AddEventHandlerWithResyncPeriod(cache.ResourceEventHandlerFuncs{}, row.asked)
		if got := said.String(); !strings.HasSuffix(got, row.want+"\n") && (row.want != "" || got != "") {
			t.Errorf("%s: the log says %q, want %q", row.claim, got, row.want)
		}
	}
}

func TestResyncComesAgainAndAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		informer := cache.NewSharedIndexInformer("configmaps", newServer("default/a"), time.Minute)
		var one, oneAndAHalf recorder
		informer.AddEventHandler(&one)
		informer.AddEventHandlerWithResyncPeriod(&oneAndAHalf, 90*time.Second)
		run(t, informer)
		step(10*time.Minute + time.Second)
		if n := len(one.take()); n != 1+10 {
			t.Errorf("in ten minutes a handler with a period of one heard %d things, want 11: one addition and ten resyncs", n)
		}
		if n := len(oneAndAHalf.take()); n != 1+5 {
			t.Errorf("in ten minutes a handler with a period of one and a half heard %d things, want 6: one addition and, as the timer ticks every minute, a resync every second tick", n)
		}
	})
}

// In 1.7 a new list was told like a resync: only to handlers that were due at
// the last tick.
func TestARelistReachesAllHandlers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := newServer("default/a")
		informer := cache.NewSharedIndexInformer("configmaps", srv, time.Second)
		handlers := map[time.Duration]*recorder{0: {}, time.Second: {}, time.Hour: {}}
		for period, h := range handlers {
			informer.AddEventHandlerWithResyncPeriod(h, period)
		}
		run(t, informer)
		step(time.Second) // the tick after which only one handler takes part in resyncs
		srv.do(func() {
			srv.put("default/a", "2")
			srv.put("default/b", "1")
			srv.compact()
			srv.disconnect(errCut)
		})
		step(10 * time.Second)
		for period, h := range handlers {
			heard := fmt.Sprint(h.take())
			for _, want := range []string{"add default/b=1", "update default/a=1 to default/a=2"} {
				if !strings.Contains(heard, want) {
					t.Errorf("the handler with resync period %v did not hear %q from the new list, only %s", period, want, heard)
				}
			}
		}
	})
}
