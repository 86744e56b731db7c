package registry

import (
	"bytes"
	"context"
	"maps"
	"slices"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/request"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
)

// Rules are what holds for the objects of every kind: who an object is, what
// only the server decides about it, what keeps it when it is deleted. Package
// wire/metadata has upstream's.
type Rules interface {
	// Name makes a name that begins with base and is most likely free; "" is a UID.
	Name(base string) string
	// Identify checks that obj is the object that the path names, and fills in
	// what only the server decides. old is nil at creation.
	Identify(s *Store, key rest.Key, w rest.Write, obj, old *object.Object) error
	// Validate checks the metadata; name is the kind's own rule, or nil.
	Validate(obj, old *object.Object, name func(string) []string) status.Causes

	// Precondition checks that a deletion means the object that is there.
	Precondition(s *Store, opts rest.DeleteOptions, present object.Meta) error
	// Delete returns obj as one that is marked as deleted and stays; nil: it goes.
	Delete(s *Store, obj *object.Object, opts rest.DeleteOptions) (*object.Object, error)
	// Kept says whether something keeps an object that is marked as deleted.
	Kept(s *Store, obj *object.Object) bool
}

// seen refuses a write that is based on another version than the one that is
// there. One that names no version does not care.
func (s *Store) seen(obj, old *object.Object) error {
	version := obj.Meta.ResourceVersion
	if old != nil && version != "" && version != old.Meta.ResourceVersion {
		return status.Conflict(s.kind.Resource.Named(), obj.Meta.Name, status.Modified)
	}
	return nil
}

// keepOld puts back the fields that this path cannot change.
func (s *Store) keepOld(obj, old *object.Object) {
	locked := s.strategy.KeepOld
	if only := s.strategy.OnlyNew; only != nil && old != nil {
		locked = slices.AppendSeq(slices.Collect(maps.Keys(obj.Fields)), maps.Keys(old.Fields))
		locked = slices.DeleteFunc(locked, func(name string) bool { return slices.Contains(only, name) })
	}
	for _, name := range locked {
		delete(obj.Fields, name)
		if old != nil && old.Fields[name] != nil {
			obj.Fields[name] = object.CopyTree(old.Fields[name])
		}
	}
}

// prepare lets the strategy set what it alone knows, and counts generations.
func (s *Store) prepare(ctx context.Context, obj, old *object.Object) (err error) {
	switch {
	case old == nil && s.strategy.PrepareForCreate != nil:
		err = s.strategy.PrepareForCreate(ctx, obj)
	case old != nil && s.strategy.PrepareForUpdate != nil:
		err = s.strategy.PrepareForUpdate(ctx, obj, old)
	}
	switch {
	case !s.strategy.HasGeneration:
	case old == nil:
		obj.Meta.Generation = 1
	case !bytes.Equal(wanted(obj), wanted(old)):
		obj.Meta.Generation++
	}
	return err
}

// wanted is the part of an object that says how things should be.
func wanted(o *object.Object) []byte {
	w := object.Object{Fields: maps.Clone(o.Fields)}
	delete(w.Fields, "status")
	return w.Encode()
}

func (s *Store) validate(ctx context.Context, obj, old *object.Object) error {
	errs := s.Rules.Validate(obj, old, s.strategy.ValidateName)
	switch {
	case old != nil && s.strategy.ValidateUpdate != nil:
		errs = append(errs, s.strategy.ValidateUpdate(obj, old)...)
	case s.strategy.Validate != nil:
		errs = append(errs, s.strategy.Validate(obj)...)
	}
	if len(errs) > 0 {
		return status.Invalid(s.kind.Resource.Group, s.kind.Resource.Kind, obj.Meta.Name, errs)
	}
	if s.strategy.Warnings != nil {
		request.Warn(ctx, s.strategy.Warnings(obj, old)...)
	}
	return nil
}
