package audit

import (
	"context"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"sync"

	"example.com/kube-apiserver/stage3-storage/registry/request"
	wiremetadata "example.com/kube-apiserver/stage3-storage/wire/metadata"
)

// record is one request on its way. Later filters add to it.
type record struct {
	log  *Log
	omit []string

	mu    sync.Mutex // guards event: the handler may outlive its request
	event event
}

type recordKey struct{}

func withRecord(ctx context.Context, r *record) context.Context {
	return context.WithValue(ctx, recordKey{}, r)
}

// stage writes a line, unless the policy leaves the stage out.
func (r *record) stage(name string) {
	if slices.Contains(r.omit, name) {
		return
	}
	r.mu.Lock()
	e := r.event
	e.Annotations = maps.Clone(e.Annotations)
	r.mu.Unlock()
	e.Stage, e.StageTimestamp = name, now()
	r.log.write(e)
}

// begun says that an answer has begun which may go on for ever.
func (r *record) begun(code int) {
	r.mu.Lock()
	r.event.ResponseStatus = &responseStatus{Code: code}
	r.mu.Unlock()
	r.stage(started)
}

// Annotate adds to what is written down about a request, if it is; a key that
// is there already stays as it is.
//
// Now: staging/src/k8s.io/apiserver/pkg/audit/context.go AddAuditAnnotation
func Annotate(ctx context.Context, key, value string) {
	r, ok := ctx.Value(recordKey{}).(*record)
	if !ok {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.event.Annotations == nil {
		r.event.Annotations = map[string]string{}
	}
	if _, there := r.event.Annotations[key]; !there {
		r.event.Annotations[key] = value
	}
}

// Observe is the filter behind impersonation: as whom the request goes on, and
// behind it nothing about the user changes any more.
//
// Now: staging/src/k8s.io/apiserver/pkg/audit/request.go LogImpersonatedUser
func Observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if r, ok := req.Context().Value(recordKey{}).(*record); ok {
			user := shown(request.UserFrom(req.Context()))
			r.mu.Lock()
			if !reflect.DeepEqual(user, r.event.User) { // a client may take another UID, or more in extra, alone
				r.event.ImpersonatedUser = &user
			}
			r.mu.Unlock()
		}
		next.ServeHTTP(w, req)
	})
}

// auditID is the client's name for the request, or a random one.
func auditID(req *http.Request) string {
	if id := req.Header.Get("Audit-Id"); id != "" && len(id) <= 64 {
		return id
	}
	return wiremetadata.NewUID()
}
