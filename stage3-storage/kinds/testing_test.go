package kinds_test

import (
	"context"
	"encoding/json"
	"net"
	"strings"
	"testing"
	"time"

	"example.com/kube-apiserver/stage3-storage/kinds"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/field"
)

// This file has what the tests share: a table of kinds, and objects from JSON.

var serviceNetwork = net.IPNet{IP: net.IPv4(10, 0, 0, 0).To4(), Mask: net.CIDRMask(24, 32)}

func newOptions() kinds.Options {
	return kinds.Options{EventTTL: time.Hour, Services: kinds.NewAllocator(serviceNetwork, 30000, 2768), NamespaceFinalizer: "kubernetes"}
}

func kind(t testing.TB, list []kinds.Kind, name string) kinds.Kind {
	t.Helper()
	for _, k := range list {
		if k.Resource.Kind == name {
			return k
		}
	}
	t.Fatalf("the table has no kind %s", name)
	return kinds.Kind{}
}

// parse makes an object of kind k of JSON, which may lack apiVersion and kind.
func parse(t testing.TB, k kinds.Kind, text string) *object.Object {
	t.Helper()
	tree, err := object.Parse([]byte(text))
	if err != nil {
		t.Fatalf("the test's own JSON does not parse: %v\n%s", err, text)
	}
	o, err := object.FromTree(tree)
	if err != nil {
		t.Fatalf("the test's own JSON is no object: %v", err)
	}
	o.APIVersion, o.Kind = "v1", k.Resource.Kind
	if o.Meta.Name == "" {
		o.Meta.Name = "x"
	}
	if k.Resource.Namespaced && o.Meta.Namespace == "" {
		o.Meta.Namespace = "default"
	}
	if o.Meta.UID == "" {
		o.Meta.UID = "uid-of-" + o.Meta.Name
	}
	return o
}

// create runs what a creation runs, without a store.
func create(t testing.TB, k kinds.Kind, text string) (*object.Object, error) {
	t.Helper()
	o := parse(t, k, text)
	return o, prepare(k, o, nil)
}

// update runs what an update runs. Like the registry, it puts back what the
// main path cannot change.
func update(t testing.TB, k kinds.Kind, text string, old *object.Object) (*object.Object, error) {
	t.Helper()
	o := parse(t, k, text)
	o.Meta.UID = old.Meta.UID
	return o, prepare(k, o, old)
}

func prepare(k kinds.Kind, o, old *object.Object) error {
	for _, name := range k.Strategy.KeepOld {
		delete(o.Fields, name)
		if old != nil && old.Fields[name] != nil {
			o.Fields[name] = object.CopyTree(old.Fields[name])
		}
	}
	if k.Strategy.Default != nil {
		k.Strategy.Default(o)
	}
	switch {
	case old == nil && k.Strategy.PrepareForCreate != nil:
		return k.Strategy.PrepareForCreate(context.Background(), o)
	case old != nil && k.Strategy.PrepareForUpdate != nil:
		return k.Strategy.PrepareForUpdate(context.Background(), o, old)
	}
	return nil
}

// check runs the validation of a creation or of an update.
func check(k kinds.Kind, o, old *object.Object) field.Errors {
	switch {
	case old != nil && k.Strategy.ValidateUpdate != nil:
		return k.Strategy.ValidateUpdate(o, old)
	case k.Strategy.Validate != nil:
		return k.Strategy.Validate(o)
	}
	return nil
}

// complaints are "path reason" of every error.
func complaints(errs field.Errors) []string {
	list := []string{}
	for _, e := range errs {
		list = append(list, e.Field+" "+strings.TrimPrefix(e.Reason, "FieldValue"))
	}
	return list
}

// fields are an object's fields, without metadata.
func fields(o *object.Object) map[string]any {
	var m map[string]any
	b, _ := json.Marshal(o.Fields)
	_ = json.Unmarshal(b, &m)
	return m
}

func tree(t testing.TB, text string) map[string]any {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		t.Fatalf("the test's own JSON does not parse: %v\n%s", err, text)
	}
	return m
}
