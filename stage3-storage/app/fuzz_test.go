package app_test

import (
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"testing"
)

var resources = []string{
	"bindings", "configmaps", "endpoints", "events", "limitranges", "persistentvolumeclaims", "pods", "podtemplates",
	"replicationcontrollers", "resourcequotas", "secrets", "serviceaccounts", "services",
}

// FuzzRequests sends strangers' bodies to every kind, to be created and to be
// a patch: the answer is JSON with a kind, and nothing is ever the server's fault.
func FuzzRequests(f *testing.F) {
	server, _, stop := run(f, f.TempDir())
	f.Cleanup(stop)
	for i := range resources {
		f.Add(uint8(i), "", []byte(`{"metadata":{"name":"a","labels":{"b":"c"}},"spec":{"containers":[{"name":"m","image":"x"}],"ports":[{"port":1}]},"data":{"k":"dg=="}}`))
	}
	f.Add(uint8(6), "merge-patch", []byte(`{"spec":{"containers":null},"metadata":{"finalizers":["orphan"]}}`))
	f.Add(uint8(6), "strategic-merge-patch", []byte(`{"spec":{"containers":[{"name":"m","$patch":"delete"}],"$setElementOrder/containers":[{"name":"m"}]}}`))
	f.Add(uint8(12), "json-patch", []byte(`[{"op":"replace","path":"/spec/ports/0","value":{"port":-1}}]`))
	f.Add(uint8(1), "", []byte("null"))
	asUpstream := regexp.MustCompile(`^(resourceVersion should not be set|strconv.ParseUint: |\[?target\.)`)
	f.Fuzz(func(t *testing.T, which uint8, patch string, body []byte) {
		path := "/api/v1/namespaces/default/" + resources[int(which)%len(resources)]
		line, header := "POST "+path, "Content-Type:application/json"
		if patch != "" {
			line, header = "PATCH "+path+"/a?fieldValidation="+url.QueryEscape(patch), "Content-Type:application/merge-patch+json"
			if slices.Contains([]string{"json-patch", "merge-patch", "strategic-merge-patch"}, patch) {
				line, header = "PATCH "+path+"/a", "Content-Type:application/"+patch+"+json"
			}
		}
		resp, data := ask(t, server, line, string(body), header)
		var answer struct{ Kind, Message string }
		if err := json.Unmarshal(data, &answer); err != nil || answer.Kind == "" {
			t.Errorf("%s with %q: the answer must be an object or a Status, got %d %.300q", line, body, resp.StatusCode, data)
		}
		if resp.StatusCode >= 500 && !asUpstream.MatchString(answer.Message) {
			t.Errorf("%s with %q is the client's mistake, and the server says %d %s", line, body, resp.StatusCode, answer.Message)
		}
	})
}
