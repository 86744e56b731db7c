package audit

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/kube-apiserver/stage2-options/options"
	"example.com/kube-apiserver/stage3-storage/registry/request"
	"github.com/google/go-cmp/cmp"
)

func policy(t *testing.T, text string) (*Policy, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "policy.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return ReadPolicy(path)
}

const head = "apiVersion: audit.k8s.io/v1\nkind: Policy\n"

func TestTheFirstRuleThatFitsDecides(t *testing.T) {
	p, err := policy(t, head+`omitStages: [RequestReceived]
rules:
- {level: None, users: ["system:kube-proxy"], verbs: [watch], resources: [{resources: [endpoints, services]}]}
- {level: None, nonResourceURLs: ["/healthz*", "/version"]}
- {level: None, userGroups: ["system:nodes"], namespaces: [kube-system]}
- {level: Request, resources: [{resources: ["pods/*"]}, {group: apps, resources: ["*"], resourceNames: [web]}], omitStages: [ResponseStarted]}
- {level: None, resources: [{resources: [events]}]}
- level: Metadata
`)
	if err != nil {
		t.Fatal(err)
	}
	user := func(name string, groups ...string) request.User { return request.User{Name: name, Groups: groups} }
	at := func(verb, group, resource, sub, namespace, name string) request.Info {
		return request.Info{IsResource: true, Verb: verb, Group: group, Resource: resource, Subresource: sub, Namespace: namespace, Name: name}
	}
	all := []string{"RequestReceived"}
	for name, c := range map[string]struct {
		user  request.User
		info  request.Info
		level string
		omit  []string
	}{
		"a noisy watch":            {user("system:kube-proxy"), at("watch", "", "services", "", "", ""), none, nil},
		"the same user otherwise":  {user("system:kube-proxy"), at("list", "", "services", "", "", ""), metadata, all},
		"health":                   {user("x"), request.Info{Path: "/healthz/ping", Verb: "get"}, none, nil},
		"another path":             {user("x"), request.Info{Path: "/api", Verb: "get"}, metadata, all},
		"a node in kube-system":    {user("n", "system:nodes"), at("get", "", "secrets", "", "kube-system", "s"), none, nil},
		"a node elsewhere":         {user("n", "system:nodes"), at("get", "", "secrets", "", "ns", "s"), metadata, all},
		"a subresource of pods":    {user("x"), at("create", "", "pods", "exec", "ns", "p"), withRequest, []string{"RequestReceived", "ResponseStarted"}},
		"an object by its name":    {user("x"), at("get", "apps", "deployments", "", "ns", "web"), withRequest, []string{"RequestReceived", "ResponseStarted"}},
		"another object":           {user("x"), at("get", "apps", "deployments", "", "ns", "db"), metadata, all},
		"what nobody wants to see": {user("x"), at("create", "", "events", "", "ns", ""), none, nil},
	} {
		level, omit := p.decide(c.user, c.info)
		if level != c.level || level != none && cmp.Diff(c.omit, omit) != "" {
			t.Errorf("%s: got %v without %v, want %v without %v", name, level, omit, c.level, c.omit)
		}
	}
}

func TestAPolicyThatIsNotUnderstoodIsRefused(t *testing.T) {
	for name, c := range map[string]struct{ text, says string }{
		"a field that is not known":  {head + "rules: [{level: None, userz: [a]}]", "userz"},
		"a level that is not known":  {head + "rules: [{level: Everything}]", `"Everything"; use one of None, Metadata, Request, RequestResponse`},
		"no level":                   {head + "rules: [{users: [a]}]", "use one of None"},
		"names of nothing":           {head + "rules: [{level: None, resources: [{resourceNames: [a]}]}]", "give resources too"},
		"a path that is none":        {head + "rules: [{level: None, nonResourceURLs: [healthz]}]", "begin with /"},
		"a star in the middle":       {head + `rules: [{level: None, nonResourceURLs: ["/a*b"]}]`, "* at the end"},
		"no rules":                   {head, "no rules"},
		"another kind":               {"kind: Pod\napiVersion: v1", "want Policy"},
		"a stage that is not known":  {head + "rules: [{level: None, omitStages: [Later]}]", "Later"},
		"paths and resources in one": {head + `rules: [{level: None, nonResourceURLs: ["/x"], namespaces: [a]}]`, "not both"},
	} {
		if _, err := policy(t, c.text); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: want an error that says %q, got %v", name, c.says, err)
		}
	}
}

type buffer struct{ bytes.Buffer }

func (*buffer) Close() error { return nil }

func TestARequestLeavesALineForEachStage(t *testing.T) {
	out := &buffer{}
	l := &Log{Policy: Everything, out: out}
	become := func(next http.Handler) http.Handler { // what impersonation does
		return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			next.ServeHTTP(w, req.WithContext(request.WithUser(req.Context(), request.User{Name: "bob"})))
		})
	}
	h := l.WithAudit(become(Observe(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }))))
	for _, path := range []string{"/api/v1/namespaces/ns/secrets/s", "/api/v1/pods?watch=true"} {
		req := httptest.NewRequest("GET", path, nil)
		req.Header.Set("Authorization", "Bearer very-secret")
		ctx := request.WithUser(request.WithInfo(req.Context(), request.Parse(req)), request.User{Name: "alice", Groups: []string{"devs"}})
		w := httptest.NewRecorder()
		h.ServeHTTP(w, req.WithContext(ctx))
		if w.Header().Get("Audit-Id") == "" {
			t.Error("the answer must name its line")
		}
	}
	var stages []string
	for line := range strings.Lines(out.String()) {
		var e event
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("a line is no JSON: %v\n%s", err, line)
		}
		stages = append(stages, e.Verb+" "+e.Stage)
		if e.User.Username != "alice" || e.Stage == completed && (e.ImpersonatedUser == nil || e.ImpersonatedUser.Username != "bob" || e.ResponseStatus.Code != 403) {
			t.Errorf("a line must tell who, as whom and how it ended: %s", line)
		}
	}
	want := []string{"get RequestReceived", "get ResponseComplete", "watch RequestReceived", "watch ResponseStarted", "watch ResponseComplete"}
	if diff := cmp.Diff(want, stages); diff != "" {
		t.Errorf("the stages are not what they should be (-want +got):\n%s", diff)
	}
	if strings.Contains(out.String(), "very-secret") {
		t.Error("credentials must not be written down")
	}
}

func TestWhoBecomesHimselfWithMoreIsWrittenDownAsThat(t *testing.T) {
	out := &buffer{}
	become := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			user := request.UserFrom(req.Context())
			user.Extra = map[string][]string{"scopes": {"all"}}
			next.ServeHTTP(w, req.WithContext(request.WithUser(req.Context(), user)))
		})
	}
	h := (&Log{Policy: Everything, out: out}).WithAudit(become(Observe(http.NotFoundHandler())))
	req := httptest.NewRequest("GET", "/api", nil)
	h.ServeHTTP(httptest.NewRecorder(), req.WithContext(request.WithUser(req.Context(), request.User{Name: "alice", Groups: []string{"devs"}})))
	if !strings.Contains(out.String(), `"impersonatedUser":{"username":"alice","groups":["devs"],"extra":{"scopes":["all"]}}`) {
		t.Errorf("the name and the groups are the same, and yet it is another user; the log says\n%s", out)
	}
}

func TestAPanicIsWrittenDown(t *testing.T) {
	out := &buffer{}
	h := (&Log{Policy: Everything, out: out}).WithAudit(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("oh") }))
	func() {
		defer func() { recover() }()
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/x", nil))
	}()
	if !strings.Contains(out.String(), `"stage":"Panic"`) {
		t.Errorf("the line about the panic is missing:\n%s", out.String())
	}
}

func TestOnlyTheOwnerCanReadTheLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.log")
	l, err := Open(&options.AuditOptions{LogPath: path}, Everything)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the log tells who did what: want mode 0600, got %v, %v", info, err)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
}

func TestAFullLogIsPutAsideAndNoLineIsLost(t *testing.T) {
	folder := t.TempDir()
	l, err := Open(&options.AuditOptions{LogPath: filepath.Join(folder, "audit.log"), MaxSizeMB: 1}, Everything)
	if err != nil {
		t.Fatal(err)
	}
	h := l.WithAudit(http.NotFoundHandler())
	long := "/" + strings.Repeat("x", 100<<10)
	const requests = 6 // of two lines with 100 KB each
	for range requests {
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", long, nil))
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(folder)
	if err != nil || len(files) != 2 {
		t.Fatalf("1.2 MB of log are a file that is full and one that is not, there are %v, %v", files, err)
	}
	lines := 0
	for _, f := range files {
		info, err := f.Info()
		if err != nil || info.Mode().Perm() != 0o600 || info.Size() > 1<<20 {
			t.Errorf("%s has mode %s and %d bytes, want at most a megabyte that only the owner can read; %v", f.Name(), info.Mode(), info.Size(), err)
		}
		text, err := os.ReadFile(filepath.Join(folder, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if !json.Valid([]byte(line)) {
				t.Errorf("%s has a line that is cut off: %.100s…", f.Name(), line)
			}
			lines++
		}
	}
	if lines != 2*requests {
		t.Errorf("%d requests leave %d lines, there are %d", requests, 2*requests, lines)
	}
}

func TestOptionsOfTheLogThatMakeNoSenseAreRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.log")
	for says, o := range map[string]options.AuditOptions{
		"--audit-log-maxage=-1: negative":    {LogPath: path, MaxAge: -1},
		"--audit-log-maxbackup=-2: negative": {LogPath: path, MaxBackups: -2},
		"--audit-log-maxsize=-3: negative":   {LogPath: path, MaxSizeMB: -3},
		"give --audit-log-path too":          {PolicyFile: path},
		"--audit-policy-file: ":              {LogPath: path, PolicyFile: path + ".none"},
		"--audit-log-path: ":                 {LogPath: filepath.Join(path, "below a file")},
	} {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := New(&o); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%+v: want an error that says %q, got %v", o, says, err)
		}
	}
}
