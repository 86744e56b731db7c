package app_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

func TestAnEventIsTheSameInBothGroups(t *testing.T) {
	t.Parallel()
	s := start(t)
	const ours, core = "/apis/events.k8s.io/v1/namespaces/default/events", "/api/v1/namespaces/default/events"
	if code, answer := s.do(t, "POST", ours, `{"metadata":{"name":"e"},"eventTime":"2024-01-01T00:00:00.000000Z","action":"Binding","reason":"Scheduled","note":"good","type":"Normal",
		"reportingController":"example.com/sched","reportingInstance":"s-0","regarding":{"kind":"Pod","name":"web","namespace":"default"}}`); code != http.StatusCreated {
		t.Fatalf("POST of an event: got %d\n%s", code, answer)
	}
	for path, words := range map[string][]string{
		core + "/e":                         {`"apiVersion":"v1"`, `"message":"good"`, `"involvedObject":{`, `"reportingComponent":"example.com/sched"`},
		ours + "/e":                         {`"apiVersion":"events.k8s.io/v1"`, `"note":"good"`, `"regarding":{`, `"reportingController":"example.com/sched"`},
		ours + "?fieldSelector=type=Normal": {`"note":"good"`},
	} {
		if code, answer := s.do(t, "GET", path, ""); code != 200 || !containsAll(answer, words) {
			t.Errorf("GET %s: want %q, got %d\n%s", path, words, code, answer)
		}
	}
	if code, answer := s.do(t, "PUT", ours+"/e", `{"metadata":{"name":"e"},"note":"changed"}`); code != http.StatusUnprocessableEntity {
		t.Errorf("of an event only the series may change, got %d\n%s", code, answer)
	}
	if code, answer := s.do(t, "POST", ours, `{"metadata":{"name":"f"},"message":"old","regarding":{"namespace":"default"}}`); code != http.StatusUnprocessableEntity || !strings.Contains(answer, "eventTime: Required value") {
		t.Errorf("an event without a time must be refused, got %d\n%s", code, answer)
	}
	if code, _ := s.do(t, "DELETE", ours+"/e", ""); code != 200 {
		t.Errorf("DELETE: got %d", code)
	}
	if code, _ := s.do(t, "GET", core+"/e", ""); code != 404 {
		t.Errorf("what is deleted in one group is gone in the other, got %d", code)
	}
}

func containsAll(s string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(s, w) {
			return false
		}
	}
	return true
}

func TestReviewsAnswerForTheUserAndForOthers(t *testing.T) {
	t.Parallel()
	s := start(t)
	const authz, authn = "/apis/authorization.k8s.io/v1/", "/apis/authentication.k8s.io/v1/"
	for _, c := range []struct {
		what, token, path, body string
		code                    int
		says                    string
	}{
		{"who am I", "alicetoken", authn + "selfsubjectreviews", `{}`, 201, `"userInfo":{"groups":["devs","system:authenticated"],"uid":"alice","username":"alice"}`},
		{"who is nobody", "", authn + "selfsubjectreviews", `{}`, 403, `system:anonymous`},
		{"whose token is it", adminToken, authn + "tokenreviews", `{"spec":{"token":"alicetoken"}}`, 201, `"authenticated":true`},
		{"whose token is it for somebody else", adminToken, authn + "tokenreviews", `{"spec":{"token":"alicetoken","audiences":["vault"]}}`, 201, `"error":"invalid bearer token"`},
		{"whose token is it not", adminToken, authn + "tokenreviews", `{"spec":{"token":"wrong"}}`, 201, `"error":"invalid bearer token"`},
		{"may an administrator", adminToken, authz + "selfsubjectaccessreviews", `{"spec":{"resourceAttributes":{"verb":"get","resource":"pods"}}}`, 201, `"allowed":true`},
		{"may I", "alicetoken", authz + "selfsubjectaccessreviews", `{"spec":{"resourceAttributes":{"verb":"get","resource":"pods"}}}`, 201, `"allowed":false`},
		{"may I get a path", "alicetoken", authz + "selfsubjectaccessreviews", `{"spec":{"nonResourceAttributes":{"verb":"get","path":"/api"}}}`, 201, `"allowed":true`},
		{"may he", adminToken, authz + "subjectaccessreviews", `{"spec":{"user":"x","groups":["system:masters"],"resourceAttributes":{"verb":"get","resource":"pods"}}}`, 201, `"allowed":true`},
		{"may nobody", adminToken, authz + "subjectaccessreviews", `{"spec":{"resourceAttributes":{"verb":"get","resource":"pods"}}}`, 422, `at least one of user or group`},
		{"may I ask about others", "alicetoken", authz + "subjectaccessreviews", `{}`, 403, `cannot create resource`},
		{"in another namespace", adminToken, authz + "namespaces/default/localsubjectaccessreviews", `{"spec":{"user":"x","resourceAttributes":{"namespace":"other","verb":"get","resource":"pods"}}}`, 422, `must match metadata.namespace`},
		{"what may I", "alicetoken", authz + "selfsubjectrulesreviews", `{"spec":{"namespace":"default"}}`, 201, `"resources":["selfsubjectreviews"]`},
		{"what may I nowhere", "alicetoken", authz + "selfsubjectrulesreviews", `{}`, 400, `no namespace on request`},
	} {
		if code, answer := s.as(t, c.token, "POST", c.path, c.body); code != c.code || !strings.Contains(answer, c.says) {
			t.Errorf("%s: want %d that says %s, got %d\n%s", c.what, c.code, c.says, code, answer)
		}
	}
}

func TestDiscoveryHasTheNamedGroupsInOrder(t *testing.T) {
	t.Parallel()
	s := start(t)
	_, groups := s.do(t, "GET", "/apis", "")
	at := 0
	for _, name := range []string{"events.k8s.io", "authentication.k8s.io", "authorization.k8s.io", "rbac.authorization.k8s.io"} {
		i := strings.Index(groups[at:], fmt.Sprintf(`"name":%q`, name))
		if i < 0 {
			t.Fatalf("/apis must list %s in its place, it says\n%s", name, groups)
		}
		at += i
		if code, list := s.do(t, "GET", "/apis/"+name+"/v1", ""); code != 200 || !strings.Contains(list, `"resources":[{`) {
			t.Errorf("GET /apis/%s/v1: got %d\n%s", name, code, list)
		}
		if code, doc := s.do(t, "GET", "/openapi/v3/apis/"+name+"/v1", ""); code != 200 || !strings.Contains(doc, `"/apis/`+name+`/v1/`) {
			t.Errorf("OpenAPI of %s: got %d", name, code)
		}
	}
}
