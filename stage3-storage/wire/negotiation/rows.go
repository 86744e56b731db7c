package negotiation

import (
	"example.com/kube-apiserver/stage3-storage/endpoints"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
)

// Tables are what an Encoder and a Decoder work with. The app fills them; a
// later stage appends rows before anything is served.
type Tables struct {
	Formats []Format // the first one is JSON
	Views   []View
	Patches []Patch
	// Schema is what is known of the structure of a kind, nil where nothing is.
	Schema func(apiVersion, kind string) registry.Schema
}

// TablesOf are those behind the endpoints.
func TablesOf(c *endpoints.Config) *Tables { return c.Encoder.(Encoder).Tables }

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
