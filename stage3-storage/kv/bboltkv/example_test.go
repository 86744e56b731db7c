package bboltkv_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"example.com/kube-apiserver/stage3-storage/kv"
	"example.com/kube-apiserver/stage3-storage/kv/bboltkv"
)

// A store is a file: what was acknowledged is there when it is opened again,
// and revisions go on from where they were.
func ExampleOpen() {
	ctx := context.Background()
	folder, _ := os.MkdirTemp("", "bboltkv")
	defer os.RemoveAll(folder)
	o := bboltkv.Options{Path: filepath.Join(folder, "state.db")}
	for _, key := range []string{"pods/a", "pods/b"} {
		s, _ := bboltkv.Open(ctx, o)
		s.Tell(func(events []kv.Event) {
			fmt.Printf("on disk: %s at revision %d\n", events[0].KV.Key, events[0].KV.Revision)
		})
		s.Write(ctx, kv.Write{Key: key})
		pods, _ := s.Range(ctx, kv.Prefix("pods/"))
		fmt.Println(len(pods.KVs), "pods at revision", pods.Revision)
		s.Close()
	}
	// Output:
	// on disk: pods/a at revision 2
	// 1 pods at revision 2
	// on disk: pods/b at revision 3
	// 2 pods at revision 3
}
