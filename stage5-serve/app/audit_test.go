package app_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/kube-apiserver/stage5-serve/testserver"
)

// line is what these tests read of a line of the audit log.
type line struct {
	Level, Stage, Verb, AuditID string
	ObjectRef                   *struct{ Name, Namespace, UID, Resource, ResourceVersion string }
	ResponseStatus              *struct {
		Code            int
		Status, Message string
		Reason          string
	}
	RequestObject, ResponseObject json.RawMessage
	Annotations                   map[string]string
}

// audited is a server whose audit log is kept by a policy, and its log.
type audited struct {
	*testserver.Server
	log   string
	asked int
}

func startAudited(t *testing.T, rules string) *audited {
	t.Helper()
	folder := t.TempDir()
	policy, log := filepath.Join(folder, "policy.yaml"), filepath.Join(folder, "logs", "audit.log") // its folder is made
	write(t, policy, "apiVersion: audit.k8s.io/v1\nkind: Policy\nomitStages: [RequestReceived]\nomitManagedFields: true\nrules:\n"+rules)
	return &audited{Server: testserver.Start(t, testserver.Options{
		Args:  []string{"--audit-policy-file=" + policy, "--audit-log-path=" + log},
		Users: []testserver.User{{Token: "alicetoken", Name: "alice"}},
	}), log: log}
}

// ask sends "METHOD path" with headers "Name: value", and returns what the log says of it in the end.
func (a *audited) ask(t *testing.T, client *http.Client, request, body string, headers ...string) line {
	t.Helper()
	method, path, _ := strings.Cut(request, " ")
	req, err := http.NewRequestWithContext(t.Context(), method, a.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Set(name, value)
	}
	a.asked++
	id := fmt.Sprint("request-", a.asked)
	req.Header.Set("Audit-Id", id)
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		t.Fatal(err)
	}
	return a.find(t, id)
}

// find waits for the last line of a request: it is written when the client may have its answer already.
func (a *audited) find(t *testing.T, id string) (found line) {
	t.Helper()
	for again := time.NewTicker(2 * time.Millisecond); ; <-again.C { // the test's own timeout bounds it
		data, err := os.ReadFile(a.log)
		if err != nil {
			t.Fatal(err)
		}
		for text := range strings.Lines(string(data)) {
			var l line
			if err := json.Unmarshal([]byte(text), &l); err == nil && l.AuditID == id && l.Stage == "ResponseComplete" {
				return l
			}
		}
	}
}

func TestThePolicySaysHowMuchOfARequestIsWrittenDown(t *testing.T) {
	t.Parallel()
	a := startAudited(t, `
- {level: RequestResponse, resources: [{resources: [configmaps, namespaces]}]}
- {level: Request, resources: [{resources: [serviceaccounts]}]}
- {level: Metadata}
`)
	const configMaps, accounts, secrets = "/api/v1/namespaces/default/configmaps", "/api/v1/namespaces/default/serviceaccounts", "/api/v1/namespaces/default/secrets"
	big := strings.Repeat("x", 200<<10)
	for _, c := range []struct {
		request, body  string
		headers        []string
		level          string
		code           int
		sent, answered string // parts of both objects; "" for none
	}{
		{"POST " + configMaps, "metadata: {name: c}\ndata: {k: v}\n", []string{"Content-Type: application/yaml"}, "RequestResponse", 201, `"data":{"k":"v"}`, `"uid":"`},
		{"PATCH " + configMaps + "/c", `{"data":{"k":"w"}}`, []string{"Content-Type: application/merge-patch+json"}, "RequestResponse", 200, `{"data":{"k":"w"}}`, `"data":{"k":"w"}`},
		{"GET " + configMaps + "/c", ``, []string{"Accept: application/vnd.kubernetes.protobuf"}, "RequestResponse", 200, "", `"data":{"k":"w"}`},
		{"GET " + configMaps + "/c", ``, []string{"Accept: application/json;as=Table;v=v1;g=meta.k8s.io"}, "RequestResponse", 200, "", `"kind":"Table"`},
		{"PUT " + configMaps + "/c", `{"metadata":{"name":"c"},"data":{"k":"` + big + `"}}`, nil, "RequestResponse", 200, big, big},
		{"GET " + configMaps, ``, []string{"Accept-Encoding: gzip"}, "RequestResponse", 200, "", big},
		{"DELETE " + configMaps + "/c", `{"gracePeriodSeconds":0}`, nil, "RequestResponse", 200, `{"gracePeriodSeconds":0}`, `"status":"Success"`},
		{"POST " + configMaps, `{"metadata":`, nil, "RequestResponse", 400, "", `"reason":"BadRequest"`},
		{"POST /api/v1/namespaces", `{"metadata":{"name":"n"}}`, nil, "RequestResponse", 201, `"name":"n"`, `"status":{"phase":"Active"}`},
		{"POST " + accounts, `{"metadata":{"name":"robot"}}`, nil, "Request", 201, `"name":"robot"`, ""},
		{"POST " + secrets, `{"metadata":{"name":"s"},"data":{"k":"dmVyeQ=="}}`, nil, "Metadata", 201, "", ""},
		{"GET /api/v1", ``, nil, "Metadata", 200, "", ""},
	} {
		l := a.ask(t, a.Client, c.request, c.body, c.headers...)
		if l.Level != c.level || l.ResponseStatus == nil || l.ResponseStatus.Code != c.code {
			t.Errorf("%s: the line has level %s and %+v, want %s and %d", c.request, l.Level, l.ResponseStatus, c.level, c.code)
		}
		for what, o := range map[string]struct {
			got  json.RawMessage
			want string
		}{"requestObject": {l.RequestObject, c.sent}, "responseObject": {l.ResponseObject, c.answered}} {
			if (o.want == "") != (o.got == nil) || !strings.Contains(string(o.got), o.want) {
				t.Errorf("%s: at level %s %s must have %.60q, it is %.300q", c.request, c.level, what, o.want, o.got)
			}
		}
	}
	log, err := os.ReadFile(a.log)
	if err != nil || strings.Contains(string(log), "dmVyeQ==") || strings.Contains(string(log), "RequestReceived") {
		t.Errorf("neither a secret nor a stage that the policy leaves out may be in the log: %v\n%s", err, log)
	}
}

func TestALineNamesTheObjectTheAnswerAndWhyItWasAllowed(t *testing.T) {
	t.Parallel()
	a := startAudited(t, "- {level: Metadata}\n")
	const configMaps = "/api/v1/namespaces/default/configmaps"
	made := a.ask(t, a.Client, "POST "+configMaps, `{"metadata":{"name":"c"}}`)
	if made.ObjectRef == nil || made.ObjectRef.Name != "c" || made.ObjectRef.Namespace != "default" {
		t.Errorf("the path of a creation has no name, and the line must have it all the same: %+v", made.ObjectRef)
	}
	if got := made.Annotations["authorization.k8s.io/decision"]; got != "allow" {
		t.Errorf("the decision is %q, want allow", got)
	}
	put := a.ask(t, a.Client, "PUT "+configMaps+"/c", `{"metadata":{"name":"c","uid":"u","resourceVersion":"1"}}`)
	if put.ObjectRef == nil || put.ObjectRef.UID != "u" || put.ObjectRef.ResourceVersion != "1" || put.ResponseStatus.Reason != "Conflict" {
		t.Errorf("an update is of a version, and its line must say of which, and how it went: %+v %+v", put.ObjectRef, put.ResponseStatus)
	}
	gone := a.ask(t, a.Client, "DELETE "+configMaps+"/c", "")
	if s := gone.ResponseStatus; s == nil || s.Status != "Success" || s.Code != 200 {
		t.Errorf("what the answer says belongs to the line, got %+v", s)
	}
	forbidden := a.ask(t, a.As("alicetoken"), "GET "+configMaps, "")
	if s := forbidden.ResponseStatus; s == nil || s.Reason != "Forbidden" || !strings.Contains(s.Message, `User "alice" cannot list`) || forbidden.Annotations["authorization.k8s.io/decision"] != "forbid" {
		t.Errorf("a refusal and its reason belong to the line, got %+v %v", s, forbidden.Annotations)
	}
	public := a.ask(t, a.As("alicetoken"), "GET /version", "")
	if why := public.Annotations["authorization.k8s.io/reason"]; !strings.HasPrefix(why, "RBAC: allowed by ClusterRoleBinding ") {
		t.Errorf("the line must say by which rule, it says %q", why)
	}
	resp, err := a.As("wrong").Get(a.URL + "/version")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if log, err := os.ReadFile(a.log); err != nil || !strings.Contains(string(log), `"message":"Authentication failed, attempted: bearer","code":401`) {
		t.Errorf("who was not recognised must be in the log: %v\n%s", err, log)
	}
}
