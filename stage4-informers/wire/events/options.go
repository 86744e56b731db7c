package events

import (
	"cmp"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"example.com/kube-apiserver/stage3-storage/endpoints"
	"example.com/kube-apiserver/stage3-storage/object/field"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/request"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage3-storage/wire/negotiation"
	"example.com/kube-apiserver/stage3-storage/wire/requests"
	watch "example.com/kube-apiserver/stage4-informers/endpoints"
)

// Asked finds out what a client asks for with a watch. It is a watch.Asks.
func Asked(s *endpoints.Scope, req *http.Request) (asked watch.Asked, err error) {
	form, err := s.Encoder.Negotiate(s, nil, req, endpoints.Events) // what is written goes through the frames
	if err != nil {
		return asked, err
	}
	answer := form.(negotiation.Answer)
	if !answer.Format.Streams {
		return asked, noStream(s.Encoder.(negotiation.Encoder).Formats)
	}
	if asked.Options, err = options(s, req); err != nil {
		return asked, err
	}
	if asked.Timeout, err = timeout(req.URL.Query()); err != nil {
		return asked, err
	}
	asked.Namespace = endpoints.Key(req).Namespace
	asked.MediaType = answer.Format.MediaType
	if answer.Format.Frame != nil {
		asked.MediaType += ";stream=watch"
	}
	f := &frames{scope: s, answer: answer, include: req.URL.Query().Get("includeObject"), initial: asked.Options.SendInitialEvents}
	asked.Frame = f.frame
	return asked, nil
}

func noStream(formats []negotiation.Format) error {
	var names []string
	for _, f := range formats {
		if f.Streams {
			names = append(names, f.MediaType+";stream=watch")
		}
	}
	return status.New(http.StatusNotAcceptable, "NotAcceptable", "only the following media types are accepted: "+strings.Join(names, ", "), nil)
}

func options(s *endpoints.Scope, req *http.Request) (rest.WatchOptions, error) {
	q := req.URL.Query()
	list, err := s.Decoder.ListOptions(s, req)
	if err == nil {
		err = checkInitialEvents(q)
	}
	// Who names no revision gets the present objects first, and is told where
	// they end, without having asked for it.
	version := q.Get("resourceVersion")
	revision, wrong := requests.Revision(version)
	fromNow := (version == "" || version == "0") && q.Get("resourceVersionMatch") == "" && !q.Has("sendInitialEvents")
	return rest.WatchOptions{
		Selector: list.Selector, Revision: revision,
		AllowBookmarks: request.On(q, "allowWatchBookmarks"), SendInitialEvents: fromNow || request.On(q, "sendInitialEvents"),
	}, cmp.Or(err, wrong)
}

// checkInitialEvents refuses what sendInitialEvents does not go together with:
// a client that asked for less would wait for a bookmark that never comes.
//
// Now: staging/src/k8s.io/apimachinery/pkg/apis/meta/internalversion/validation/validation.go validateWatchOptions
func checkInitialEvents(q url.Values) error {
	var errs field.Errors
	match := q.Get("resourceVersionMatch")
	switch asked := q.Has("sendInitialEvents"); {
	case asked && match == "":
		errs = field.Errors{field.Forbidden("resourceVersionMatch", "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan")}
	case asked && match != "NotOlderThan":
		errs = field.Errors{
			field.Forbidden("resourceVersionMatch", "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"),
			field.NotSupported("resourceVersionMatch", match, "NotOlderThan"),
		}
	case !asked && match != "":
		errs = field.Errors{field.Forbidden("resourceVersionMatch", "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided")}
	default:
		return nil
	}
	return status.Invalid("meta.k8s.io", "ListOptions", "", errs)
}

// timeout is how long the client wants to watch, 0 where it does not say.
func timeout(q url.Values) (time.Duration, error) {
	text := q.Get("timeoutSeconds")
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return 0, status.BadRequest("strconv.ParseInt: parsing %q: invalid syntax", text)
	}
	return max(0, time.Duration(n)*time.Second), nil
}
