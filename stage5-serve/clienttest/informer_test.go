package clienttest

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/tools/cache"
)

// witness is a handler that holds what it hears against what it heard before.
type witness struct {
	mu     sync.Mutex        // guards what follows
	known  map[string]string // resourceVersion by key
	wrong  []string
	same   int           // updates to the same version: a resync, or a new list
	change chan struct{} // closed and replaced at each change
}

func newWitness() *witness { return &witness{known: map[string]string{}, change: make(chan struct{})} }

func (w *witness) note(what, key, before, after string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if is := w.known[key]; is != before && what != "delete" || is == "" && what == "delete" {
		w.wrong = append(w.wrong, fmt.Sprintf("%s of %s from version %q to %q although it was %q", what, key, before, after, is))
	}
	if before == after {
		w.same++
	}
	if w.known[key] = after; after == "" {
		delete(w.known, key)
	}
	close(w.change)
	w.change = make(chan struct{})
}

func (w *witness) OnAdd(obj any, _ bool) {
	m := obj.(meta.Object)
	w.note("add", m.GetName(), "", m.GetResourceVersion())
}

func (w *witness) OnUpdate(old, obj any) {
	was, is := old.(meta.Object), obj.(meta.Object)
	w.note("update", is.GetName(), was.GetResourceVersion(), is.GetResourceVersion())
}

func (w *witness) OnDelete(obj any) {
	if gone, ok := obj.(cache.DeletedFinalStateUnknown); ok {
		obj = gone.Obj
	}
	w.note("delete", obj.(meta.Object).GetName(), "", "")
}

// until waits for news until is holds.
func (w *witness) until(t *testing.T, claim string, is func() bool) {
	t.Helper()
	ctx := within(t)
	for {
		w.mu.Lock()
		done, change := is(), w.change
		w.mu.Unlock()
		if done {
			return
		}
		select {
		case <-change:
		case <-ctx.Done():
			t.Fatalf("after a minute it is still not so that %s", claim)
		}
	}
}

// knows waits until the witness knows exactly what the server has.
func (w *witness) knows(t *testing.T, who string, live map[string]string) {
	t.Helper()
	w.until(t, who+" knows what the server has", func() bool { return maps.Equal(w.known, live) })
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, what := range w.wrong[:min(len(w.wrong), 3)] {
		t.Errorf("%s heard of a change that does not follow from the one before: %s", who, what)
	}
}

// writer changes config maps and knows their versions.
type writer struct {
	*testing.T
	client kubernetes.Interface
	live   map[string]string
}

func (w *writer) write() {
	w.Helper()
	maps := w.client.CoreV1().ConfigMaps("default")
	name := fmt.Sprintf("c%d", rand.IntN(10))
	object := &core.ConfigMap{ObjectMeta: meta.ObjectMeta{Name: name, Labels: map[string]string{"by": "writer"}}, Data: map[string]string{"n": fmt.Sprint(rand.Int())}}
	switch {
	case w.live[name] == "":
		made, err := maps.Create(w.Context(), object, meta.CreateOptions{})
		must(w.T, err)
		w.live[name] = made.ResourceVersion
	case rand.IntN(3) == 0:
		must(w.T, maps.Delete(w.Context(), name, meta.DeleteOptions{}))
		delete(w.live, name)
	default:
		stored, err := maps.Update(w.Context(), object, meta.UpdateOptions{})
		must(w.T, err)
		w.live[name] = stored.ResourceVersion
	}
}

// byWriter makes a factory look at what the writer makes and at nothing else.
func byWriter(o *meta.ListOptions) { o.LabelSelector = "by=writer" }

// cuts is how often a connection is cut.
const cuts = 300

func TestAnInformerSurvivesCutsAndARestart(t *testing.T) {
	s := start(t)
	factory := informers.NewSharedInformerFactoryWithOptions(s.clientset(s.throughProxy()), 0, informers.WithTweakListOptions(byWriter))
	informer := factory.Core().V1().ConfigMaps().Informer()
	first, late := newWitness(), newWitness()
	informer.AddEventHandler(first)
	factory.StartWithContext(within(t))
	w := &writer{t, s.clientset(s.config()), map[string]string{}}
	for i := range cuts {
		for range 2 { // a list may bring the first, so the second comes by the watch: client-go pauses long after a watch that brought nothing
			w.write()
			first.knows(t, fmt.Sprintf("the handler, after cut %d,", i), w.live)
		}
		s.proxy.cut()
		w.write()
		w.write()
		if i == cuts/2 {
			informer.AddEventHandler(late)
		}
	}
	first.knows(t, "the handler, after all cuts,", w.live)
	late.knows(t, "the late handler", w.live)
	s.stop()
	s.up()
	w.client = s.clientset(s.config())
	for range 20 {
		w.write()
	}
	first.knows(t, "the handler, after a restart of the server,", w.live)
	late.knows(t, "the late handler, after a restart of the server,", w.live)
}

func TestAResyncAsksTheServerNothing(t *testing.T) {
	s := start(t)
	w := &writer{t, s.clientset(s.config()), map[string]string{}}
	for len(w.live) < 5 {
		w.write()
	}
	config := s.config()
	var requests atomic.Int64
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return counting{next, &requests} })
	factory := informers.NewSharedInformerFactoryWithOptions(s.clientset(config), time.Second, informers.WithTweakListOptions(byWriter))
	handler := newWitness()
	factory.Core().V1().ConfigMaps().Informer().AddEventHandler(handler)
	factory.StartWithContext(within(t))
	handler.knows(t, "the handler", w.live)
	handler.until(t, "every object was shown once more", func() bool { return handler.same >= len(w.live) })
	before := requests.Load()
	handler.until(t, "every object was shown a third time", func() bool { return handler.same >= 2*len(w.live) })
	if n := requests.Load() - before; n > 0 {
		t.Errorf("a resync made %d requests, want 0", n)
	}
}

type counting struct {
	next http.RoundTripper
	n    *atomic.Int64
}

func (c counting) RoundTrip(req *http.Request) (*http.Response, error) {
	c.n.Add(1)
	return c.next.RoundTrip(req)
}

func TestAnInformerOfMetadataKnowsEveryKind(t *testing.T) {
	s := start(t)
	client, err := metadata.NewForConfig(s.config())
	must(t, err)
	lists, err := s.clientset(s.config()).Discovery().ServerPreferredResources()
	must(t, err)
	factory := metadatainformer.NewSharedInformerFactory(client, 0)
	ctx, n := within(t), 0
	for _, list := range lists {
		for _, r := range list.APIResources {
			if slices.Contains(r.Verbs, "list") && slices.Contains(r.Verbs, "watch") {
				factory.ForResource(schema.FromAPIVersionAndKind(list.GroupVersion, "").GroupVersion().WithResource(r.Name)).Informer()
				n++
			}
		}
	}
	factory.Start(ctx.Done())
	synced := factory.WaitForCacheSync(ctx.Done())
	for r, ok := range synced {
		if !ok {
			t.Errorf("the informer of the metadata of %s has no list", r)
		}
	}
	if n < 10 || len(synced) != n {
		t.Errorf("%d of %d kinds have an informer; want at least the 10 of the core group", len(synced), n)
	}
}

func TestAListerAndAWatchOfTheSameVersionFitTogether(t *testing.T) {
	s := start(t)
	client := s.clientset(s.config())
	w := &writer{t, client, map[string]string{}}
	ctx := within(t)
	for range 20 {
		list, err := client.CoreV1().ConfigMaps("default").List(ctx, meta.ListOptions{LabelSelector: "by=writer"})
		must(t, err)
		w.write() // between the two
		watch, err := client.CoreV1().ConfigMaps("default").Watch(ctx, meta.ListOptions{LabelSelector: "by=writer", ResourceVersion: list.ResourceVersion})
		must(t, err)
		event := next(ctx, t, watch.ResultChan())
		watch.Stop()
		if is := event.Object.(*core.ConfigMap); event.Type != "DELETED" && w.live[is.Name] != is.ResourceVersion {
			t.Fatalf("the first event after the list is %s of version %s; the write after the list made %s", is.Name, is.ResourceVersion, w.live[is.Name])
		}
	}
}

func next[T any](ctx context.Context, t *testing.T, events <-chan T) T {
	t.Helper()
	select {
	case event, open := <-events:
		if !open {
			t.Fatal("the watch has ended")
		}
		return event
	case <-ctx.Done():
		t.Fatal("no event came")
		panic("not reached")
	}
}
