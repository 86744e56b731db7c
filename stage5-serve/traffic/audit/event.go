package audit

import (
	"encoding/json"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/request"
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
// Upstream: staging/src/k8s.io/apiserver/pkg/apis/audit/v1alpha1/types.go Event
// Now: staging/src/k8s.io/apiserver/pkg/apis/audit/v1/types.go Event
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
	RequestObject            json.RawMessage `json:"requestObject,omitempty"`
	ResponseObject           json.RawMessage `json:"responseObject,omitempty"`
	RequestReceivedTimestamp string          `json:"requestReceivedTimestamp"`
	StageTimestamp           string          `json:"stageTimestamp"`

	Annotations map[string]string `json:"annotations,omitempty"`
}

type userInfo struct {
	Username string              `json:"username,omitempty"`
	UID      string              `json:"uid,omitempty"`
	Groups   []string            `json:"groups,omitempty"`
	Extra    map[string][]string `json:"extra,omitempty"`
}

type objectRef struct {
	Resource        string `json:"resource,omitempty"`
	Namespace       string `json:"namespace,omitempty"`
	Name            string `json:"name,omitempty"`
	UID             string `json:"uid,omitempty"`
	APIGroup        string `json:"apiGroup,omitempty"`
	APIVersion      string `json:"apiVersion,omitempty"`
	ResourceVersion string `json:"resourceVersion,omitempty"`
	Subresource     string `json:"subresource,omitempty"`
}

// responseStatus is a Status without its kind.
type responseStatus struct {
	Metadata struct{}        `json:"metadata"`
	Status   string          `json:"status,omitempty"`
	Message  string          `json:"message,omitempty"`
	Reason   string          `json:"reason,omitempty"`
	Details  *status.Details `json:"details,omitempty"`
	Code     int             `json:"code,omitempty"`
}

func newEvent(req *http.Request, level string, user request.User, info request.Info) event {
	e := event{
		Kind: "Event", APIVersion: "audit.k8s.io/v1", Level: level, AuditID: auditID(req), RequestURI: req.URL.RequestURI(), Verb: info.Verb,
		User: shown(user), UserAgent: req.UserAgent(), RequestReceivedTimestamp: now(), SourceIPs: sources(req),
	}
	if info.IsResource {
		e.ObjectRef = &objectRef{
			Resource: info.Resource, Namespace: info.Namespace, Name: info.Name,
			APIGroup: info.Group, APIVersion: info.Version, Subresource: info.Subresource,
		}
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
