package status

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// Status is an error that can be sent to a client as it is. A client decides
// by Reason; people read Message.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/types.go Status
type Status struct {
	Kind       string   `json:"kind"`
	APIVersion string   `json:"apiVersion"`
	Metadata   struct{} `json:"metadata"`
	Status     string   `json:"status"`
	Message    string   `json:"message,omitempty"`
	Reason     string   `json:"reason,omitempty"`
	Details    *Details `json:"details,omitempty"`
	Code       int      `json:"code,omitempty"`
}

// Details names the object that a Status is about.
type Details struct {
	Name              string `json:"name,omitempty"`
	Group             string `json:"group,omitempty"`
	Kind              string `json:"kind,omitempty"` // mostly the resource's name, for invalid objects the kind
	UID               string `json:"uid,omitempty"`
	Causes            Causes `json:"causes,omitempty"`
	RetryAfterSeconds int    `json:"retryAfterSeconds,omitempty"`
}

// Cause is one of several things that are wrong. Field is a path such as
// "spec.ports[0].port"; none is the whole object.
type Cause struct {
	Reason  string `json:"reason,omitempty"`  // the machine's word: FieldValueInvalid, …
	Message string `json:"message,omitempty"` // the sentence without the field
	Field   string `json:"field,omitempty"`
}

func (c Cause) Error() string { return cmp.Or(c.Field, "<nil>") + ": " + c.Message }

// Causes are all that is wrong with an object; package field makes them.
type Causes []Cause

func (l Causes) Error() string {
	texts := make([]string, len(l))
	for i, c := range l {
		texts[i] = c.Error()
	}
	if len(texts) == 1 {
		return texts[0]
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

func (s *Status) Error() string { return s.Message }

// New makes a failure of any code.
func New(code int, reason, message string, d *Details) *Status {
	return &Status{Kind: "Status", APIVersion: "v1", Status: "Failure", Message: message, Reason: reason, Details: d, Code: code}
}

// Success is the answer to a request that leaves no object to show.
func Success(d *Details) *Status {
	return &Status{Kind: "Status", APIVersion: "v1", Status: "Success", Details: d}
}

// Resource says which resource an error speaks of.
type Resource struct{ Group, Name string }

func (r Resource) String() string {
	if r.Group == "" {
		return r.Name
	}
	return r.Name + "." + r.Group
}

func (r Resource) details(name string) *Details {
	return &Details{Name: name, Group: r.Group, Kind: r.Name}
}

// NotFound: there is no such object.
func NotFound(r Resource, name string) *Status {
	return New(http.StatusNotFound, "NotFound", fmt.Sprintf("%s %q not found", r, name), r.details(name))
}

// AlreadyExists: the name is taken.
func AlreadyExists(r Resource, name string) *Status {
	return New(http.StatusConflict, "AlreadyExists", fmt.Sprintf("%s %q already exists", r, name), r.details(name))
}

// Conflict: the object is not the one that the client based its request on.
func Conflict(r Resource, name, why string) *Status {
	return New(http.StatusConflict, "Conflict", fmt.Sprintf("Operation cannot be fulfilled on %s %q: %s", r, name, why), r.details(name))
}

// Modified is the reason of a Conflict when somebody else's write came first.
const Modified = "the object has been modified; please apply your changes to the latest version and try again"

// Forbidden: the request was understood and refused.
func Forbidden(r Resource, name, why string) *Status {
	if name == "" {
		return New(http.StatusForbidden, "Forbidden", fmt.Sprintf("%s is forbidden: %s", r, why), r.details(name))
	}
	return New(http.StatusForbidden, "Forbidden", fmt.Sprintf("%s %q is forbidden: %s", r, name, why), r.details(name))
}

// Invalid: the object breaks rules; errs are all that it breaks.
func Invalid(group, kind, name string, errs Causes) *Status {
	d := &Details{Name: name, Group: group, Kind: kind, Causes: errs}
	return New(http.StatusUnprocessableEntity, "Invalid", fmt.Sprintf("%s %q is invalid: %s", Resource{group, kind}, name, errs), d)
}

// BadRequest: the request makes no sense.
func BadRequest(format string, args ...any) *Status {
	return New(http.StatusBadRequest, "BadRequest", fmt.Sprintf(format, args...), nil)
}

// MethodNotAllowed: the resource exists and cannot do this.
func MethodNotAllowed(r Resource, verb string) *Status {
	return New(http.StatusMethodNotAllowed, "MethodNotAllowed", fmt.Sprintf("%s is not supported on resources of kind %q", verb, r), r.details(""))
}

// Expired: the revision asked for is no longer kept.
func Expired(format string, args ...any) *Status {
	return New(http.StatusGone, "Expired", fmt.Sprintf(format, args...), nil)
}

// Internal hides err's kind from programs and shows its text to people.
func Internal(err error) *Status {
	return New(http.StatusInternalServerError, "InternalError", "Internal error occurred: "+err.Error(),
		&Details{Causes: []Cause{{Message: err.Error()}}})
}

// From turns any error into a Status: one that is in err's chain, or one that
// gives clients no reason but the text.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/endpoints/handlers/responsewriters/status.go ErrorToAPIStatus
func From(err error) *Status {
	if s, ok := errors.AsType[*Status](err); ok {
		return s
	}
	return New(http.StatusInternalServerError, "", err.Error(), nil)
}

// Is reports whether err is a Status with this reason.
func Is(err error, reason string) bool {
	s, ok := errors.AsType[*Status](err)
	return ok && s.Reason == reason
}
