package server

import (
	"fmt"
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

// After returns a chain with more filters behind the named one, which has to be there.
func (c Chain) After(name string, more ...Filter) Chain {
	i := slices.IndexFunc(c, func(f Filter) bool { return f.Name == name })
	if i < 0 {
		panic(fmt.Sprintf("server: the chain %s has no filter %q", c, name))
	}
	return slices.Insert(slices.Clone(c), i+1, more...)
}

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
