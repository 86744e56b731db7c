package cacher_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"example.com/kube-apiserver/stage3-storage/kv/bboltkv"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/storage"
	"example.com/kube-apiserver/stage4-informers/cacher"
	"example.com/kube-apiserver/stage4-informers/wire/events"
)

// One page of a list is read, then somebody deletes what the next page begins
// with. The next page is of the same moment, and comes from memory: today's
// objects with the later changes undone.
func ExampleCachers_Decorate() {
	ctx := context.Background()
	folder, _ := os.MkdirTemp("", "cacher")
	defer os.RemoveAll(folder)
	engine, _ := bboltkv.Open(ctx, bboltkv.Options{Path: filepath.Join(folder, "state.db")})
	defer engine.Close()
	cachers := cacher.New(events.UntilBookmark)
	defer cachers.Stop()
	pods := cachers.Decorate(storage.New(engine), "/registry/pods")

	write := func(name string, obj *object.Object) {
		storage.GuaranteedUpdate(ctx, pods, "/registry/pods/"+name, func(*object.Encoded) (*object.Object, time.Duration, error) { return obj, 0, nil })
	}
	for _, name := range []string{"a", "b", "c", "d"} {
		write(name, &object.Object{Kind: "Pod"})
	}
	page, _ := pods.List(ctx, "/registry/pods/", storage.ListOptions{Limit: 2})
	write("c", nil) // deletes
	rest, _ := pods.List(ctx, "/registry/pods/", storage.ListOptions{Revision: page.Revision, Start: page.Keys[1] + "\x00"})
	fresh, _ := pods.List(ctx, "/registry/pods/", storage.ListOptions{})

	fmt.Println("revision", page.Revision, page.Keys, "and", page.Remaining, "more:", rest.Keys)
	fmt.Println("revision", fresh.Revision, fresh.Keys)
	// Output:
	// revision 5 [/registry/pods/a /registry/pods/b] and 2 more: [/registry/pods/c /registry/pods/d]
	// revision 6 [/registry/pods/a /registry/pods/b /registry/pods/d]
}
