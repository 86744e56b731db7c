// Package garbagecollector is the controller that deletes what belongs to
// objects that are gone: an object names its owners in its metadata, and goes
// when the last of them does.
//
// It reads only metadata and takes every kind from the inventory, so it serves
// kinds that are added while the server runs. The owner's deletion says what
// becomes of its dependents:
//
//	Background   the owner goes at once, they follow
//	Foreground   they go first; a finalizer keeps the owner until those are gone that block it
//	Orphan       they stay and forget the owner; a finalizer keeps it until they have
//
// Article: A3.14
// Upstream: pkg/controller/garbagecollector/garbagecollector.go GarbageCollector
// Now: pkg/controller/garbagecollector/garbagecollector.go GarbageCollector
// Differs: upstream runs it in kube-controller-manager.
// Differs: an owner of a kind that nobody serves is asked about again when the inventory changes; upstream asks again and again.
// Reading: reference
package garbagecollector
