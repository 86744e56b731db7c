package cache_test

import (
	"errors"
	"testing"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage4-informers/cache"
)

// byValue indexes the objects of these tests by their one value.
func byValue(obj *object.Encoded) ([]string, error) {
	o, err := obj.Object()
	if err != nil {
		return nil, err
	}
	value := o.Fields["data"].(map[string]any)["k"].(string)
	if value == "bad" {
		return nil, errors.New("no index for that")
	}
	return []string{value}, nil
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

func found(t *testing.T, indexer cache.Indexer, index, value string) []string {
	t.Helper()
	objs, err := indexer.ByIndex(index, value)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, obj := range objs {
		list = append(list, text(obj))
	}
	return sorted(list)
}

func TestAnIndexFollowsTheObjects(t *testing.T) {
	indexer := cache.NewIndexer(cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc, "value": byValue})
	must(t, indexer.Add(encoded("red/a", "1", 1)), indexer.Add(encoded("red/b", "1", 2)), indexer.Add(encoded("blue/a", "1", 3)))
	expect(t, "namespace red", found(t, indexer, cache.NamespaceIndex, "red"), []string{"red/a=1", "red/b=1"})
	must(t, indexer.Update(encoded("red/a", "2", 4)), indexer.Delete(encoded("blue/a", "1", 5)))
	expect(t, "value 1 after an update took one object out and a deletion another", found(t, indexer, "value", "1"), []string{"red/b=1"})
	expect(t, "value 2", found(t, indexer, "value", "2"), []string{"red/a=2"})
}

func TestAnIndexMayBeAddedLater(t *testing.T) {
	indexer := cache.NewIndexer(nil)
	must(t, indexer.Add(encoded("red/a", "1", 1)))
	if _, err := indexer.ByIndex("value", "1"); err == nil {
		t.Error("an index that does not exist was asked for and there was no error")
	}
	must(t, indexer.AddIndexers(cache.Indexers{"value": byValue}))
	expect(t, "objects that were there before the index", found(t, indexer, "value", "1"), []string{"red/a=1"})
	if err := indexer.AddIndexers(cache.Indexers{"value": byValue}); err == nil {
		t.Error("a second index of the same name was accepted; one of its two owners would get wrong answers")
	}
}

func TestAnObjectThatCannotBeIndexedChangesNothing(t *testing.T) {
	indexer := cache.NewIndexer(cache.Indexers{"value": byValue})
	must(t, indexer.Add(encoded("a", "1", 1)))
	if indexer.Update(encoded("a", "bad", 2)) == nil {
		t.Error("an index function failed and the store said nothing")
	}
	expect(t, "the store", cached(indexer), []string{"a=1"})
	expect(t, "the index", found(t, indexer, "value", "1"), []string{"a=1"})
}

func TestKeys(t *testing.T) {
	for _, key := range []string{"default/a", "a"} {
		if got, err := cache.MetaNamespaceKeyFunc(encoded(key, "1", 1)); err != nil || got != key {
			t.Errorf("the key of %s is %q (error: %v)", key, got, err)
		}
	}
	gone := cache.DeletedFinalStateUnknown{Key: "default/a", Obj: encoded("default/a", "1", 1)}
	if got, err := cache.DeletionHandlingMetaNamespaceKeyFunc(gone); err != nil || got != "default/a" {
		t.Errorf("the key of an object whose deletion was not seen is %q (error: %v)", got, err)
	}
	if _, err := cache.DeletionHandlingMetaNamespaceKeyFunc("default/a"); err == nil {
		t.Error("a string was taken for an object")
	}
	if _, _, err := cache.SplitMetaNamespaceKey("a/b/c"); err == nil {
		t.Error("a key of three parts was accepted")
	}
}
