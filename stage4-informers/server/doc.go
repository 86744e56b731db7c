// Package server adds hooks to stage 3's server: functions that run once the
// sockets accept, because what they start calls this very server.
//
// Article: A3.12, A4.6
// Upstream: staging/src/k8s.io/apiserver/pkg/server/hooks.go AddPostStartHook
// Now: staging/src/k8s.io/apiserver/pkg/server/hooks.go AddPostStartHook
// Differs: a hook that fails or panics ends Run with its error; upstream ends the process without stopping anything.
// Reading: core
package server
