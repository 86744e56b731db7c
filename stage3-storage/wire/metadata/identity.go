package metadata

import (
	"cmp"
	"crypto/rand"
	"fmt"
	"strconv"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/field"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
)

// Rules are upstream's registry.Rules.
type Rules struct{}

// Validate is part of registry.Rules.
func (Rules) Validate(obj, old *object.Object, name func(string) []string) status.Causes {
	return Validate(obj, old, name)
}

// Name is part of registry.Rules.
func (Rules) Name(base string) string {
	if base == "" {
		return NewUID()
	}
	return base[:min(len(base), 58)] + randomSuffix()
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

// NewUID returns a random (version 4) UUID.
func NewUID() string {
	var b [16]byte
	rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// Identify is part of registry.Rules. A write that names no version of the
// object goes on without one.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/registry/rest/update.go BeforeUpdate
func (Rules) Identify(s *registry.Store, key rest.Key, w rest.Write, obj, old *object.Object) error {
	m := &obj.Meta
	if m.Namespace == "" || !s.Resource().Namespaced {
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
		return otherUID(s, key, w.UID, present.UID)
	case old == nil && !w.CreateMissing:
		return status.NotFound(s.Resource().Named(), key.Name)
	case old == nil:
		bear(m)
		return nil
	}
	return seen(s, key, m, present)
}

// bear gives an object what it keeps for life.
func bear(m *object.Meta) {
	m.UID, m.CreationTimestamp = NewUID(), object.Now()
	m.ResourceVersion, m.DeletionTimestamp, m.DeletionGracePeriodSeconds = "", "", nil
}

func otherUID(s *registry.Store, key rest.Key, wanted, got string) error {
	return status.Conflict(s.Resource().Named(), key.Name, fmt.Sprintf("StorageError: invalid object, Code: 4, Key: %s, ResourceVersion: 0, "+
		"AdditionalErrorMsg: Precondition failed: UID in precondition: %s, UID in object meta: %s", s.Key(key), wanted, got))
}

// seen reads which version of the object a write is based on, and puts back
// what it left out.
func seen(s *registry.Store, key rest.Key, m *object.Meta, old object.Meta) error {
	rev := uint64(0)
	if m.ResourceVersion != "" {
		var err error
		if rev, err = strconv.ParseUint(m.ResourceVersion, 10, 64); err != nil {
			return status.New(500, "", err.Error(), nil) // so it is upstream
		}
	}
	if rev == 0 {
		m.ResourceVersion = ""
		if s.Strategy().NeedsVersion {
			return status.Invalid(s.Resource().Group, s.Resource().Name, key.Name, field.Errors{
				field.Invalid("metadata.resourceVersion", 0, "must be specified for an update")})
		}
	}
	m.CreationTimestamp, m.Generation = old.CreationTimestamp, old.Generation
	m.UID = cmp.Or(m.UID, old.UID)
	m.DeletionTimestamp = cmp.Or(old.DeletionTimestamp, m.DeletionTimestamp)
	if m.DeletionGracePeriodSeconds == nil {
		m.DeletionGracePeriodSeconds = old.DeletionGracePeriodSeconds
	}
	return nil
}
