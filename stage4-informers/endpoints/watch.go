package endpoints

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	stage1 "example.com/kube-apiserver/stage1-main/server"
	"example.com/kube-apiserver/stage3-storage/endpoints"
	"example.com/kube-apiserver/stage3-storage/kv"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/request"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage3-storage/storage"
)

// Watch is the row that makes every storage that is a rest.Watcher watchable.
var Watch = endpoints.Verb{
	Name: "watch", Method: http.MethodGet, On: endpoints.Collection,
	Able:  func(s rest.Storage) bool { _, ok := s.(rest.Watcher); return ok },
	Serve: serveWatch,
}

// minTimeout is how long a watch lasts at least, where the client sets no limit.
const minTimeout = 30 * time.Minute

func serveWatch(s *endpoints.Scope, w http.ResponseWriter, req *http.Request) error {
	answer, err := s.Encoder.Negotiate(s, req, endpoints.Events)
	if err != nil {
		return err
	}
	if !answer.Format.Streams {
		return noStream(s.Formats)
	}
	opts, err := watchOptions(s, req)
	if err != nil {
		return err
	}
	ctx, cancel, err := lifetime(req)
	if err != nil {
		return err
	}
	defer cancel()
	info := request.InfoFrom(ctx)
	namespace := info.Namespace
	if info.Group == "" && info.Resource == "namespaces" {
		namespace = ""
	}
	events, err := s.Storage.(rest.Watcher).Watch(ctx, namespace, opts)
	if err != nil {
		return err
	}
	contentType := answer.Format.MediaType
	if answer.Format.Frame != nil {
		contentType += ";stream=watch"
	}
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Cache-Control", "no-cache, private")
	w.WriteHeader(http.StatusOK)
	out := &stream{scope: s, answer: answer, w: w, flush: http.NewResponseController(w), include: req.URL.Query().Get("includeObject"), initial: opts.SendInitialEvents}
	if out.flush.Flush() != nil {
		return nil // the client has gone
	}
	out.run(ctx, events, opts.AllowBookmarks)
	return nil
}

func noStream(formats []endpoints.Format) error {
	var names []string
	for _, f := range formats {
		if f.Streams {
			names = append(names, f.MediaType+";stream=watch")
		}
	}
	return status.New(http.StatusNotAcceptable, "NotAcceptable", "only the following media types are accepted: "+strings.Join(names, ", "), nil)
}

// watchOptions reads the parameters of a watch.
func watchOptions(s *endpoints.Scope, req *http.Request) (rest.WatchOptions, error) {
	q := req.URL.Query()
	list, err := s.Decoder.ListOptions(s, req)
	if err == nil {
		err = checkInitialEvents(q, list)
	}
	// Who names no revision gets the present objects first, and is told where
	// they end, without having asked for it.
	fromNow := (list.ResourceVersion == "" || list.ResourceVersion == "0") && list.ResourceVersionMatch == "" && !q.Has("sendInitialEvents")
	return rest.WatchOptions{
		Selector: list.Selector, ResourceVersion: list.ResourceVersion,
		AllowBookmarks: request.On(q, "allowWatchBookmarks"), SendInitialEvents: fromNow || request.On(q, "sendInitialEvents"),
	}, err
}

// checkInitialEvents refuses what sendInitialEvents does not go together with:
// a client that asked for less would wait for a bookmark that never comes.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/apis/meta/internalversion/validation/validation.go validateWatchOptions
func checkInitialEvents(q url.Values, o rest.ListOptions) error {
	wrong := func(reason, message string) status.Cause {
		return status.Cause{Reason: reason, Message: message, Field: "resourceVersionMatch"}
	}
	var errs status.Causes
	match := o.ResourceVersionMatch
	switch asked := q.Has("sendInitialEvents"); {
	case asked && match == "":
		errs = status.Causes{wrong("FieldValueForbidden", "Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan")}
	case asked && match != "NotOlderThan":
		errs = status.Causes{
			wrong("FieldValueForbidden", "Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"),
			wrong("FieldValueNotSupported", fmt.Sprintf(`Unsupported value: %q: supported values: "NotOlderThan"`, match)),
		}
	case !asked && match != "":
		errs = status.Causes{wrong("FieldValueForbidden", "Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided")}
	default:
		return nil
	}
	return status.Invalid("meta.k8s.io", "ListOptions", "", errs)
}

// lifetime is the context of a watch: it ends with the request, at its
// timeout, or when the server begins to stop.
func lifetime(req *http.Request) (context.Context, context.CancelFunc, error) {
	timeout := minTimeout + rand.N(minTimeout)
	if t := req.URL.Query().Get("timeoutSeconds"); t != "" {
		n, err := strconv.ParseInt(t, 10, 32)
		if err != nil {
			return nil, nil, status.BadRequest("strconv.ParseInt: parsing %q: invalid syntax", t)
		}
		if n > 0 {
			timeout = time.Duration(n) * time.Second
		}
	}
	ctx, cancel := context.WithTimeout(req.Context(), timeout)
	stop := context.AfterFunc(stage1.Ending(ctx), cancel)
	return ctx, func() { stop(); cancel() }, nil
}

// stream writes events to one watcher.
type stream struct {
	scope   *endpoints.Scope
	answer  endpoints.Answer
	w       http.ResponseWriter
	flush   *http.ResponseController
	include string
	defined bool // a Table's columns have been sent
	initial bool // the first bookmark ends the initial events
}

// run writes until the watch or the client has gone. The goroutine of the
// request pulls: while it writes to a slow client, it takes no event.
func (o *stream) run(ctx context.Context, events iter.Seq2[storage.Event, error], bookmarks bool) {
	for ev, err := range events {
		if ctx.Err() != nil {
			return // its time is over, which is no error
		}
		if ev.Type == storage.Bookmark && !bookmarks {
			continue
		}
		if o.event(ev, err) != nil {
			return // the client has gone, or the stream's error has been sent
		}
	}
}

var errEnd = errors.New("the stream ends")

func (o *stream) event(ev storage.Event, failure error) error {
	if failure != nil {
		o.frame("ERROR", mustJSON(streamError(failure)))
		return errEnd
	}
	body, err := o.object(ev)
	if err != nil {
		o.frame("ERROR", mustJSON(status.From(err)))
		return errEnd
	}
	return o.frame(string(ev.Type), body)
}

// frame writes one event. In JSON that is a line: the object's bytes go out as
// they are stored, and are copied nowhere; the many watchers of an event share them.
func (o *stream) frame(eventType string, body []byte) error {
	parts := [][]byte{[]byte(`{"type":"` + eventType + `","object":`), body, []byte("}\n")}
	if format := o.answer.Format; format.Frame != nil {
		encoded, err := format.Encode(body)
		if err != nil {
			return err
		}
		parts = [][]byte{format.Frame(eventType, encoded)}
	}
	for _, part := range parts {
		if _, err := o.w.Write(part); err != nil {
			return err
		}
	}
	return o.flush.Flush()
}

func (o *stream) object(ev storage.Event) ([]byte, error) {
	if ev.Type == storage.Bookmark {
		apiVersion, kind := o.scope.Storage.Kind()
		obj := object.Object{APIVersion: apiVersion, Kind: kind}
		if o.initial {
			obj.Meta.Annotations = map[string]string{"k8s.io/initial-events-end": "true"}
			o.initial = false
		}
		ev.Object = object.NewEncoded(obj.Encode(), ev.Revision)
	}
	if o.answer.View == nil {
		return ev.Object.JSON(), nil
	}
	r := endpoints.ViewRequest{
		Version: o.answer.Version, Resource: o.scope.Resource, Subresource: o.scope.Subresource,
		Items: []*object.Encoded{ev.Object}, IncludeObject: o.include, OmitDefinition: o.defined,
	}
	o.defined = true
	return o.answer.View.Render(r)
}

func streamError(err error) *status.Status {
	if errors.Is(err, kv.ErrCompacted) {
		return status.Expired("The resourceVersion for the provided watch is too old.")
	}
	return status.From(err)
}

func mustJSON(s *status.Status) []byte {
	body, err := json.Marshal(s)
	if err != nil {
		panic(fmt.Sprintf("endpoints: a Status cannot be encoded: %v", err)) // it has nothing but strings and numbers
	}
	return body
}
