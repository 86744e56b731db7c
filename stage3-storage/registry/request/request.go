package request

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// Info says what a request asks for, read from method and path alone.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/endpoints/request/requestinfo.go RequestInfo
type Info struct {
	IsResource  bool // under /api/v1 or /apis/GROUP/VERSION
	Path        string
	Verb        string // get, list, watch, create, update, patch, delete, deletecollection; else the method in lower case
	Group       string
	Version     string
	Namespace   string
	Resource    string
	Subresource string
	Name        string
}

// Parse reads the Info of a request.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/endpoints/request/requestinfo.go NewRequestInfo
func Parse(req *http.Request) Info {
	info := Info{Path: req.URL.Path, Verb: strings.ToLower(req.Method)}
	parts := strings.Split(strings.Trim(req.URL.Path, "/"), "/")
	switch {
	case len(parts) >= 3 && parts[0] == "api":
		info.Version, parts = parts[1], parts[2:]
	case len(parts) >= 4 && parts[0] == "apis":
		info.Group, info.Version, parts = parts[1], parts[2], parts[3:]
	default:
		return info
	}
	info.IsResource = true
	info.Verb = verbs[req.Method]
	watching := false
	if parts[0] == "watch" && len(parts) > 1 { // the old form: /api/v1/watch/pods
		watching, parts = true, parts[1:]
	}
	if parts[0] == "namespaces" && len(parts) > 1 {
		info.Namespace = parts[1]
		// /namespaces/NAME/status is about the namespace, /namespaces/NAME/pods about pods.
		if len(parts) > 2 && !slices.Contains([]string{"status", "finalize"}, parts[2]) {
			parts = parts[2:]
		}
	}
	info.Resource = parts[0]
	if len(parts) > 1 {
		info.Name = parts[1]
	}
	if len(parts) > 2 {
		info.Subresource = parts[2]
	}
	if info.Name == "" {
		info.Verb = onCollection(info.Verb)
	}
	if watching || info.Verb == "list" && On(req.URL.Query(), "watch") {
		info.Verb = "watch"
	}
	if info.Name == "" && (info.Verb == "list" || info.Verb == "watch") {
		info.Name = selectedName(req.URL.Query().Get("fieldSelector"))
	}
	return info
}

// On reads a parameter that is yes or no: what is there and does not say no says yes.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/runtime/conversion.go Convert_Slice_string_To_bool
func On(q url.Values, name string) bool {
	values := q[name]
	return len(values) > 0 && values[0] != "0" && !strings.EqualFold(values[0], "false")
}

// selectedName is the only name that a field selector lets through, or "". Who
// may read one object by its name may ask for it in this way as well. Where a
// comma may belong to a value nothing is read out of the text: no name is one.
func selectedName(fieldSelector string) string {
	if strings.Contains(fieldSelector, `\`) {
		return ""
	}
	for term := range strings.SplitSeq(fieldSelector, ",") {
		name, found := strings.CutPrefix(term, "metadata.name=")
		if name = strings.TrimPrefix(name, "="); found && name != "." && name != ".." && !strings.ContainsAny(name, "/%") {
			return name
		}
	}
	return ""
}

var verbs = map[string]string{
	http.MethodPost: "create", http.MethodGet: "get", http.MethodHead: "get",
	http.MethodPut: "update", http.MethodPatch: "patch", http.MethodDelete: "delete",
}

func onCollection(verb string) string {
	switch verb {
	case "get":
		return "list"
	case "delete":
		return "deletecollection"
	}
	return verb
}

// User is who sent a request.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/authentication/user/user.go Info
type User struct {
	Name, UID string
	Groups    []string
	Extra     map[string][]string
}

// Unsecured is the user of a server without authentication.
var Unsecured = User{Name: "system:unsecured", Groups: []string{"system:masters", "system:authenticated"}}

type key int

const (
	infoKey key = iota
	userKey
	warningsKey
)

// WithInfo and the functions below put a value into a context and get it back.
func WithInfo(ctx context.Context, i Info) context.Context { return context.WithValue(ctx, infoKey, i) }

// InfoFrom returns the zero Info where there is none.
func InfoFrom(ctx context.Context) Info {
	i, _ := ctx.Value(infoKey).(Info)
	return i
}

// WithUser sets who sent the request.
func WithUser(ctx context.Context, u User) context.Context { return context.WithValue(ctx, userKey, u) }

// UserFrom returns Unsecured where no filter has set a user.
func UserFrom(ctx context.Context) User {
	if u, ok := ctx.Value(userKey).(User); ok {
		return u
	}
	return Unsecured
}

// warnings are what the client should be told besides the answer.
type warnings struct {
	mu    sync.Mutex
	texts []string
}

// WithWarnings gives the context a collection for Warn.
func WithWarnings(ctx context.Context) context.Context {
	return context.WithValue(ctx, warningsKey, &warnings{})
}

// Warn adds texts, each once. Without WithWarnings it does nothing. It may be
// called concurrently.
func Warn(ctx context.Context, texts ...string) {
	w, ok := ctx.Value(warningsKey).(*warnings)
	if !ok {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, t := range texts {
		if !slices.Contains(w.texts, t) {
			w.texts = append(w.texts, t)
		}
	}
}

// Warnings returns the texts in the order in which they came.
func Warnings(ctx context.Context) []string {
	w, ok := ctx.Value(warningsKey).(*warnings)
	if !ok {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.texts)
}
