package cache_test

import (
	"fmt"
	"io"
	"log"
	"maps"
	"math/rand/v2"
	"os"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"example.com/kube-apiserver/stage4-informers/cache"
)

// cuts is how often a connection is cut in the tests of this file.
const cuts = 1000

// witness is a handler that holds what it hears against what it heard before.
type witness struct {
	mu      sync.Mutex        // guards what follows
	known   map[string]string // by key, as text
	heard   map[string][]string
	wrong   []string
	pending time.Duration // how long it takes over everything
}

func newWitness(pending time.Duration) *witness {
	return &witness{known: map[string]string{}, heard: map[string][]string{}, pending: pending}
}

// note checks that the object was, for the handler, as before says ("" is not
// there), and that after is something newer.
func (w *witness) note(what string, obj any, before, after string) {
	if w.pending > 0 {
		<-time.After(w.pending)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	key, err := cache.MetaNamespaceKeyFunc(obj)
	if err != nil {
		w.wrong = append(w.wrong, err.Error())
		return
	}
	if w.known[key] != before && what != "delete" || w.known[key] == after {
		w.wrong = append(w.wrong, fmt.Sprintf("%s from %q to %q although it was %q", what, before, after, w.known[key]))
	}
	w.known[key] = after
	if after == "" {
		delete(w.known, key)
	}
	w.heard[key] = append(w.heard[key], what+" "+after)
}

func (w *witness) OnAdd(obj any)         { w.note("add", obj, "", text(obj)) }
func (w *witness) OnUpdate(old, obj any) { w.note("update", obj, text(old), text(obj)) }
func (w *witness) OnDelete(obj any)      { w.note("delete", obj, "", "") }

// check says what is wrong with what the witness heard.
func (w *witness) check(t *testing.T, who string, live map[string]string) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, what := range w.wrong[:min(len(w.wrong), 3)] {
		t.Errorf("%s heard of a change that does not follow from the one before: %s", who, what)
	}
	if !maps.Equal(w.known, live) {
		t.Errorf("%s knows %d objects that are not as the %d of the server", who, len(w.known), len(live))
	}
}

// change makes a few changes at random and notes them as a handler would hear them.
func (s *server) change(happened map[string][]string) {
	for range rand.IntN(4) {
		key := fmt.Sprintf("default/%d", rand.IntN(10))
		value := fmt.Sprint(s.rev)
		switch {
		case s.live[key] == nil:
			happened[key] = append(happened[key], "add "+key+"="+value)
		case rand.IntN(3) == 0:
			happened[key] = append(happened[key], "delete ")
			s.remove(key)
			continue
		default:
			happened[key] = append(happened[key], "update "+key+"="+value)
		}
		s.put(key, value)
	}
}

func (s *server) state() map[string]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	live := map[string]string{}
	for key, obj := range s.live {
		live[key] = text(obj)
	}
	return live
}

// quietly keeps a thousand lost connections out of the test's output.
func quietly(t *testing.T) {
	log.SetOutput(io.Discard)
	t.Cleanup(func() { log.SetOutput(os.Stderr) })
}

// The connection is cut, or ended in the normal way, and nothing else happens:
// every handler hears of every single change, once and in order.
func TestAThousandCutsLoseNothing(t *testing.T) {
	quietly(t)
	synctest.Test(t, func(t *testing.T) {
		srv := newServer()
		informer := cache.NewSharedIndexInformer("configmaps", srv, 0)
		quick, slow := newWitness(0), newWitness(3*time.Second)
		informer.AddEventHandler(quick)
		informer.AddEventHandler(slow)
		run(t, informer)
		happened := map[string][]string{}
		for range cuts {
			srv.do(func() {
				srv.change(happened)
				srv.disconnect([]error{nil, errCut}[rand.IntN(2)])
				srv.change(happened)
			})
			step(rand.N(40 * time.Second))
		}
		step(24 * time.Hour)
		for who, w := range map[string]*witness{"the quick handler": quick, "the slow handler": slow} {
			w.check(t, who, srv.state())
			for key, want := range happened {
				expect(t, who+" about "+key, w.heard[key], want)
			}
		}
	})
}

// The server also forgets its history, so that lists have to be taken. What
// happened in between is lost then; what a handler hears still follows from
// what it heard before, and in the end it knows what the server knows.
func TestAThousandInterruptionsConfuseNobody(t *testing.T) {
	quietly(t)
	synctest.Test(t, func(t *testing.T) {
		srv := newServer("default/1", "default/2")
		informer := cache.NewSharedIndexInformer("configmaps", srv, time.Minute)
		handlers := map[string]*witness{"the first handler": newWitness(0)}
		informer.AddEventHandlerWithResyncPeriod(handlers["the first handler"], 0) // a resync is no change
		run(t, informer)
		for i := range cuts {
			srv.do(func() {
				srv.change(map[string][]string{})
				if rand.IntN(3) == 0 {
					srv.compact()
				}
				srv.disconnect([]error{nil, errCut}[rand.IntN(2)])
			})
			if i%100 == 50 {
				late := newWitness(rand.N(time.Second))
				handlers[fmt.Sprintf("the handler that came after %d interruptions", i)] = late
				informer.AddEventHandlerWithResyncPeriod(late, 0)
			}
			if rand.IntN(2) == 0 {
				step(rand.N(time.Minute))
			}
		}
		step(24 * time.Hour)
		for who, w := range handlers {
			w.check(t, who, srv.state())
		}
		expect(t, "the cache", cached(informer.GetStore()), sorted(values(srv.state())))
	})
}

func values(m map[string]string) (list []string) {
	for _, v := range m {
		list = append(list, v)
	}
	return list
}
