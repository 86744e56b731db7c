package storage_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"example.com/kube-apiserver/stage3-storage/kv/bboltkv"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/storage"
)

// Somebody else writes between our read and our write: the update runs again,
// on what is there now, and nothing is lost.
func ExampleGuaranteedUpdate() {
	ctx := context.Background()
	folder, _ := os.MkdirTemp("", "storage")
	defer os.RemoveAll(folder)
	engine, _ := bboltkv.Open(ctx, bboltkv.Options{Path: filepath.Join(folder, "state.db")})
	defer engine.Close()
	s := storage.New(engine)

	set := func(text string) storage.Update {
		return func(*object.Encoded) (*object.Object, time.Duration, error) {
			return &object.Object{Kind: "Note", Fields: map[string]any{"text": text}}, 0, nil
		}
	}
	storage.GuaranteedUpdate(ctx, s, "/notes/a", set("milk"))
	storage.GuaranteedUpdate(ctx, s, "/notes/a", func(live *object.Encoded) (*object.Object, time.Duration, error) {
		obj, _ := live.Object()
		text := obj.Fields["text"].(string)
		fmt.Println("read:", text)
		if text == "milk" {
			storage.GuaranteedUpdate(ctx, s, "/notes/a", set("bread")) // the other writer
		}
		return set(text + ", eggs")(live)
	})
	note, _ := s.Get(ctx, "/notes/a")
	fmt.Println(string(note.JSON()))
	// Output:
	// read: milk
	// read: bread
	// {"kind":"Note","apiVersion":"","metadata":{"resourceVersion":"4"},"text":"bread, eggs"}
}
