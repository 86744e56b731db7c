package informers_test

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"sync"
	"testing"
	"testing/synctest"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage4-informers/cache"
	"example.com/kube-apiserver/stage4-informers/informers"
)

var (
	pods        = catalog.Resource{Version: "v1", Name: "pods", Kind: "Pod", Namespaced: true}
	services    = catalog.Resource{Version: "v1", Name: "services", Kind: "Service", Namespaced: true}
	deployments = catalog.Resource{Group: "apps", Version: "v1", Name: "deployments", Kind: "Deployment", Namespaced: true}
)

// server stands for the API server: every collection holds one object, nothing
// ever changes, and the lists are counted.
type server struct {
	mu    sync.Mutex // guards lists
	lists map[string]int
}

func (s *server) collection(r catalog.Resource) cache.ListerWatcher { return collection{s, r} }

func (s *server) listed() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.lists)
}

type collection struct {
	*server
	r catalog.Resource
}

func (c collection) List(context.Context) (cache.List, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.lists == nil {
		c.lists = map[string]int{}
	}
	c.lists[c.r.GroupResource()]++
	obj := object.Object{APIVersion: c.r.APIVersion(), Kind: c.r.Kind, Meta: object.Meta{Namespace: "default", Name: "web"}}
	return cache.List{Items: []*object.Encoded{object.NewEncoded(obj.Encode(), 1)}, ResourceVersion: "1"}, nil
}

func (c collection) Watch(ctx context.Context, _ string) iter.Seq2[cache.Event, error] {
	return func(func(cache.Event, error) bool) { <-ctx.Done() }
}

// The article has the hook start all SharedInformers. It starts those of this
// factory that were asked for, each of them once.
func TestErratumE13(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var srv server
		factory := informers.NewSharedInformerFactory(srv.collection, 0)
		stop := make(chan struct{})
		defer func() { close(stop); factory.Shutdown() }()
		start := func(claim string, want map[string]int, synced map[informers.GroupVersionResource]bool) {
			t.Helper()
			factory.Start(stop)
			synctest.Wait()
			got := srv.listed()
			if !maps.Equal(got, want) {
				t.Errorf("%s: the lists are %v, want %v", claim, got, want)
			}
			if got := factory.WaitForCacheSync(stop); !maps.Equal(got, synced) {
				t.Errorf("%s: the started informers that have synced are %v, want %v", claim, got, synced)
			}
			if !t.Failed() {
				t.Logf("%s: informers that have listed, and how often: %v", claim, want)
			}
		}
		factory.ForResource(pods)
		factory.ForResource(services)
		two := map[informers.GroupVersionResource]bool{informers.KeyOf(pods): true, informers.KeyOf(services): true}
		start("two of three resources were asked for", map[string]int{"pods": 1, "services": 1}, two)
		start("Start was called again", map[string]int{"pods": 1, "services": 1}, two)
		factory.ForResource(deployments)
		two[informers.KeyOf(deployments)] = true
		start("the third was asked for later", map[string]int{"pods": 1, "services": 1, "deployments.apps": 1}, two)
	})
}

func TestAnInformerIsShared(t *testing.T) {
	var srv server
	factory := informers.NewSharedInformerFactory(srv.collection, 0)
	if factory.ForResource(pods) != factory.ForResource(pods) {
		t.Error("two who ask for pods get two informers, so the server is watched twice and there are two caches")
	}
	if factory.ForResource(pods) == factory.ForResource(services) {
		t.Error("pods and services have the same informer")
	}
}

func TestShutdownWaitsForTheInformers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var srv server
		factory := informers.NewSharedInformerFactory(srv.collection, 0)
		working := make(chan struct{})
		factory.ForResource(pods).AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: func(any) { <-working }})
		stop, down := make(chan struct{}), false
		factory.Start(stop)
		synctest.Wait()
		close(stop)
		go func() {
			factory.Shutdown()
			down = true
		}()
		synctest.Wait()
		if down {
			t.Error("Shutdown returned while a handler was still at work")
		}
		close(working)
		synctest.Wait()
		if !down {
			t.Error("Shutdown did not return although every informer has stopped")
		}
		factory.ForResource(services)
		factory.Start(make(chan struct{}))
		synctest.Wait()
		if srv.listed()["services"] != 0 {
			t.Error("Start after Shutdown started an informer that nobody will wait for")
		}
	})
}

func TestAStopEndsTheWaitForCaches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		never := func(catalog.Resource) cache.ListerWatcher { return unreachable{} }
		factory := informers.NewSharedInformerFactory(never, 0)
		factory.ForResource(pods)
		stop := make(chan struct{})
		factory.Start(stop)
		go func() {
			synctest.Wait() // the caches are waited for, in vain
			close(stop)
		}()
		if synced := factory.WaitForCacheSync(stop); synced[informers.KeyOf(pods)] {
			t.Error("pods have synced although the server never answered")
		}
		factory.Shutdown()
	})
}

// unreachable is a server that does not answer.
type unreachable struct{}

func (unreachable) List(ctx context.Context) (cache.List, error) {
	<-ctx.Done()
	return cache.List{}, ctx.Err()
}

func (unreachable) Watch(context.Context, string) iter.Seq2[cache.Event, error] {
	panic("a watch came before the list")
}

// What the hook start-kube-apiserver-informers does, and what it is good for.
func Example() {
	var srv server
	sharedInformers := informers.NewSharedInformerFactory(srv.collection, 0)
	store := sharedInformers.ForResource(pods).GetStore()
	sharedInformers.ForResource(deployments)

	stopCh := make(chan struct{})
	sharedInformers.Start(stopCh)
	sharedInformers.WaitForCacheSync(stopCh)
	_, exists := store.GetByKey("default/web")
	fmt.Println("default/web is cached:", exists)
	fmt.Println("lists:", srv.listed())

	close(stopCh)
	sharedInformers.Shutdown()
	// Output:
	// default/web is cached: true
	// lists: map[deployments.apps:1 pods:1]
}
