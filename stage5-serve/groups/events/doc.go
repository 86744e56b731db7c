// Package events serves the group events.k8s.io: the events of the core group
// under newer names, with stricter rules. Both are views of the same objects.
//
// Article: none
// Upstream: pkg/registry/core/event/storage/storage.go REST
// Now: pkg/registry/events/rest/storage_events.go RESTStorageProvider
// Simplified: admission is told of the core group, whichever way an event came.
// Reading: reference
package events
