package cache_test

import (
	"fmt"

	"example.com/kube-apiserver/stage4-informers/cache"
)

// An object is created, changed and deleted; the handler hears of it, and the
// cache is always as far as the handler.
func Example() {
	srv, heard := newServer("default/web"), make(chan string)
	informer := cache.NewSharedIndexInformer("configmaps", srv, 0)
	informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(obj any) { heard <- "added   " + text(obj) },
		UpdateFunc: func(old, obj any) { heard <- "updated " + text(old) + " to " + text(obj) },
		DeleteFunc: func(obj any) { heard <- "deleted " + text(obj) },
	})
	stopCh := make(chan struct{})
	defer close(stopCh)
	go informer.Run(stopCh)

	fmt.Println(<-heard, cached(informer.GetStore()))
	srv.do(func() { srv.put("default/web", "2") })
	fmt.Println(<-heard, cached(informer.GetStore()))
	srv.do(func() { srv.remove("default/web") })
	fmt.Println(<-heard, cached(informer.GetStore()))
	// Output:
	// added   default/web=1 [default/web=1]
	// updated default/web=1 to default/web=2 [default/web=2]
	// deleted default/web=2 []
}
