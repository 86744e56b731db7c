package registry

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/request"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
)

// This file has the rules that hold for every kind: identity, what the server
// alone decides, names.

// generateName makes a name that begins with base and is most likely free.
func generateName(base string) string { return base[:min(len(base), 58)] + randomSuffix() }

// randomSuffix has no vowels and no digits that look like letters, so it makes
// no words and can be read aloud.
func randomSuffix() string {
	const alphabet = "bcdfghjklmnpqrstvwxz2456789"
	var b [5]byte
	rand.Read(b[:]) // never fails
	for i := range b {
		b[i] = alphabet[int(b[i])%len(alphabet)]
	}
	return string(b[:])
}

// newUID returns a random (version 4) UUID.
func newUID() string {
	var b [16]byte
	rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// identify checks that the object is the one that the path names, and at an
// update the one that the client has seen, and fills in what only the server decides.
func (s *Store) identify(key rest.Key, w rest.Write, obj, old *object.Object) error {
	m := &obj.Meta
	if m.Namespace == "" || !s.kind.Resource.Namespaced {
		m.Namespace = key.Namespace
	}
	if m.Namespace != key.Namespace {
		return status.BadRequest("the namespace of the provided object does not match the namespace sent on the request")
	}
	m.SelfLink = ""
	if w.Operation == rest.Create {
		m.Name = key.Name
		if rev, err := strconv.ParseUint(m.ResourceVersion, 10, 64); err == nil && rev != 0 {
			return status.New(500, "", "resourceVersion should not be set on objects to be created", nil)
		}
		bear(m)
		return nil
	}
	switch {
	case m.Name == "":
		return status.BadRequest("the name of the object (%s based on URL) was undeterminable: name must be provided", key.Name)
	case m.Name != key.Name:
		return status.BadRequest("the name of the object (%s) does not match the name on the URL (%s)", m.Name, key.Name)
	}
	present := object.Meta{}
	if old != nil {
		present = old.Meta
	}
	switch {
	case w.UID != "" && w.UID != present.UID:
		return s.otherUID(key, w.UID, present.UID)
	case old == nil && !w.CreateMissing:
		return status.NotFound(s.statusResource(), key.Name)
	case old == nil:
		bear(m)
		return nil
	}
	return s.seen(key, m, present)
}

// bear gives an object what it keeps for life.
func bear(m *object.Meta) {
	m.UID, m.CreationTimestamp = newUID(), object.Now()
	m.ResourceVersion, m.DeletionTimestamp, m.DeletionGracePeriodSeconds = "", "", nil
}

func (s *Store) otherUID(key rest.Key, wanted, got string) error {
	return status.Conflict(s.statusResource(), key.Name, fmt.Sprintf("StorageError: invalid object, Code: 4, Key: %s, ResourceVersion: 0, "+
		"AdditionalErrorMsg: Precondition failed: UID in precondition: %s, UID in object meta: %s", s.key(key), wanted, got))
}

// seen checks that a write is based on the present version of the object,
// where it says on which one, and puts back what it left out.
func (s *Store) seen(key rest.Key, m *object.Meta, old object.Meta) error {
	rev := uint64(0)
	if m.ResourceVersion != "" {
		var err error
		if rev, err = strconv.ParseUint(m.ResourceVersion, 10, 64); err != nil {
			return status.New(500, "", err.Error(), nil) // so it is upstream
		}
	}
	switch {
	case rev == 0 && s.strategy.NeedsVersion:
		return status.Invalid(s.kind.Resource.Group, s.kind.Resource.Name, key.Name, status.Causes{
			{Reason: "FieldValueInvalid", Message: "Invalid value: 0: must be specified for an update", Field: "metadata.resourceVersion"}})
	//step:3.4 not based on what is there now
	case rev != 0 && m.ResourceVersion != old.ResourceVersion:
		return status.Conflict(s.statusResource(), key.Name, status.Modified)
		//step:end
	}
	m.CreationTimestamp, m.Generation = old.CreationTimestamp, old.Generation
	m.UID = cmp.Or(m.UID, old.UID)
	m.DeletionTimestamp = cmp.Or(old.DeletionTimestamp, m.DeletionTimestamp)
	if m.DeletionGracePeriodSeconds == nil {
		m.DeletionGracePeriodSeconds = old.DeletionGracePeriodSeconds
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
func (s *Store) prepare(ctx context.Context, obj, old *object.Object) error {
	if old == nil {
		if s.strategy.HasGeneration {
			obj.Meta.Generation = 1
		}
		if s.strategy.PrepareForCreate != nil {
			return s.strategy.PrepareForCreate(ctx, obj)
		}
		return nil
	}
	if s.strategy.PrepareForUpdate != nil {
		if err := s.strategy.PrepareForUpdate(ctx, obj, old); err != nil {
			return err
		}
	}
	if s.strategy.HasGeneration && !bytes.Equal(wanted(obj), wanted(old)) {
		obj.Meta.Generation++
	}
	return nil
}

// wanted is the part of an object that says how things should be.
func wanted(o *object.Object) []byte {
	w := object.Object{Fields: maps.Clone(o.Fields)}
	delete(w.Fields, "status")
	return w.Encode()
}

func (s *Store) validate(ctx context.Context, obj, old *object.Object) error {
	var errs status.Causes
	if s.Metadata != nil {
		errs = s.Metadata(obj, old, s.strategy.ValidateName)
	}
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
