package requests

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"slices"
	"strconv"

	"example.com/kube-apiserver/stage3-storage/endpoints"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage3-storage/wire/metadata"
	"example.com/kube-apiserver/stage3-storage/wire/negotiation"
)

// MaxBody is how many bytes a request body may have, as upstream.
const MaxBody = 3 << 20

// readBody reads a bounded body, where its length is known in one go: with
// HTTP/2, each part that a handler reads wakes the connection's goroutine.
func readBody(w http.ResponseWriter, req *http.Request) ([]byte, error) {
	var body bytes.Buffer
	body.Grow(int(min(max(req.ContentLength, 0), MaxBody)) + bytes.MinRead) // room for the end, which is read too
	_, err := body.ReadFrom(http.MaxBytesReader(w, req.Body, MaxBody))
	if _, big := errors.AsType[*http.MaxBytesError](err); big {
		return nil, status.New(http.StatusRequestEntityTooLarge, "RequestEntityTooLarge",
			"Request entity too large: limit is "+strconv.Itoa(MaxBody), nil)
	}
	if err != nil {
		return nil, status.BadRequest("the body cannot be read: %v", err)
	}
	return body.Bytes(), nil
}

// bodyFormat is the format that the request names for its body; JSON where it names none.
func (d Decoder) bodyFormat(req *http.Request) (negotiation.Format, error) {
	header := req.Header.Get("Content-Type")
	if header == "" {
		return d.Formats[0], nil
	}
	mediaType, _, _ := mime.ParseMediaType(header) // "" is no format
	i := slices.IndexFunc(d.Formats, func(f negotiation.Format) bool { return f.MediaType == mediaType })
	if i < 0 {
		return negotiation.Format{}, status.New(http.StatusUnsupportedMediaType, "UnsupportedMediaType",
			"the body of the request was in an unknown format - accepted media types include: "+negotiation.MediaTypes(d.Formats), nil)
	}
	return d.Formats[i], nil
}

// toJSON is the body as JSON, and what its format has to complain about.
func toJSON(format negotiation.Format, body []byte) (data []byte, complaints []string, err error) {
	if format.Decode == nil {
		return body, nil, nil
	}
	if data, err = format.Decode(body); err != nil {
		return nil, nil, err
	}
	if format.Strict != nil {
		if err := format.Strict(body); err != nil {
			complaints = []string{err.Error()}
		}
	}
	return data, complaints, nil
}

// Decoder is the endpoints' way to this package.
type Decoder struct{ *negotiation.Tables }

// Object is part of endpoints.Decoder.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/endpoints/handlers/rest.go createHandler
func (d Decoder) Object(s *endpoints.Scope, w http.ResponseWriter, req *http.Request) (rest.Write, error) {
	format, err := d.bodyFormat(req)
	if err != nil {
		return rest.Write{}, err
	}
	body, err := readBody(w, req)
	if err != nil {
		return rest.Write{}, err
	}
	write, validation, err := writeOptions(req)
	if err != nil {
		return write, err
	}
	data, complaints, err := toJSON(format, body)
	if err != nil {
		return write, unrecognized(s, body, err)
	}
	if string(bytes.TrimSpace(data)) == "null" {
		data = []byte("{}") // an object without fields
	}
	tree, duplicates, malformed := parse(data)
	apiVersion, kind, err := typeIn(tree, duplicates, data)
	if err != nil {
		return write, unrecognized(s, body, err)
	}
	wanted := wish{validation: validation, complaints: append(duplicates, complaints...)}
	wanted.unfit = func(_ *object.Encoded, why error) error { return unfit(s, apiVersion, kind, why) }
	wanted.inOrder = func(complaints []string) { sortByPosition(complaints, data) }
	if err := cmp.Or(d.checkKind(s, apiVersion, kind), malformed); err != nil {
		return write, wanted.unfit(nil, err)
	}
	wanted.fill(req.Context(), &write, tree, data)
	return write, nil
}

// fill puts what the body says into a write. Whoever is given the tree may
// change it, so a further attempt gets one of its own.
func (w wish) fill(ctx context.Context, write *rest.Write, tree map[string]any, data []byte) {
	first := tree
	w.tree = func(*object.Encoded) (wanted map[string]any, err error) {
		if wanted, first = first, nil; wanted == nil {
			wanted, _, err = parse(data)
		}
		withoutTwins(ctx, wanted)
		return wanted, err
	}
	write.Wanted = w.wanted
	if meta, ok := tree["metadata"].(map[string]any); ok {
		write.Name, _ = meta["name"].(string)
		write.GenerateName, _ = meta["generateName"].(string)
		write.UID, _ = meta["uid"].(string)
	}
}

// GroupVersionAcceptor is a storage that understands more versions of its kind
// than the one that it says it has.
//
// Now: staging/src/k8s.io/apiserver/pkg/registry/rest/rest.go GroupVersionAcceptor
type GroupVersionAcceptor interface {
	AcceptsGroupVersion(apiVersion string) bool
}

// checkKind refuses an object that is of another kind than the path. One that
// does not say its kind is taken to be of the right one. The texts are
// upstream's, Go names and all.
func (d Decoder) checkKind(s *endpoints.Scope, apiVersion, kind string) error {
	wantVersion, wantKind := s.Storage.Kind()
	if more, ok := s.Storage.(GroupVersionAcceptor); ok && more.AcceptsGroupVersion(apiVersion) {
		wantVersion = apiVersion
	}
	apiVersion, kind = cmp.Or(apiVersion, wantVersion), cmp.Or(kind, wantKind)
	group, version := metadata.SplitVersion(apiVersion)
	wantGroup, _ := metadata.SplitVersion(wantVersion)
	switch {
	case apiVersion == wantVersion && kind == wantKind:
		return nil
	case d.Schema == nil || d.Schema(apiVersion, kind) == nil:
		return notRegistered(apiVersion, kind)
	case group == wantGroup && kind == wantKind:
		return status.BadRequest("the API version in the data (%s) does not match the expected API version (%s)", apiVersion, wantVersion)
	}
	return fmt.Errorf("converting (%s.%s) to (%s.%s): unknown conversion", version, kind, negotiation.GoPackage(wantGroup), wantKind)
}

// notRegistered names a line of upstream's source, as upstream does.
func notRegistered(apiVersion, kind string) error {
	return fmt.Errorf("no kind %q is registered for version %q in scheme \"pkg/runtime/scheme.go:111\"", kind, apiVersion)
}

// unfit is the answer to a body of which no object of the path's kind can be made.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/endpoints/handlers/rest.go transformDecodeError
func unfit(s *endpoints.Scope, apiVersion, kind string, why error) error {
	if known, ok := errors.AsType[*status.Status](why); ok {
		return known
	}
	wantVersion, wantKind := s.Storage.Kind()
	_, version := metadata.SplitVersion(cmp.Or(apiVersion, wantVersion))
	return status.BadRequest("%s in version %q cannot be handled as a %s: %v", cmp.Or(kind, wantKind), version, wantKind, why)
}

// unrecognized is the answer to a body that does not even say what it is.
func unrecognized(s *endpoints.Scope, body []byte, why error) error {
	_, kind := s.Storage.Kind()
	const shown = 30
	summary, more := body, ""
	if len(body) > shown {
		summary, more = body[:shown], " ..."
	}
	text := string(summary)
	switch {
	case len(body) == 0:
		text = "<empty>"
	case body[0] != '{':
		text = hex.EncodeToString(summary)
	}
	return status.BadRequest("the object provided is unrecognized (must be of type %s): %v (%s)", kind, why, text+more)
}
