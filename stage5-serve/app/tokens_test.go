package app_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"example.com/kube-apiserver/stage5-serve/testserver"
)

func TestAServiceAccountIsAUserWithAToken(t *testing.T) {
	t.Parallel()
	s := start(t)
	const accounts = "/api/v1/namespaces/default/serviceaccounts"
	if code, answer := s.do(t, "POST", accounts, `{"metadata":{"name":"robot"}}`); code != http.StatusCreated {
		t.Fatalf("POST of a service account: got %d\n%s", code, answer)
	}
	code, answer := s.do(t, "POST", accounts+"/robot/token", `{"spec":{"expirationSeconds":600}}`)
	var request struct{ Status struct{ Token string } }
	if err := json.Unmarshal([]byte(answer), &request); err != nil || code != http.StatusCreated || request.Status.Token == "" {
		t.Fatalf("POST of a token request: got %d, %v\n%s", code, err, answer)
	}
	token := request.Status.Token
	if code, answer := s.as(t, token, "POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", `{}`); code != 201 || !strings.Contains(answer, `"username":"system:serviceaccount:default:robot"`) {
		t.Errorf("the token must be recognised, got %d\n%s", code, answer)
	}
	if code, answer := s.do(t, "POST", "/apis/authentication.k8s.io/v1/tokenreviews", `{"spec":{"token":"`+token+`"}}`); code != 201 || !strings.Contains(answer, `"audiences":["https://kubernetes.default.svc"]`) {
		t.Errorf("a review must say whose it is and for whom, got %d\n%s", code, answer)
	}
	if code, answer := s.do(t, "POST", "/apis/authentication.k8s.io/v1/tokenreviews", `{"spec":{"token":"`+token+`","audiences":["vault"]}}`); code != 201 || strings.Contains(answer, `"authenticated":true`) {
		t.Errorf("for another audience it is no good, got %d\n%s", code, answer)
	}
	for body, want := range map[string]int{
		`{"spec":{"expirationSeconds":5}}`:                                                     422,
		`{"spec":{"boundObjectRef":{"apiVersion":"v1","kind":"Pod","name":"nosuch"}}}`:         404,
		`{"spec":{"boundObjectRef":{"apiVersion":"v1","kind":"Service","name":"kubernetes"}}}`: 400,
		`{"metadata":{"name":"other"}}`:                                                        422,
	} {
		if code, answer := s.do(t, "POST", accounts+"/robot/token", body); code != want {
			t.Errorf("a request for %s: got %d, want %d\n%s", body, code, want, answer)
		}
	}
	for _, path := range []string{"/openid/v1/jwks", "/.well-known/openid-configuration"} {
		if code, _ := s.as(t, token, "GET", path, ""); code != 200 {
			t.Errorf("service accounts may read %s, got %d", path, code)
		}
		if code, _ := s.as(t, "", "GET", path, ""); code != 403 {
			t.Errorf("nobody in particular may not read %s, got %d", path, code)
		}
	}
	s.do(t, "DELETE", accounts+"/robot", "")
	if code, _ := s.as(t, token, "GET", "/version", ""); code != 401 {
		t.Errorf("a token dies with its account, got %d", code)
	}
}

func TestANodeGetsTokensOfItsOwnPodsOnly(t *testing.T) {
	t.Parallel()
	s := testserver.Start(t, testserver.Options{
		Args:  []string{"--enable-admission-plugins=NodeRestriction"},
		Users: []testserver.User{{Token: "nodetoken", Name: "system:node:n1", Groups: []string{"system:nodes", "system:masters"}}},
	})
	const ns = "/api/v1/namespaces/default"
	post := func(client *http.Client, path, body string) (int, string) {
		t.Helper()
		resp, err := client.Post(s.URL+path, "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		answer, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp.StatusCode, string(answer)
	}
	uids := map[string]string{}
	post(s.Client, ns+"/serviceaccounts", `{"metadata":{"name":"robot"}}`)
	for name, node := range map[string]string{"mine": "n1", "other": "n2"} {
		code, answer := post(s.Client, ns+"/pods", `{"metadata":{"name":"`+name+`"},"spec":{"serviceAccountName":"robot","nodeName":"`+node+`","containers":[{"name":"c","image":"i:1"}]}}`)
		var pod struct{ Metadata struct{ UID string } }
		if err := json.Unmarshal([]byte(answer), &pod); err != nil || code != http.StatusCreated {
			t.Fatalf("POST of a pod: got %d, %v\n%s", code, err, answer)
		}
		uids[name] = pod.Metadata.UID
	}
	for body, want := range map[string]string{
		`{}`: "node requested token not bound to a pod",
		`{"spec":{"boundObjectRef":{"apiVersion":"v1","kind":"Pod","name":"other","uid":"` + uids["other"] + `"}}}`: "node requested token bound to a pod scheduled on a different node",
		`{"spec":{"boundObjectRef":{"apiVersion":"v1","kind":"Pod","name":"mine","uid":"` + uids["mine"] + `"}}}`:   "",
		`{"metadata":{"namespace":"kube-system"}}`: "the namespace of the provided object does not match the namespace sent on the request",
	} {
		code, answer := post(s.As("nodetoken"), ns+"/serviceaccounts/robot/token", body)
		if (want == "") != (code == http.StatusCreated) || !strings.Contains(answer, want) {
			t.Errorf("a node that asks for a token with %s must be told %q, got %d\n%s", body, want, code, answer)
		}
	}
}

func TestWhoAsksForAnEverlastingTokenGetsTheLongestThatThereIs(t *testing.T) {
	t.Parallel()
	s := start(t, "--service-account-max-token-expiration=2h")
	const path = "/api/v1/namespaces/default/serviceaccounts/robot/token"
	s.do(t, "POST", "/api/v1/namespaces/default/serviceaccounts", `{"metadata":{"name":"robot"}}`)
	for asked, c := range map[string]struct{ gets, warning string }{
		"7200": {"7200", ""},
		"7201": {"7200", `299 - "requested expiration of 7201 seconds shortened to 7200 seconds"`},
	} {
		resp, err := s.Client.Post(s.url+path, "application/json", strings.NewReader(`{"spec":{"expirationSeconds":`+asked+`}}`))
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		var answer struct {
			Spec   struct{ ExpirationSeconds json.Number }
			Status struct{ ExpirationTimestamp time.Time }
		}
		if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil || answer.Spec.ExpirationSeconds.String() != c.gets {
			t.Errorf("who asks for %s seconds gets %s, the answer says %+v, %v", asked, c.gets, answer, err)
		}
		if left := time.Until(answer.Status.ExpirationTimestamp); left > 2*time.Hour {
			t.Errorf("the token itself lives for %s, longer than the limit", left)
		}
		if got := resp.Header.Get("Warning"); got != c.warning {
			t.Errorf("who asks for %s seconds is told %q, want %q", asked, got, c.warning)
		}
	}
}

func TestATokenOfAPodEndsWithThePod(t *testing.T) {
	t.Parallel()
	s := start(t)
	const ns = "/api/v1/namespaces/default"
	s.do(t, "POST", ns+"/serviceaccounts", `{"metadata":{"name":"robot"}}`)
	code, answer := s.do(t, "POST", ns+"/pods", `{"metadata":{"name":"p"},"spec":{"serviceAccountName":"robot","nodeName":"n1","containers":[{"name":"c","image":"i:1"}]}}`)
	if code != http.StatusCreated {
		t.Fatalf("POST of a pod: got %d\n%s", code, answer)
	}
	const bound = `{"spec":{"boundObjectRef":{"apiVersion":"v1","kind":"Pod","name":"p"}}}`
	_, answer = s.do(t, "POST", ns+"/serviceaccounts/robot/token", bound)
	var request struct{ Status struct{ Token string } }
	if err := json.Unmarshal([]byte(answer), &request); err != nil || request.Status.Token == "" {
		t.Fatalf("POST of a token request: %v\n%s", err, answer)
	}
	_, me := s.as(t, request.Status.Token, "POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", `{}`)
	if !containsAll(me, []string{`"authentication.kubernetes.io/pod-name":["p"]`, `"authentication.kubernetes.io/node-name":["n1"]`}) {
		t.Errorf("the user's extra must name the pod and its node, got\n%s", me)
	}
	if code, answer := s.do(t, "POST", ns+"/serviceaccounts/default/token", bound); code == http.StatusCreated {
		t.Errorf("a pod of another account binds nothing, got\n%s", answer)
	}
	s.do(t, "DELETE", ns+"/pods/p?gracePeriodSeconds=0", "")
	if code, _ := s.as(t, request.Status.Token, "GET", "/version", ""); code != http.StatusUnauthorized {
		t.Errorf("the pod has gone, and its token is answered with %d", code)
	}
}
