// Package logs is where the process writes what it has to say besides its start-up lines.
//
// Article: A1.1
// Upstream: staging/src/k8s.io/apiserver/pkg/util/logs/logs.go InitLogs
// Now: staging/src/k8s.io/component-base/logs/logs.go InitLogs
// Simplified: the standard library's log, buffered; no severities, no files.
// Reading: reference
package logs
