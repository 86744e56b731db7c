package client

import (
	"errors"
	"slices"

	"example.com/kube-apiserver/stage3-storage/object/status"
)

// HasCause reports whether err is a Status that names this reason among its causes.
//
// Now: staging/src/k8s.io/apimachinery/pkg/api/errors/errors.go HasStatusCause
func HasCause(err error, reason string) bool {
	s, ok := errors.AsType[*status.Status](err)
	return ok && s.Details != nil && slices.ContainsFunc(s.Details.Causes, func(c status.Cause) bool { return c.Reason == reason })
}
