package kv_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"example.com/kube-apiserver/stage3-storage/kv"
	"example.com/kube-apiserver/stage3-storage/kv/bboltkv"
)

func ExampleStore() {
	ctx := context.Background()
	folder, _ := os.MkdirTemp("", "kv")
	defer os.RemoveAll(folder)
	s, _ := bboltkv.Open(ctx, bboltkv.Options{Path: filepath.Join(folder, "state.db")})
	defer s.Close()

	rev, _ := s.Write(ctx, kv.Write{Key: "/pods/web", Value: []byte("v1")})
	s.Write(ctx, kv.Write{Key: "/pods/web", Value: []byte("v2"), IfRev: rev})
	_, err := s.Write(ctx, kv.Write{Key: "/pods/web", Value: []byte("v3"), IfRev: rev})
	fmt.Println("stale writer:", err)

	for ev := range s.Watch(ctx, "/pods/", "/pods0", 1) {
		fmt.Printf("revision %d: %s\n", ev.KV.Revision, ev.KV.Value)
		if ev.KV.Revision == rev+1 {
			break
		}
	}
	// Output:
	// stale writer: key was changed meanwhile
	// revision 2: v1
	// revision 3: v2
}
