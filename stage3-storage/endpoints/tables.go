package endpoints

import (
	"net/http"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
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
)

// Handler serves one request. An error becomes a Status.
type Handler func(s *Scope, w http.ResponseWriter, req *http.Request) error

// Format is a row of the table of media types. JSON is what everything is made of.
type Format struct {
	MediaType string // what clients ask for and send
	Streams   bool   // has a form in which the events of a watch follow each other
	Binary    bool   // has no form for what is made for people
	// Frame is that form of one event; nil: a line of JSON.
	Frame func(eventType string, object []byte) []byte
	// Decode makes JSON of a body; nil: it is JSON already.
	Decode func(body []byte) (json []byte, err error)
	// Strict finds what Decode is silent about, such as a key that stands twice; may be nil.
	Strict func(body []byte) error
	// Encode makes a body of a JSON object, which may be a list or a Status;
	// nil: JSON is sent as it is. ErrNotEncodable: this kind has no such form.
	Encode func(json []byte) ([]byte, error)
}

// Answer is the form in which a client wants its answer.
type Answer struct {
	Format  Format
	View    *View  // nil: the objects as they are
	Version string // of the view
}

// View is a row of the table of shapes (as=Table) in which a client may want
// to have objects instead of their own.
type View struct {
	As       string   // "Table", "PartialObjectMetadata", "PartialObjectMetadataList"
	Group    string   // "" is meta.k8s.io
	Versions []string // nil is v1 and v1beta1
	Lists    bool     // may be asked of a list
	Single   bool     // may be asked of one object (a watch shows single objects)
	Text     bool     // for people: not in binary formats
	Render   func(r ViewRequest) ([]byte, error)
}

// ViewRequest says what to show and how.
type ViewRequest struct {
	Version        string // v=v1 or v=v1beta1 of the Accept parameter
	Resource       catalog.Resource
	Subresource    string
	Items          []*object.Encoded
	List           *ListMeta // nil for a single object
	IncludeObject  string    // "", Metadata, None or Object: what a Table's rows carry
	OmitDefinition bool      // of columns: all events of a watch but the first
}

// ListMeta is the metadata of a list.
type ListMeta struct {
	ResourceVersion    string `json:"resourceVersion,omitempty"`
	Continue           string `json:"continue,omitempty"`
	RemainingItemCount int    `json:"remainingItemCount,omitempty"`
}

// Patch is a row of the table of patch types.
type Patch struct {
	MediaType string
	// Apply makes the wanted object of the present one, which it must not
	// change. Where CreateMissing is set, live may be nil.
	Apply         func(live map[string]any, body []byte, schema any) (map[string]any, error)
	CreateMissing bool
	// Typed: the object is of the path's kind, whatever it says.
	Typed bool
	// Unfit words the answer where the wanted object is none of its kind; nil: why is the answer.
	Unfit func(body []byte, wanted map[string]any, why error) error
}

// Decoder finds out what a client says, in its body and in its parameters. What
// it means for real clients to read every request as upstream does stands in
// package wire/requests.
type Decoder interface {
	// Object reads the body of POST and PUT, which must be of the path's kind.
	Object(s *Scope, w http.ResponseWriter, req *http.Request) (rest.Write, error)
	Patch(s *Scope, row Patch, w http.ResponseWriter, req *http.Request) (rest.Write, error)
	// ListOptions reads what a list, a watch and the deletion of a collection share.
	ListOptions(s *Scope, req *http.Request) (rest.ListOptions, error)
	DeleteOptions(s *Scope, w http.ResponseWriter, req *http.Request) (rest.DeleteOptions, error)
}

// Encoder gives answers the form that the client asks for; see package
// wire/negotiation. The form is found first: who cannot read the answer must
// not have changed anything.
type Encoder interface {
	Negotiate(s *Scope, req *http.Request, want Shape) (Answer, error)
	Object(s *Scope, w http.ResponseWriter, req *http.Request, a Answer, code int, obj *object.Encoded) error
	List(s *Scope, w http.ResponseWriter, req *http.Request, a Answer, list rest.List) error
	// Status answers a request that leaves no object.
	Status(s *Scope, w http.ResponseWriter, req *http.Request, a Answer, st *status.Status) error
	// Error answers a request that failed, whatever the client wanted.
	Error(c *Config, w http.ResponseWriter, req *http.Request, st *status.Status)
}

// Shape is what an answer consists of.
type Shape int

const (
	Object Shape = iota
	List
	Events // of a watch
)
