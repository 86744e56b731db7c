package cache

import (
	"context"
	"errors"
	"log"
	"sync"
	"time"
)

// Controller moves changes: a Reflector fills its queue, its loop empties it.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/controller.go Controller
type Controller interface {
	// Run works until ctx ends and returns when all has stopped.
	Run(ctx context.Context)
	HasSynced() bool
	LastSyncResourceVersion() string
}

// Config is what a Controller is made of.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/controller.go Config
type Config struct {
	Name             string // of the collection, for the log
	Queue            *DeltaFIFO
	ListerWatcher    ListerWatcher
	Process          func(Deltas) error
	FullResyncPeriod time.Duration
	ShouldResync     func() bool
}

// New returns a Controller.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/controller.go New
func New(c Config) Controller {
	r := NewReflector(c.Name, c.ListerWatcher, c.Queue, c.FullResyncPeriod)
	r.ShouldResync = c.ShouldResync
	return &controller{config: c, reflector: r}
}

type controller struct {
	config    Config
	reflector *Reflector
}

func (c *controller) Run(ctx context.Context) {
	var producer sync.WaitGroup
	producer.Go(func() {
		c.reflector.Run(ctx)
		c.config.Queue.Close() // which ends processLoop
	})
	c.processLoop()
	producer.Wait()
}

// processLoop goes on after an error: the object stays out of the cache until
// its next change. It takes an index function that fails to get there.
//
// Differs: 1.7 drops the error without a word.
func (c *controller) processLoop() {
	for {
		err := c.config.Queue.Pop(c.config.Process)
		if errors.Is(err, ErrFIFOClosed) {
			return
		}
		if err != nil {
			log.Printf("informer of %s: %v", c.config.Name, err)
		}
	}
}

func (c *controller) HasSynced() bool { return c.config.Queue.HasSynced() }

func (c *controller) LastSyncResourceVersion() string { return c.reflector.LastSyncResourceVersion() }

// ResourceEventHandler hears of changes that have happened. What it gets is
// shared and must not be changed. One handler is called by one goroutine, in
// the order of the changes.
//
// obj is a *object.Encoded. OnDelete may get a DeletedFinalStateUnknown instead.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/controller.go ResourceEventHandler
type ResourceEventHandler interface {
	OnAdd(obj any)
	OnUpdate(oldObj, newObj any)
	OnDelete(obj any)
}

// ResourceEventHandlerFuncs is a handler made of functions; nil ones are skipped.
//
// Upstream: staging/src/k8s.io/client-go/tools/cache/controller.go ResourceEventHandlerFuncs
type ResourceEventHandlerFuncs struct {
	AddFunc    func(obj any)
	UpdateFunc func(oldObj, newObj any)
	DeleteFunc func(obj any)
}

// OnAdd calls AddFunc.
func (r ResourceEventHandlerFuncs) OnAdd(obj any) {
	if r.AddFunc != nil {
		r.AddFunc(obj)
	}
}

// OnUpdate calls UpdateFunc.
func (r ResourceEventHandlerFuncs) OnUpdate(oldObj, newObj any) {
	if r.UpdateFunc != nil {
		r.UpdateFunc(oldObj, newObj)
	}
}

// OnDelete calls DeleteFunc.
func (r ResourceEventHandlerFuncs) OnDelete(obj any) {
	if r.DeleteFunc != nil {
		r.DeleteFunc(obj)
	}
}
