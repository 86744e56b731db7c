package registry

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/request"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
)

// This file has the rules that hold for every kind: identity, what the server
// alone decides, names.

// nameFor is the name of an object to create: the client's, or one made from
// metadata.generateName.
func nameFor(key rest.Key, w rest.Write) (name string, generated bool, err error) {
	if key.Name != "" {
		return key.Name, false, nil
	}
	tree, err := w.Tree(nil)
	if err != nil {
		return "", false, err
	}
	meta, _ := tree["metadata"].(map[string]any)
	if name, _ := meta["name"].(string); name != "" {
		return name, false, nil
	}
	if base, _ := meta["generateName"].(string); base != "" {
		return base[:min(len(base), 58)] + randomSuffix(), true, nil
	}
	return "", false, nil // validation says that a name is missing, beside all else
}

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
	if old == nil {
		if m.ResourceVersion != "" && w.Operation == rest.Create {
			return status.New(500, "", "resourceVersion should not be set on objects to be created", nil)
		}
		if m.UID != "" && w.Operation == rest.Update {
			return status.Conflict(s.statusResource(), key.Name, fmt.Sprintf("Precondition failed: UID in precondition: %s, UID in object meta: ", m.UID))
		}
		m.Name, m.UID, m.CreationTimestamp = key.Name, newUID(), object.Now()
		m.ResourceVersion, m.DeletionTimestamp, m.DeletionGracePeriodSeconds, m.SelfLink = "", "", nil, ""
		return nil
	}
	if m.Name == "" {
		m.Name = key.Name
	}
	if m.UID != "" && m.UID != old.Meta.UID {
		return status.Conflict(s.statusResource(), key.Name, fmt.Sprintf("Precondition failed: UID in precondition: %s, UID in object meta: %s", m.UID, old.Meta.UID))
	}
	if v := m.ResourceVersion; v != "" && v != "0" && v != old.Meta.ResourceVersion {
		return status.Conflict(s.statusResource(), key.Name, status.Modified)
	}
	m.UID, m.CreationTimestamp, m.SelfLink = old.Meta.UID, old.Meta.CreationTimestamp, ""
	m.GenerateName = old.Meta.GenerateName
	m.DeletionTimestamp, m.DeletionGracePeriodSeconds = old.Meta.DeletionTimestamp, old.Meta.DeletionGracePeriodSeconds
	return nil
}

// keepOld puts back the fields that this path cannot change.
func (s *Store) keepOld(obj, old *object.Object) {
	locked := s.strategy.KeepOld
	if only := s.strategy.OnlyNew; only != nil && old != nil {
		locked = nil
		for name := range maps.Keys(union(obj.Fields, old.Fields)) {
			if !slices.Contains(only, name) {
				locked = append(locked, name)
			}
		}
	}
	for _, name := range locked {
		delete(obj.Fields, name)
		if old != nil && old.Fields[name] != nil {
			obj.Fields[name] = object.CopyTree(old.Fields[name])
		}
	}
}

func union(a, b map[string]any) map[string]any {
	u := maps.Clone(a)
	if u == nil {
		u = map[string]any{}
	}
	maps.Copy(u, b)
	return u
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
	if s.kind.Strategy.HasGeneration || s.subresource != "" {
		obj.Meta.Generation = old.Meta.Generation
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
	errs := s.validateMeta(obj, old)
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

// complain says what was wrong with the fields of a body: by refusing it, by
// warnings, or not at all.
func complain(ctx context.Context, validation, kind, version string, problems []string) error {
	if len(problems) == 0 {
		return nil
	}
	switch validation {
	case "Strict":
		return status.BadRequest("%s in version %q cannot be handled as a %s: strict decoding error: %s", kind, version, kind, strings.Join(problems, ", "))
	case "Ignore":
	default:
		request.Warn(ctx, problems...)
	}
	return nil
}
