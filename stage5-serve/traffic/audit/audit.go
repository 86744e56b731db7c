package audit

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"example.com/kube-apiserver/stage2-options/options"
	"example.com/kube-apiserver/stage3-storage/registry/request"
	"example.com/kube-apiserver/stage5-serve/traffic"
)

// The stages of a request.
const (
	received  = "RequestReceived"
	started   = "ResponseStarted" // of those that go on for ever
	completed = "ResponseComplete"
	panicked  = "Panic"
)

var stages = []string{received, started, completed, panicked}

// event is one line.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/apis/audit/v1/types.go Event
type event struct {
	Kind                     string          `json:"kind"`
	APIVersion               string          `json:"apiVersion"`
	Level                    string          `json:"level"`
	AuditID                  string          `json:"auditID"`
	Stage                    string          `json:"stage"`
	RequestURI               string          `json:"requestURI"`
	Verb                     string          `json:"verb"`
	User                     userInfo        `json:"user"`
	ImpersonatedUser         *userInfo       `json:"impersonatedUser,omitempty"`
	SourceIPs                []string        `json:"sourceIPs,omitempty"`
	UserAgent                string          `json:"userAgent,omitempty"`
	ObjectRef                *objectRef      `json:"objectRef,omitempty"`
	ResponseStatus           *responseStatus `json:"responseStatus,omitempty"`
	RequestReceivedTimestamp string          `json:"requestReceivedTimestamp"`
	StageTimestamp           string          `json:"stageTimestamp"`
}

type userInfo struct {
	Username string              `json:"username,omitempty"`
	UID      string              `json:"uid,omitempty"`
	Groups   []string            `json:"groups,omitempty"`
	Extra    map[string][]string `json:"extra,omitempty"`
}

type objectRef struct {
	Resource    string `json:"resource,omitempty"`
	Namespace   string `json:"namespace,omitempty"`
	Name        string `json:"name,omitempty"`
	APIGroup    string `json:"apiGroup,omitempty"`
	APIVersion  string `json:"apiVersion,omitempty"`
	Subresource string `json:"subresource,omitempty"`
}

type responseStatus struct {
	Code int `json:"code"`
}

// Log writes lines. It is safe for concurrent use.
type Log struct {
	Policy *Policy

	mu  sync.Mutex // one line at a time
	out io.WriteCloser
}

// New makes the log of the options, nil where none is asked for.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/options/audit.go ApplyTo
func New(o *options.AuditOptions) (*Log, error) {
	switch {
	case o.LogPath == "" && o.PolicyFile == "":
		return nil, nil
	case o.LogPath == "":
		return nil, fmt.Errorf("--audit-policy-file=%s: nothing would be written down; give --audit-log-path too", o.PolicyFile)
	case o.PolicyFile == "":
		return Open(o.LogPath, Everything)
	}
	policy, err := ReadPolicy(o.PolicyFile)
	if err != nil {
		return nil, fmt.Errorf("--audit-policy-file: %w", err)
	}
	return Open(o.LogPath, policy)
}

// Open opens the log: a file that only its owner can read, to whose end is
// written, or with "-" stdout.
//
// Upstream: staging/src/k8s.io/apiserver/plugin/pkg/audit/log/backend.go NewBackend
func Open(path string, policy *Policy) (*Log, error) {
	if path == "-" {
		return &Log{Policy: policy, out: os.Stdout}, nil
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("--audit-log-path: %w", err)
	}
	return &Log{Policy: policy, out: f}, nil
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
		user, info := request.UserFrom(req.Context()), request.InfoFrom(req.Context())
		write, omit := l.Policy.decide(user, info)
		if !write {
			next.ServeHTTP(w, req)
			return
		}
		r := &record{log: l, omit: omit, event: newEvent(req, user, info)}
		w.Header().Set("Audit-Id", r.event.AuditID)
		r.stage(received, 0)
		seen := &watcher{ResponseWriter: w, record: r, forEver: traffic.LongRunning(req)}
		finished := false
		defer func() {
			switch {
			case !finished:
				r.stage(panicked, http.StatusInternalServerError)
			case seen.code == 0:
				r.stage(completed, http.StatusOK)
			default:
				r.stage(completed, seen.code)
			}
		}()
		next.ServeHTTP(seen, req.WithContext(withRecord(req.Context(), r)))
		finished = true
	})
}

func newEvent(req *http.Request, user request.User, info request.Info) event {
	e := event{
		Kind: "Event", APIVersion: "audit.k8s.io/v1", Level: "Metadata", AuditID: auditID(req), RequestURI: req.URL.RequestURI(), Verb: info.Verb,
		User: shown(user), UserAgent: req.UserAgent(), RequestReceivedTimestamp: now(), SourceIPs: sources(req),
	}
	if info.IsResource {
		e.ObjectRef = &objectRef{info.Resource, info.Namespace, info.Name, info.Group, info.Version, info.Subresource}
	}
	return e
}

func shown(u request.User) userInfo { return userInfo{u.Name, u.UID, u.Groups, u.Extra} }

func now() string { return time.Now().UTC().Format("2006-01-02T15:04:05.000000Z") }

// sources are the client and the proxies before it, as they say.
func sources(req *http.Request) []string {
	var list []string
	for hop := range strings.SplitSeq(req.Header.Get("X-Forwarded-For"), ",") {
		if ip := net.ParseIP(strings.TrimSpace(hop)); ip != nil {
			list = append(list, ip.String())
		}
	}
	if host, _, err := net.SplitHostPort(req.RemoteAddr); err == nil && !slices.Contains(list, host) {
		list = append(list, host)
	}
	return list
}

// watcher sees the code of the answer, and when it begins.
type watcher struct {
	http.ResponseWriter
	record  *record
	forEver bool
	code    int
}

// WriteHeader is part of http.ResponseWriter.
func (w *watcher) WriteHeader(code int) {
	if w.code == 0 {
		w.code = code
		if w.forEver {
			w.record.stage(started, code)
		}
	}
	w.ResponseWriter.WriteHeader(code)
}

// Write is part of http.ResponseWriter.
func (w *watcher) Write(p []byte) (int, error) {
	if w.code == 0 {
		w.WriteHeader(http.StatusOK)
	}
	return w.ResponseWriter.Write(p)
}

// Hijack is part of http.Hijacker: a connection is taken over by who has
// answered on it that the protocol changes.
func (w *watcher) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffered, err := http.NewResponseController(w.ResponseWriter).Hijack()
	if err == nil && w.code == 0 {
		w.code = http.StatusSwitchingProtocols
		w.record.stage(started, w.code)
	}
	return conn, buffered, err
}

// Unwrap lets http.ResponseController reach the connection.
func (w *watcher) Unwrap() http.ResponseWriter { return w.ResponseWriter }
