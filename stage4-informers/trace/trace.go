package trace

import (
	"context"
	"fmt"
	"iter"
	"net/http"
	"strings"
	"sync"
	"time"

	"example.com/kube-apiserver/stage1-main/process/logs"
	stage1 "example.com/kube-apiserver/stage1-main/server"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage3-storage/storage"
	"example.com/kube-apiserver/stage4-informers/cache"
	"example.com/kube-apiserver/stage4-informers/client"
	"example.com/kube-apiserver/stage4-informers/informers"
)

// stations are where a change comes past, in this order.
var stations = []string{"commit", "Cacher", "frame", "Reflector", "DeltaFIFO", "indexer", "handler"}

// keep is how many changes are followed at a time. One that somebody did not
// get to see, because his watch was cut, would be waited for in vain.
const keep = 1000

// Trace follows changes. A nil Trace does nothing and changes nothing.
type Trace struct {
	print func(lines ...string)
	own   bool // also what the server itself writes

	mu      sync.Mutex // guards what follows
	writing map[string]bool
	changes map[int64]*change // by revision
}

// change is one write on its way.
type change struct {
	what string
	at   map[string]time.Time
}

// New returns what -v asks for: with 2 a Trace of what others write, with 4 also
// of the server's own writes, else nil.
func New(print func(lines ...string)) *Trace {
	if !logs.V(2) {
		return nil
	}
	return &Trace{print: print, own: bool(logs.V(4)), writing: map[string]bool{}, changes: map[int64]*change{}}
}

type ownKey struct{}

// Chain marks the requests that the server sends to itself.
func (t *Trace) Chain(c stage1.Chain) stage1.Chain {
	if t == nil || t.own {
		return c
	}
	return append(c[:len(c):len(c)], stage1.Filter{Name: "trace", Wrap: func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			if req.UserAgent() == client.UserAgent {
				req = req.WithContext(context.WithValue(req.Context(), ownKey{}, true))
			}
			next.ServeHTTP(w, req)
		})
	}})
}

// Storage puts the first stations before and behind the cache that decorate makes.
func (t *Trace) Storage(decorate storage.Decorator) storage.Decorator {
	if t == nil {
		return decorate
	}
	return func(inner storage.Interface, prefix string) storage.Interface {
		return watched{decorate(committed{inner, t}, prefix), t}
	}
}

// committed is the storage as the Cacher sees it.
type committed struct {
	storage.Interface
	*Trace
}

func (c committed) Write(ctx context.Context, key string, live *object.Encoded, value []byte, ttl time.Duration) (*object.Encoded, error) {
	defer c.writes(ctx, key)()
	return c.Interface.Write(ctx, key, live, value, ttl)
}

// Tell: the commit tells the Cacher of changes, before their writers are answered.
func (c committed) Tell(prefix string, listen func([]storage.Event)) bool {
	return c.Interface.Tell(prefix, func(events []storage.Event) {
		for _, ev := range events {
			c.begin(ev)
		}
		listen(events)
		for _, ev := range events {
			c.pass(ev.Revision, "Cacher")
		}
	})
}

// watched is the Cacher as watches see it.
type watched struct {
	storage.Interface
	*Trace
}

func (w watched) Watch(ctx context.Context, prefix string, rev int64) iter.Seq2[storage.Event, error] {
	return func(yield func(storage.Event, error) bool) {
		for ev, err := range w.Interface.Watch(ctx, prefix, rev) {
			w.pass(ev.Revision, "frame")
			if !yield(ev, err) {
				return
			}
		}
	}
}

// ListerWatcher puts stations before and behind the Reflector that reads it.
func (t *Trace) ListerWatcher(lw cache.ListerWatcher) cache.ListerWatcher {
	if t == nil {
		return lw
	}
	return reflected{lw, t}
}

type reflected struct {
	cache.ListerWatcher
	*Trace
}

func (r reflected) Watch(ctx context.Context, version string) iter.Seq2[cache.Event, error] {
	return func(yield func(cache.Event, error) bool) {
		for ev, err := range r.ListerWatcher.Watch(ctx, version) {
			if err == nil {
				r.pass(ev.Object.Revision(), "Reflector")
			}
			if !yield(ev, err) { // the Reflector puts it into the queue
				return
			}
			if err == nil {
				r.pass(ev.Object.Revision(), "DeltaFIFO")
			}
		}
	}
}

// Informers asks for an informer of every resource, so that every change has a
// handler that it comes to.
func (t *Trace) Informers(f *informers.SharedInformerFactory, rows []catalog.Resource) {
	if t == nil {
		return
	}
	for _, r := range rows {
		informer := f.ForResource(r)
		arrived := func(obj any) {
			e, ok := obj.(*object.Encoded)
			if !ok {
				return // a deletion that was not seen has no revision
			}
			t.pass(e.Revision(), "indexer") // the cache is written before a handler hears of it
			t.pass(e.Revision(), "handler")
		}
		informer.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: arrived, UpdateFunc: func(_, obj any) { arrived(obj) }, DeleteFunc: arrived})
	}
}

// writes remembers who writes a key while he does.
func (t *Trace) writes(ctx context.Context, key string) (done func()) {
	own, _ := ctx.Value(ownKey{}).(bool)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.writing[key] = own
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		delete(t.writing, key)
	}
}

// begin follows a change from its commit on, unless it is the server's own.
func (t *Trace) begin(ev storage.Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if ev.Type == storage.Bookmark || t.writing[ev.Key] {
		return
	}
	if len(t.changes) >= keep {
		clear(t.changes)
	}
	t.changes[ev.Revision] = &change{fmt.Sprintf("%s %s %d", ev.Type, ev.Key, ev.Revision), map[string]time.Time{"commit": time.Now()}}
}

// pass notes when a change came first past a station, and prints its way when
// it came past all.
func (t *Trace) pass(revision int64, station string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.changes[revision]
	if c == nil {
		return
	}
	if _, was := c.at[station]; !was {
		c.at[station] = time.Now()
	}
	if len(c.at) == len(stations) {
		delete(t.changes, revision)
		t.print(c.String())
	}
}

// String is the change and its way, with the milliseconds since the commit.
func (c *change) String() string {
	way := []string{stations[0]}
	for _, station := range stations[1:] {
		since := min(c.at[station].Sub(c.at["commit"]), c.at["handler"].Sub(c.at["commit"])) // the queue is left before we hear that it was entered
		way = append(way, fmt.Sprintf("%s %.1f", station, float64(since.Microseconds())/1000))
	}
	return c.what + ": " + strings.Join(way, " → ") + " ms"
}
