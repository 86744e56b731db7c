package server

import (
	"net/http"
	"slices"
	"strings"
)

// Filter is a named piece of the chain that every request goes through.
type Filter struct {
	Name string
	Wrap func(next http.Handler) http.Handler
}

// Chain lists filters in the order in which a request meets them; upstream
// nests calls, to be read from the last line to the first.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/config.go DefaultBuildHandlerChain
type Chain []Filter

// Then puts the chain before a handler.
func (c Chain) Then(h http.Handler) http.Handler {
	for _, f := range slices.Backward(c) {
		h = f.Wrap(h)
	}
	return h
}

func (c Chain) String() string {
	names := make([]string, len(c))
	for i, f := range c {
		names[i] = f.Name
	}
	return strings.Join(names, " > ")
}
