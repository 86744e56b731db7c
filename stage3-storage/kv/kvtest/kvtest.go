package kvtest

import (
	"context"
	"fmt"
	"iter"
	"testing"
	"time"

	"example.com/kube-apiserver/stage3-storage/kv"
)

type claim struct {
	name string
	test func(*testing.T, kv.Store)
}

// Run proves the contract on stores that open makes, a new and empty one each time.
func Run(t *testing.T, open func(t *testing.T) kv.Store) {
	for _, claims := range [][]claim{writes, reads, watches, histories} {
		for _, c := range claims {
			t.Run(c.name, func(t *testing.T) {
				s := open(t)
				t.Cleanup(func() {
					if err := s.Close(); err != nil {
						t.Errorf("closing the store failed: %v", err)
					}
				})
				c.test(t, s)
			})
		}
	}
}

func put(t *testing.T, s kv.Store, key, value string, ifRev int64) int64 {
	t.Helper()
	rev, err := s.Write(t.Context(), kv.Write{Key: key, Value: []byte(value), IfRev: ifRev})
	if err != nil {
		t.Fatalf("the write of %s over revision %d failed: %v", key, ifRev, err)
	}
	return rev
}

func del(t *testing.T, s kv.Store, key string, ifRev int64) int64 {
	t.Helper()
	rev, err := s.Write(t.Context(), kv.Write{Key: key, Delete: true, IfRev: ifRev})
	if err != nil {
		t.Fatalf("the deletion of %s at revision %d failed: %v", key, ifRev, err)
	}
	return rev
}

func get(t *testing.T, s kv.Store, key string) kv.KV {
	t.Helper()
	got, err := s.Get(t.Context(), key)
	if err != nil {
		t.Fatalf("reading %s failed: %v", key, err)
	}
	return got
}

func revision(t *testing.T, s kv.Store) int64 {
	t.Helper()
	rev, err := s.Revision(t.Context())
	if err != nil {
		t.Fatalf("asking for the revision failed: %v", err)
	}
	return rev
}

// list is what a range holds, as text.
func list(t *testing.T, s kv.Store, r kv.Range) (string, kv.Result) {
	t.Helper()
	res, err := s.Range(t.Context(), r)
	if err != nil {
		t.Fatalf("the range from %q to %q at revision %d failed: %v", r.Start, r.End, r.Revision, err)
	}
	keys := []string{}
	for _, k := range res.KVs {
		keys = append(keys, fmt.Sprintf("%s=%s", k.Key, k.Value))
	}
	return fmt.Sprint(keys), res
}

func at(r kv.Range, rev int64) kv.Range {
	r.Revision = rev
	return r
}

// text is an event as text, and what was there before it in brackets.
func text(ev kv.Event) string {
	s := fmt.Sprintf("%s=%s", ev.KV.Key, ev.KV.Value)
	if ev.Deleted {
		s = "-" + ev.KV.Key
	}
	if ev.Prev != nil {
		s += fmt.Sprintf("(%s)", ev.Prev.Value)
	}
	return s
}

// patient is the context of a watch: with it, a lost event fails a test instead
// of stopping it.
func patient(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// watch yields the changes under p/, without the events that tell of progress.
func watch(ctx context.Context, s kv.Store, rev int64) iter.Seq2[kv.Event, error] {
	return func(yield func(kv.Event, error) bool) {
		for ev, err := range s.Watch(ctx, "p/", kv.PrefixEnd("p/"), rev) {
			if (ev.KV.Key != "" || err != nil) && !yield(ev, err) {
				return
			}
		}
	}
}

// take reads n events of the prefix p/ after rev, or up to an error.
func take(t *testing.T, s kv.Store, rev int64, n int) (events []kv.Event, err error) {
	t.Helper()
	for ev, err := range watch(patient(t), s, rev) {
		if err != nil {
			return events, err
		}
		if events = append(events, ev); len(events) == n {
			break
		}
	}
	return events, nil
}

// watched is take as text.
func watched(t *testing.T, s kv.Store, rev int64, n int) string {
	t.Helper()
	events, err := take(t, s, rev, n)
	texts := []string{}
	for _, ev := range events {
		texts = append(texts, text(ev))
	}
	if err != nil {
		t.Errorf("the watch from revision %d ended after %d of %d events (%v): %v", rev, len(events), n, texts, err)
	}
	return fmt.Sprint(texts)
}
