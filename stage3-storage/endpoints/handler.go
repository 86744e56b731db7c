package endpoints

import (
	"net/http"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
)

// Verb is a row of the table from which routes, discovery and 405 answers are made.
type Verb struct {
	Name   string // as discovery says it; "" is left out there
	Method string
	On     Place
	Able   func(rest.Storage) bool // whether a storage can serve it
	Serve  Handler
}

// Place is the part of the API that a verb works on.
type Place int

const (
	Item       Place = iota // …/pods/web
	Collection              // …/pods
	Below                   // an item's subresource and all paths below it: …/pods/web/proxy/metrics
)

// Handler serves one request. An error becomes a Status.
type Handler func(s *Scope, w http.ResponseWriter, req *http.Request) error

// Decoder finds out what a client says, in its body and in its parameters. What
// it means for real clients to read every request as upstream does stands in
// package wire/requests.
type Decoder interface {
	// Check refuses what nobody need look at: a name that cannot stand in a
	// path, a patch of an unknown type.
	Check(s *Scope, req *http.Request) error
	// Object reads the body of POST and PUT, which must be of the path's kind.
	Object(s *Scope, w http.ResponseWriter, req *http.Request) (rest.Write, error)
	// Patch reads the body of PATCH. The write applies it to whatever is there when it is made.
	Patch(s *Scope, w http.ResponseWriter, req *http.Request) (rest.Write, error)
	GetOptions(req *http.Request) (rest.GetOptions, error)
	// ListOptions reads what a list, a watch and the deletion of a collection share.
	ListOptions(s *Scope, req *http.Request) (rest.ListOptions, error)
	DeleteOptions(s *Scope, w http.ResponseWriter, req *http.Request) (rest.DeleteOptions, error)
}

// Encoder gives answers the form that the client asks for; see package
// wire/negotiation.
type Encoder interface {
	// Negotiate finds the form, before anything is done: who cannot read the
	// answer must not have changed anything.
	Negotiate(s *Scope, w http.ResponseWriter, req *http.Request, want Shape) (Answer, error)
	// Error answers a request that failed, whatever the client wanted.
	Error(w http.ResponseWriter, req *http.Request, st *status.Status)
}

// Answer sends one answer, in the form that was found.
type Answer interface {
	Object(code int, obj *object.Encoded) error
	List(list rest.List) error
	Status(st *status.Status) error // for a request that leaves no object
}

// Shape is what an answer consists of.
type Shape int

const (
	Object Shape = iota
	List
	Events // of a watch
)
