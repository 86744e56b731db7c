package audit

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"sync"

	"example.com/kube-apiserver/stage2-options/options"
	"example.com/kube-apiserver/stage3-storage/registry/request"
	"example.com/kube-apiserver/stage3-storage/wire/negotiation"
	"example.com/kube-apiserver/stage3-storage/wire/tables"
	"gopkg.in/natefinch/lumberjack.v2"
)

// Log writes lines. It is safe for concurrent use.
type Log struct {
	Policy  *Policy
	Formats []negotiation.Format // of bodies

	mu  sync.Mutex // one line at a time
	out io.WriteCloser
}

// New makes the log of the options, nil where none is asked for.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/options/audit.go ApplyTo
func New(o *options.AuditOptions) (*Log, error) {
	for flag, n := range map[string]int{"maxage": o.MaxAge, "maxbackup": o.MaxBackups, "maxsize": o.MaxSizeMB} {
		if n < 0 {
			return nil, fmt.Errorf("--audit-log-%s=%d: negative; give 0 for no limit", flag, n)
		}
	}
	switch {
	case o.LogPath == "" && o.PolicyFile == "":
		return nil, nil
	case o.LogPath == "":
		return nil, fmt.Errorf("--audit-policy-file=%s: nothing would be written down; give --audit-log-path too", o.PolicyFile)
	case o.PolicyFile == "":
		return Open(o, Everything)
	}
	policy, err := ReadPolicy(o.PolicyFile)
	if err != nil {
		return nil, fmt.Errorf("--audit-policy-file: %w", err)
	}
	return Open(o, policy)
}

// Open opens the log: a file that only its owner can read, to whose end is
// written, or with "-" stdout. A file that is full is renamed, and a new one begun.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/options/audit.go AuditLogOptions.applyTo
// Now: staging/src/k8s.io/apiserver/pkg/server/options/audit.go getWriter
func Open(o *options.AuditOptions, policy *Policy) (*Log, error) {
	l := &Log{Policy: policy, Formats: tables.Formats}
	if o.LogPath == "-" {
		l.out = os.Stdout
		return l, nil
	}
	err := os.MkdirAll(filepath.Dir(o.LogPath), 0o700)
	var f *os.File
	if err == nil { // the library would open it with the first line, and be heard by nobody
		f, err = os.OpenFile(o.LogPath, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		return nil, fmt.Errorf("--audit-log-path: %w", err)
	}
	l.out = &lumberjack.Logger{Filename: o.LogPath, MaxAge: o.MaxAge, MaxBackups: o.MaxBackups, MaxSize: o.MaxSizeMB, Compress: o.Compress}
	return l, nil
}

// Close closes the file.
func (l *Log) Close() error {
	if l.out == os.Stdout {
		return nil
	}
	return l.out.Close()
}

func (l *Log) write(e event) {
	data, err := json.Marshal(e)
	if err == nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		_, err = l.out.Write(append(data, '\n'))
	}
	if err != nil {
		log.Printf("audit: %s of %s %s was not written down: %v", e.Stage, e.Verb, e.RequestURI, err)
	}
}

// WithAudit writes down what the policy picks. It stands behind authentication
// and before impersonation: the user who sent the request is the one to know.
// Whom he became is told by the filter Observe, behind impersonation.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/endpoints/filters/audit.go WithAudit
func (l *Log) WithAudit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		known(req.Context())
		user, info := request.UserFrom(req.Context()), request.InfoFrom(req.Context())
		level, omit := l.Policy.decide(user, info)
		if level == none {
			next.ServeHTTP(w, req)
			return
		}
		r := &record{log: l, omit: omit, event: newEvent(req, level, user, info)}
		w.Header().Set("Audit-Id", r.event.AuditID)
		r.stage(received)
		req = req.WithContext(withRecord(req.Context(), r))
		sent, seen := r.readAlong(req), r.watch(w, req)
		finished := false
		defer func() {
			r.sent(req, sent)
			if !finished {
				r.failed("APIServer panic'd")
				r.stage(panicked)
				return
			}
			r.answered(cmp.Or(seen.code, http.StatusOK), seen)
			r.stage(completed)
		}()
		next.ServeHTTP(seen, req)
		finished = true
	})
}
