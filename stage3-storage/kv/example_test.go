package kv_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"example.com/kube-apiserver/stage3-storage/kv"
	"example.com/kube-apiserver/stage3-storage/kv/bboltkv"
)

// Two writers read the same revision; one of them wins. Whoever watches from
// that revision learns what came after it.
func ExampleStore() {
	ctx := context.Background()
	folder, _ := os.MkdirTemp("", "kv")
	defer os.RemoveAll(folder)
	s, _ := bboltkv.Open(ctx, bboltkv.Options{Path: filepath.Join(folder, "state.db")})
	defer s.Close()

	rev, _ := s.Write(ctx, kv.Write{Key: "pods/web", Value: []byte("new")})
	s.Write(ctx, kv.Write{Key: "pods/web", Value: []byte("scheduled"), IfRev: rev})
	_, err := s.Write(ctx, kv.Write{Key: "pods/web", Value: []byte("evicted"), IfRev: rev})
	fmt.Println("second writer:", err)

	for ev := range s.Watch(ctx, "pods/", kv.PrefixEnd("pods/"), rev) {
		fmt.Printf("after revision %d came %d: %s, before it %s\n", rev, ev.KV.Revision, ev.KV.Value, ev.Prev.Value)
		break
	}
	// Output:
	// second writer: key was changed meanwhile
	// after revision 2 came 3: scheduled, before it new
}
