package cache_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"example.com/kube-apiserver/stage4-informers/cache"
)

func TestAnIndexFollowsTheObjects(t *testing.T) {
	indexer := cache.NewIndexer()
	put := func(key, value string) { indexer.Update(key, encoded(key, value, 1)) }
	found := func(namespace string) (list []string) {
		for _, obj := range indexer.ByNamespace(namespace) {
			list = append(list, text(obj))
		}
		return sorted(list)
	}
	for _, key := range []string{"red/a", "red/b", "blue/a", "everywhere"} {
		put(key, "1")
	}
	expect(t, "namespace red", found("red"), []string{"red/a=1", "red/b=1"})
	put("red/a", "2")
	indexer.Delete("red/b")
	indexer.Delete("blue/a")
	indexer.Delete("blue/b") // of which nobody knows
	expect(t, "namespace red after an update and a deletion", found("red"), []string{"red/a=2"})
	expect(t, "namespace blue after its last object has gone", found("blue"), nil)
	expect(t, "no namespace", found(""), []string{"everywhere=1"})
	expect(t, "the whole cache", cached(indexer), []string{"everywhere=1", "red/a=2"})
}

// A server on which namespaces come and go all day must not grow by it.
func TestANamespaceIsForgottenWithItsLastObject(t *testing.T) {
	indexer := cache.NewIndexer()
	for i := range 100 {
		for _, name := range []string{"a", "b"} {
			key := fmt.Sprintf("space-%d/%s", i, name)
			indexer.Update(key, encoded(key, "1", 1))
		}
		indexer.Delete(fmt.Sprintf("space-%d/a", i))
	}
	if n := cache.Namespaces(indexer); n != 100 {
		t.Errorf("a hundred namespaces have one object left each; the index has %d namespaces", n)
	}
	for i := range 100 {
		indexer.Delete(fmt.Sprintf("space-%d/b", i))
	}
	if n := cache.Namespaces(indexer); n != 0 {
		t.Errorf("all objects have gone, and the index still has %d namespaces", n)
	}
}

func TestAListIsOfOneMoment(t *testing.T) {
	indexer := cache.NewIndexer()
	indexer.Update("red/a", encoded("red/a", "1", 1))
	all, red := indexer.List(), indexer.ByNamespace("red")
	indexer.Delete("red/a")
	indexer.Update("red/b", encoded("red/b", "1", 2))
	for what, list := range map[string][]string{"List": slices.Collect(maps.Keys(all)), "ByNamespace": slices.Collect(maps.Keys(red))} {
		expect(t, "what "+what+" returned before the cache changed", list, []string{"red/a"})
	}
}

func TestKeys(t *testing.T) {
	for _, key := range []string{"default/a", "a"} {
		if got, err := cache.MetaNamespaceKeyFunc(encoded(key, "1", 1)); err != nil || got != key {
			t.Errorf("the key of %s is %q (error: %v)", key, got, err)
		}
	}
	gone := cache.DeletedFinalStateUnknown{Key: "default/a", Obj: encoded("default/a", "1", 1)}
	if got, err := cache.MetaNamespaceKeyFunc(gone); err != nil || got != "default/a" {
		t.Errorf("the key of an object whose deletion was not seen is %q (error: %v)", got, err)
	}
	if _, err := cache.MetaNamespaceKeyFunc("default/a"); err == nil {
		t.Error("a string was taken for an object")
	}
	if _, _, err := cache.SplitMetaNamespaceKey("a/b/c"); err == nil {
		t.Error("a key of three parts was accepted")
	}
}
