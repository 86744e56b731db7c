package cache_test

import (
	"context"
	"iter"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage4-informers/cache"
)

// A write that falls between the answer to the list and the start of the watch
// is the one that a careless client loses.
func TestNothingIsLostBetweenListAndWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := newServer("default/stays", "default/goes")
		srv.afterList = func() {
			srv.do(func() {
				srv.put("default/comes", "1")
				srv.put("default/stays", "2")
				srv.remove("default/goes")
			})
		}
		informer := cache.NewSharedIndexInformer("configmaps", srv, 0)
		run(t, informer)
		expect(t, "the cache after three writes between LIST and WATCH", cached(informer.GetStore()), []string{"default/comes=1", "default/stays=2"})
		expect(t, "the requests", srv.requested(), []string{"LIST", "WATCH 2"})
	})
}

func TestRelistAfter410(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := newServer("default/a") // revision 1
		informer := cache.NewSharedIndexInformer("configmaps", srv, 0)
		run(t, informer)
		srv.do(func() {
			srv.put("default/a", "2")
			srv.put("default/b", "1")
			srv.compact() // revision 1 is forgotten before the client came back
			srv.disconnect(nil)
		})
		synctest.Wait()
		step(time.Minute)
		expect(t, "the requests: after a 410 there is a new list, and the watch starts from there",
			srv.requested(), []string{"LIST", "WATCH 1", "LIST", "WATCH 3"})
		expect(t, "the cache after the new list", cached(informer.GetStore()), []string{"default/a=2", "default/b=1"})
		if got := informer.LastSyncResourceVersion(); got != "3" {
			t.Errorf("LastSyncResourceVersion is %q after the new list, want 3", got)
		}
	})
}

// The server may itself refuse the version in the list: it was restored from
// an older backup.
func TestAVersionThatTheServerNeverReachedIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := newServer("default/a", "default/b") // revision 2
		informer := cache.NewSharedIndexInformer("configmaps", srv, 0)
		run(t, informer)
		srv.do(func() {
			srv.rev, srv.history = 0, nil
			clear(srv.live)
			srv.put("default/c", "1")
			srv.disconnect(status.New(500, "InternalError", "the data are others now", nil))
		})
		step(time.Minute)
		expect(t, "the requests", srv.requested(), []string{"LIST", "WATCH 2", "LIST", "WATCH 1"})
		expect(t, "the cache", cached(informer.GetStore()), []string{"default/c=1"})
	})
}

func TestAStreamThatEndsNormallyIsContinued(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := newServer("default/a")
		informer := cache.NewSharedIndexInformer("configmaps", srv, 0)
		run(t, informer)
		srv.do(func() { srv.put("default/a", "2") })
		step(5 * time.Minute)
		srv.do(func() { srv.disconnect(nil) })
		synctest.Wait()
		expect(t, "the requests: no second list", srv.requested(), []string{"LIST", "WATCH 1", "WATCH 2"})
	})
}

// The pause after a very short watch is for servers that bring nothing.
func TestAShortStreamThatBroughtSomethingIsContinuedAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := newServer("default/a")
		informer := cache.NewSharedIndexInformer("configmaps", srv, 0)
		run(t, informer)
		for _, value := range []string{"2", "3"} {
			srv.do(func() { srv.put("default/a", value) })
			synctest.Wait() // it has come, and no time has gone by
			srv.do(func() { srv.disconnect(nil) })
			synctest.Wait()
		}
		expect(t, "the requests before the clock moves", srv.requested(), []string{"LIST", "WATCH 1", "WATCH 2", "WATCH 3"})
		expect(t, "the cache", cached(informer.GetStore()), []string{"default/a=3"})
	})
}

// A list would show what became of an object, not what happened to it.
func TestACutConnectionIsNoReasonForANewList(t *testing.T) {
	for _, failure := range []error{errCut, status.New(http.StatusTooManyRequests, "TooManyRequests", "come back later", nil)} {
		synctest.Test(t, func(t *testing.T) {
			srv := newServer("default/a")
			var handler recorder
			informer := cache.NewSharedIndexInformer("configmaps", srv, 0)
			informer.AddEventHandler(&handler)
			run(t, informer)
			srv.do(func() {
				srv.disconnect(failure)
				srv.put("default/b", "1")
				srv.remove("default/b")
				srv.put("default/a", "2")
			})
			step(time.Minute)
			expect(t, "the requests: no second list", srv.requested(), []string{"LIST", "WATCH 1", "WATCH 1"})
			expect(t, "the handler", handler.take(), []string{"add default/a=1", "add default/b=1", "delete default/b=1", "update default/a=1 to default/a=2"})
		})
	}
}

// hasty ends every stream at once, as if all were well; the tenth it keeps open.
type hasty struct{ *server }

func (s hasty) Watch(ctx context.Context, version string) iter.Seq2[cache.Event, error] {
	return func(func(cache.Event, error) bool) {
		s.open(version)
		if len(s.requested()) > 10 {
			<-ctx.Done()
		}
	}
}

func TestAVeryShortWatchIsNotRepeatedAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := newServer("default/a")
		run(t, cache.NewSharedIndexInformer("configmaps", hasty{srv}, 0))
		expect(t, "the requests before the clock moves", srv.requested(), []string{"LIST", "WATCH 1"})
	})
}

func TestAFailingServerIsAskedLessAndLessOften(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := newServer("default/a")
		srv.afterList = func() { srv.do(func() { srv.put("default/a", "2"); srv.compact() }) } // every watch is too old
		informer := cache.NewSharedIndexInformer("configmaps", srv, 0)
		run(t, informer)
		lists := func() (n int) {
			for _, request := range srv.requested() {
				if strings.HasPrefix(request, "LIST") {
					n++
				}
			}
			return n
		}
		step(time.Minute)
		first := lists()
		step(9 * time.Minute)
		if later := lists() - first; first < 4 || first > 7 || later < 8 || later > 20 {
			t.Errorf("a server that fails every watch was listed %d times in the first minute and %d times in the next nine; want about 5 and about 12", first, later)
		}
	})
}

func TestALongGoodTimeMakesUpForFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := newServer("default/a")
		var well atomic.Bool
		srv.afterList = func() {
			if !well.Load() {
				srv.do(func() { srv.put("default/a", "2"); srv.compact() })
			}
		}
		informer := cache.NewSharedIndexInformer("configmaps", srv, 0)
		run(t, informer)
		step(10 * time.Minute) // the pauses have become long
		well.Store(true)
		step(10 * time.Minute)
		srv.do(func() { srv.put("default/b", "1"); srv.disconnect(errCut) })
		step(2 * time.Second)
		if _, known := informer.GetStore().GetByKey("default/b"); !known {
			t.Error("two seconds after the first failure in a long time the informer has not tried again")
		}
	})
}

func TestBookmarksMoveTheVersion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := newServer("default/a")
		var handler recorder
		informer := cache.NewSharedIndexInformer("configmaps", srv, 0)
		informer.AddEventHandler(&handler)
		run(t, informer)
		srv.do(func() {
			srv.rev = 40
			srv.history = append(srv.history, cache.Event{Type: cache.EventBookmark, Object: encoded("", "", 40)})
		})
		synctest.Wait()
		if got := informer.LastSyncResourceVersion(); got != "40" {
			t.Errorf("LastSyncResourceVersion is %q after a bookmark at 40", got)
		}
		expect(t, "a bookmark is no news to a handler", handler.take(), []string{"add default/a=1"})
		step(time.Minute)
		srv.do(func() { srv.compact(); srv.disconnect(nil) })
		synctest.Wait()
		expect(t, "the requests: thanks to the bookmark the version is not too old", srv.requested(), []string{"LIST", "WATCH 1", "WATCH 40"})
	})
}

func TestAnEventOfUnknownTypeLeadsToANewList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := newServer("default/a")
		informer := cache.NewSharedIndexInformer("configmaps", srv, 0)
		run(t, informer)
		srv.do(func() {
			srv.put("default/a", "2")
			srv.history[len(srv.history)-1].Type = "RENAMED"
		})
		step(time.Minute)
		expect(t, "the requests", srv.requested(), []string{"LIST", "WATCH 1", "LIST", "WATCH 2"})
		expect(t, "the cache", cached(informer.GetStore()), []string{"default/a=2"})
	})
}

// careless is a server that forgets the resourceVersion of an event.
type careless struct{ *server }

func (s careless) Watch(ctx context.Context, version string) iter.Seq2[cache.Event, error] {
	return func(yield func(cache.Event, error) bool) {
		s.open(version)
		yield(cache.Event{Type: cache.EventBookmark, Object: object.Unstored(&object.Object{APIVersion: "v1", Kind: "ConfigMap"})}, nil)
	}
}

func TestAnEventWithoutVersionLeadsToANewList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := newServer("default/a")
		run(t, cache.NewSharedIndexInformer("configmaps", careless{srv}, 0))
		step(2 * time.Second)
		expect(t, "the requests: no watch without a version", srv.requested(), []string{"LIST", "WATCH 1", "LIST", "WATCH 1"})
	})
}

// versionless is a server that forgets the list's own resourceVersion.
type versionless struct{ *server }

func (s versionless) List(ctx context.Context) (cache.List, error) {
	list, err := s.server.List(ctx)
	list.ResourceVersion = ""
	return list, err
}

func TestAListWithoutVersionIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := newServer("default/a")
		informer := cache.NewSharedIndexInformer("configmaps", versionless{srv}, 0)
		run(t, informer)
		expect(t, "the requests: no watch, because nobody knows from where", srv.requested(), []string{"LIST"})
		if informer.HasSynced() {
			t.Error("the informer has synced with a list that it cannot continue")
		}
	})
}
