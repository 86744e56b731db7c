package cache_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage4-informers/cache"
)

func TestObjectDeletedWhileDisconnectedIsReported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := newServer("default/ghost", "default/stays")
		var handler recorder
		informer := cache.NewSharedIndexInformer("configmaps", srv, 0)
		informer.AddEventHandler(&handler)
		run(t, informer)
		handler.take()
		srv.do(func() {
			srv.disconnect(errCut)
			srv.remove("default/ghost")
			srv.compact() // no watch will ever tell
		})
		step(time.Minute)
		expect(t, "the cache", cached(informer.GetStore()), []string{"default/stays=1"})
		expect(t, "what the handler heard after the new list", sorted(handler.take()),
			[]string{"delete last known default/ghost=1"})
	})
}

// slow is a cache that leaves time enough for a handler that is told too early.
type slow struct {
	cache.Indexer
	order *recorder
}

func (s slow) Update(key string, obj *object.Encoded) {
	<-time.After(time.Second)
	s.order.note("cached %s", text(obj))
	s.Indexer.Update(key, obj)
}

// The article has GetStore return a handler that is called for new events. It
// returns the cache, which is written before the handlers are told.
func TestErratumE17(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := newServer()
		var order recorder
		informer := cache.NewSharedIndexInformer("configmaps", srv, 0)
		cache.Wrap(informer, func(i cache.Indexer) cache.Indexer { return slow{i, &order} })
		informer.AddEventHandler(&order)
		run(t, informer)
		srv.do(func() { srv.put("default/a", "1") })
		step(time.Minute)
		told := order.take()
		expect(t, "the order of cache and handler", told, []string{"cached default/a=1", "add default/a=1"})
		t.Logf("in this order: %q", told)
		expect(t, "GetStore().List()", cached(informer.GetStore()), []string{"default/a=1"})
	})
}

func TestAHandlerFindsInTheCacheWhatItHears(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := newServer("default/a")
		informer := cache.NewSharedIndexInformer("configmaps", srv, 0)
		var seen recorder
		look := func(obj any) {
			key, _ := cache.MetaNamespaceKeyFunc(obj)
			if item, exists := informer.GetStore().GetByKey(key); !exists {
				seen.note("nothing")
			} else {
				seen.note("%s", text(item))
			}
		}
		informer.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: look, UpdateFunc: func(_, obj any) { look(obj) }, DeleteFunc: look})
		run(t, informer)
		srv.do(func() { srv.put("default/a", "2") })
		synctest.Wait()
		srv.do(func() { srv.remove("default/a") })
		synctest.Wait()
		expect(t, "the cache as the handler found it at OnAdd, OnUpdate and OnDelete", seen.take(), []string{"default/a=1", "default/a=2", "nothing"})
	})
}

// The article speaks of the processes of an informer; it has goroutines, and
// Run is one of them until it is told to stop.
func TestErratumE18(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		informer := cache.NewSharedIndexInformer("configmaps", newServer("default/a"), time.Minute)
		informer.AddEventHandler(&recorder{})
		stop, returned := make(chan struct{}), false
		go func() {
			informer.Run(stop)
			returned = true
		}()
		step(time.Hour)
		t.Logf("after an hour, with its channel open, Run has returned: %v", returned)
		if returned {
			t.Error("Run returned although its channel is open")
		}
		close(stop)
		synctest.Wait()
		t.Logf("the channel is closed; Run has returned: %v", returned)
		if !returned {
			t.Error("Run did not return after its channel was closed")
		}
	})
}

func TestStopLeavesNoGoroutine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		informer := cache.NewSharedIndexInformer("configmaps", newServer("default/a"), time.Minute)
		var early, late recorder
		informer.AddEventHandler(&early)
		stop := make(chan struct{})
		go informer.Run(stop)
		synctest.Wait()
		informer.AddEventHandler(&late)
		synctest.Wait()
		if running := goroutines(); len(running) == 0 {
			t.Error("this test does not see the goroutines of a running informer, so it could not see one that is left")
		}
		close(stop)
		synctest.Wait()
		for _, g := range goroutines() {
			t.Errorf("a goroutine is left after the stop:\n%s", g)
		}
		var tooLate recorder
		informer.AddEventHandler(&tooLate)
		synctest.Wait()
		expect(t, "a handler that was added after the stop", tooLate.take(), nil)
	})
}

func TestAStopWaitsForOneCallAndNotForAllThatIsPending(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		informer := cache.NewSharedIndexInformer("configmaps", newServer("default/a", "default/b", "default/c"), 0)
		wait, called, returned := make(chan struct{}), 0, false
		informer.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: func(any) { called++; <-wait }})
		stop := make(chan struct{})
		go func() {
			informer.Run(stop)
			returned = true
		}()
		synctest.Wait()
		close(stop)
		synctest.Wait()
		if returned {
			t.Error("Run returned while a handler is being called")
		}
		close(wait)
		synctest.Wait()
		if !returned || called != 1 {
			t.Errorf("after that call has ended Run has returned: %v; the handler was called %d times, want true and 1", returned, called)
		}
	})
}

// goroutines returns those that run code of package cache.
func goroutines() []string {
	stacks := make([]byte, 1<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	var list []string
	for g := range strings.SplitSeq(string(stacks), "\n\n") {
		if strings.Contains(g, "/stage4-informers/cache.(") {
			list = append(list, g)
		}
	}
	return list
}

// Handlers come while objects do: an object must reach each of them either from
// the cache or as news, neither both ways nor none.
func TestALateHandlerHearsEverythingOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := newServer()
		srv.do(func() {
			for i := range 2000 { // it takes time to hand them out, in which something new can get lost
				srv.put(fmt.Sprintf("default/%d", i), "1")
			}
		})
		informer := cache.NewSharedIndexInformer("configmaps", srv, 0)
		run(t, informer)
		late := make([]map[string]int, 50)
		for i := range late { // each comes while an object is on its way
			srv.do(func() { srv.put(fmt.Sprintf("late/%d", i), "1") })
			late[i] = map[string]int{}
			informer.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: func(obj any) { late[i][text(obj)]++ }})
		}
		synctest.Wait()
		for i := range late {
			for _, obj := range informer.GetStore().List() {
				if n := late[i][text(obj)]; n != 1 {
					t.Fatalf("late handler %d heard %d times that %s was added, want once", i, n, text(obj))
				}
			}
		}
	})
}

func TestASlowHandlerDelaysOnlyItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := newServer("default/a")
		informer := cache.NewSharedIndexInformer("configmaps", srv, 0)
		var slow, quick recorder
		wait := make(chan struct{})
		informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
			AddFunc:    func(obj any) { <-wait; slow.OnAdd(obj) },
			UpdateFunc: slow.OnUpdate,
		})
		informer.AddEventHandler(&quick)
		run(t, informer)
		for _, value := range []string{"2", "3"} {
			srv.do(func() { srv.put("default/a", value) })
			synctest.Wait()
		}
		want := []string{"add default/a=1", "update default/a=1 to default/a=2", "update default/a=2 to default/a=3"}
		expect(t, "the quick handler, while the slow one hangs", quick.take(), want)
		expect(t, "the cache, while the slow handler hangs", cached(informer.GetStore()), []string{"default/a=3"})
		expect(t, "the slow handler", slow.take(), nil)
		close(wait)
		synctest.Wait()
		expect(t, "the slow handler afterwards: late, but everything and in order", slow.take(), want)
	})
}

func TestSyncedIsNotBeforeTheCacheIsFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := newServer("default/a", "default/b")
		informer := cache.NewSharedIndexInformer("configmaps", srv, 0)
		if informer.HasSynced() || informer.LastSyncResourceVersion() != "" {
			t.Error("an informer that does not run yet has synced")
		}
		never := make(chan struct{})
		close(never)
		if cache.WaitForCacheSync(never, informer.HasSynced) {
			t.Error("WaitForCacheSync said yes for an informer that does not run")
		}
		wait := make(chan struct{})
		informer.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: func(any) { <-wait }})
		run(t, informer)
		stop := make(chan struct{})
		time.AfterFunc(time.Hour, func() { close(stop) })
		if !cache.WaitForCacheSync(stop, informer.HasSynced, informer.GetController().HasSynced) {
			t.Error("WaitForCacheSync waited for an hour in vain; synced is the cache, also while a handler is still at its first object")
		}
		close(wait)
		expect(t, "the cache when the informer has synced", cached(informer.GetStore()), []string{"default/a=1", "default/b=1"})
		srv.do(func() { srv.disconnect(errCut) })
		synctest.Wait()
		if !informer.HasSynced() {
			t.Error("an informer that lost its connection is no longer synced; synced is for good")
		}
		if v := informer.GetController().LastSyncResourceVersion(); v != "2" {
			t.Errorf("the controller's LastSyncResourceVersion is %q, want that of the informer, 2", v)
		}
	})
}

func TestASecondRunDoesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := newServer("default/a")
		informer := cache.NewSharedIndexInformer("configmaps", srv, 0)
		run(t, informer)
		informer.Run(make(chan struct{}))
		expect(t, "the requests after a second Run", srv.requested(), []string{"LIST", "WATCH 1"})
	})
}
