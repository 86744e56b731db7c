// Package execs has two admission plugins of 1.7 that look at connections
// instead of objects: who may make no privileged pod should not get into one
// either. Both were removed later, since PodSecurity keeps such pods out.
//
// Article: A3.4
// Upstream: plugin/pkg/admission/exec/admission.go denyExec
// Now: none
// Reading: reference
package execs
