package metadata

import (
	"fmt"
	"slices"
	"time"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
)

// Precondition is part of registry.Rules.
func (Rules) Precondition(s *registry.Store, opts rest.DeleteOptions, m object.Meta) error {
	why := ""
	switch {
	case opts.UID != "" && opts.UID != m.UID:
		why = fmt.Sprintf("the UID in the precondition (%s) does not match the UID in record (%s). The object might have been deleted and then recreated", opts.UID, m.UID)
	case opts.ResourceVersion != "" && opts.ResourceVersion != m.ResourceVersion:
		why = fmt.Sprintf("the ResourceVersion in the precondition (%s) does not match the ResourceVersion in record (%s). The object might have been modified", opts.ResourceVersion, m.ResourceVersion)
	default:
		return nil
	}
	return status.Conflict(status.Resource{Group: s.Resource().Group, Name: s.Resource().Kind}, m.Name, why)
}

// Delete is part of registry.Rules. One whose grace period is over is marked
// before it goes, so that watchers see why.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/registry/rest/delete.go BeforeDelete
func (r Rules) Delete(s *registry.Store, obj *object.Object, opts rest.DeleteOptions) (*object.Object, error) {
	graceful, pending := startGrace(s.Strategy(), obj, opts)
	if pending {
		return obj, nil // unchanged: it is on its way, and nobody asks for more haste
	}
	addFinalizers(s.Strategy(), &obj.Meta, opts)
	switch {
	case graceful:
		return obj, nil
	case r.Kept(s, obj):
		mark(&obj.Meta, s.Row().Strategy.Keep == nil)
		return obj, nil
	}
	return nil, nil
}

// startGrace gives an object the time that it has left. graceful: the object
// has changed; pending: it has that time already and a client may only shorten it.
func startGrace(strategy registry.Strategy, obj *object.Object, opts rest.DeleteOptions) (graceful, pending bool) {
	if strategy.GracePeriod == nil {
		return false, false
	}
	m := &obj.Meta
	period := strategy.GracePeriod(obj, opts.GracePeriodSeconds)
	if m.DeletionTimestamp == "" {
		m.DeletionTimestamp, m.DeletionGracePeriodSeconds = object.After(time.Now(), period), &period
		if m.Generation > 0 {
			m.Generation++
		}
		return true, false
	}
	left := m.DeletionGracePeriodSeconds
	switch {
	case left == nil || *left == 0:
		return false, false
	case opts.GracePeriodSeconds == nil || *opts.GracePeriodSeconds >= *left:
		return false, true
	}
	period = *opts.GracePeriodSeconds
	if end, err := time.Parse(time.RFC3339, m.DeletionTimestamp); err == nil {
		m.DeletionTimestamp = object.After(end, period-*left)
	}
	m.DeletionGracePeriodSeconds = &period
	return true, false
}

// mark says of an object that it is being deleted, and only waits for
// something that keeps it.
func mark(m *object.Meta, noGrace bool) {
	if m.DeletionTimestamp == "" && m.Generation > 0 {
		m.Generation++
	}
	if now := object.Now(); m.DeletionTimestamp == "" || m.DeletionTimestamp > now {
		m.DeletionTimestamp = now
	}
	if noGrace {
		m.DeletionGracePeriodSeconds = new(int64(0))
	}
}

// Kept is part of registry.Rules.
func (Rules) Kept(s *registry.Store, obj *object.Object) bool {
	rule := s.Row().Strategy.Keep
	keep := rule != nil && rule(obj) // asked first: it may have something to change
	grace := obj.Meta.DeletionGracePeriodSeconds
	return keep || len(obj.Meta.Finalizers) > 0 || grace != nil && *grace > 0
}

// addFinalizers turns a propagation policy into the finalizer that makes the
// garbage collector act by it.
func addFinalizers(strategy registry.Strategy, m *object.Meta, opts rest.DeleteOptions) {
	before := m.Finalizers
	policy := opts.PropagationPolicy
	if policy == "" {
		switch {
		case slices.Contains(before, "orphan"), strategy.OrphanByDefault && !slices.Contains(before, "foregroundDeletion"):
			policy = "Orphan"
		case slices.Contains(before, "foregroundDeletion"):
			policy = "Foreground"
		}
	}
	after := slices.DeleteFunc(slices.Clone(before), func(f string) bool { return f == "orphan" || f == "foregroundDeletion" })
	switch policy {
	case "Orphan":
		after = append(after, "orphan")
	case "Foreground":
		after = append(after, "foregroundDeletion")
	}
	slices.Sort(after)
	if !slices.Equal(slices.Sorted(slices.Values(before)), after) {
		m.Finalizers = after
	}
}
