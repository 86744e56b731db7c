package app_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
)

const configMaps = "/api/v1/namespaces/default/configmaps"

// ask sends "METHOD path" with headers "Name: value" and returns the answer.
func ask(t testing.TB, url, line, body string, headers ...string) (*http.Response, []byte) {
	t.Helper()
	method, path, _ := strings.Cut(line, " ")
	req, err := http.NewRequestWithContext(t.Context(), method, url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ":")
		req.Header.Set(name, strings.TrimSpace(value))
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, data
}

func TestMistakesAreToldInTheWordsOfTheRealServer(t *testing.T) {
	url, _, stop := run(t, t.TempDir())
	defer stop()
	ask(t, url, "POST "+configMaps, `{"metadata":{"name":"c"}}`)
	const merge, strategic = "Content-Type: application/merge-patch+json", "Content-Type: application/strategic-merge-patch+json"
	for _, c := range []struct {
		line, body, header string
		code               int
		says               string
	}{
		{"POST " + configMaps, ``, "", 400, "the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)"},
		{"POST " + configMaps, `hello`, "", 400, "invalid character 'h' looking for beginning of value (68656c6c6f)"},
		{"POST " + configMaps, `[1]`, "", 400, "cannot unmarshal array into Go value of type struct"},
		{"POST " + configMaps, `null`, "", 422, `ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required`},
		{"POST " + configMaps, `{"apiVersion":"a/b/c"}`, "", 400, "unexpected GroupVersion string: a/b/c"},
		{"POST " + configMaps, `{"apiVersion":"v1","kind":"Secret"}`, "", 400, `Secret in version "v1" cannot be handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): unknown conversion`},
		{"POST " + configMaps, `{"kind":"Nonsense"}`, "", 400, `no kind "Nonsense" is registered for version "v1"`},
		{"POST " + configMaps, `{"metadata":{"name":"d"},"data":[1]}`, "", 400, "cannot unmarshal array into Go struct field ConfigMap.data of type map[string]string"},
		{"POST " + configMaps, `{"metadata":{"name":"d"},"x":1,"a":2}`, "", 201, ""},
		{"POST " + configMaps + "?fieldValidation=Strict", `{"x":1,"data":{"k":"1","k":"2"},"a":2}`, "", 400, `strict decoding error: unknown field "x", duplicate field "data.k", unknown field "a"`},
		{"POST " + configMaps, `x`, "Content-Type: text/plain", 415, "accepted media types include: application/json"},
		{"POST " + configMaps, "a: {", "Content-Type: application/yaml", 400, "the object provided is unrecognized (must be of type ConfigMap): yaml: line 1"},
		{"POST " + configMaps, `{"data":{"k":"` + strings.Repeat("x", 3<<20) + `"}}`, "", 413, "Request entity too large: limit is 3145728"},
		{"POST " + configMaps + "?fieldManager=a%00b", `{}`, "", 422, "invalid character U+0000 (at position 1)"},
		{"PUT " + configMaps + "/c", `{}`, "", 400, "the name of the object (c based on URL) was undeterminable: name must be provided"},
		{"PUT " + configMaps + "/c", `{"metadata":{"name":"c","resourceVersion":"x"}}`, "", 500, `strconv.ParseUint: parsing "x": invalid syntax`},
		{"PATCH " + configMaps + "/c", `{"data":[1]}`, merge, 422, `json: cannot unmarshal array`},
		{"PATCH " + configMaps + "/c", `{"data":{"k":5}}`, strategic, 422, `patch: Invalid value: "map[data:map[k:5]]": cannot convert int64 to string`},
		{"PATCH " + configMaps + "/c", `{"data":{"k":5.5}}`, strategic, 422, `patch: Invalid value: "map[data:map[k:5.5]]": unrecognized type: string`},
		{"PATCH " + configMaps + "/c", `{"data":[2.0]}`, strategic, 422, `patch: Invalid value: "map[data:[2]]": cannot restore map from slice`},
		{"PATCH " + configMaps + "/c", `{"kind":"Secret"}`, merge, 422, "unknown conversion"},
		{"PATCH " + configMaps + "/c", `{"kind":"Secret"}`, strategic, 200, ""}, // upstream does not look
		{"PATCH " + configMaps + "/c", `{"metadata":{"name":"d"}}`, merge, 400, "the name of the object (d) does not match the name on the URL (c)"},
		{"PATCH " + configMaps + "/c?fieldValidation=Strict", `{"data":{"k":"1","k":"2"}}`, merge, 422, `strict decoding error: duplicate field "data.k"`},
		{"PATCH " + configMaps + "/none", `{`, merge, 400, "invalid JSON patch"},
		{"PATCH " + configMaps + "/none", `{}`, merge, 404, `configmaps "none" not found`},
		{"PATCH " + configMaps + "/c", `{}`, "Content-Type: application/json", 415, "415: Unsupported Media Type"},
		{"PATCH " + configMaps + "/c", `{}`, "Content-Type: application/apply-patch+yaml", 415, "server-side apply is not here; send a merge patch"},
		{"DELETE " + configMaps + "/c", `{"kind":"ConfigMap","apiVersion":"v1"}`, "", 400, `no kind "ConfigMap" is registered for version "v1"`},
		{"DELETE " + configMaps + "/c", `{"gracePeriodSeconds":"1"}`, "", 400, "json: cannot unmarshal string into Go struct field DeleteOptions.gracePeriodSeconds of type int64"},
		{"DELETE " + configMaps + "/c", `{"orphanDependents":true,"propagationPolicy":"Orphan"}`, "", 422, "orphanDependents and deletionPropagation cannot be both set"},
		{"GET " + configMaps + "/..", ``, "", 400, `Name parameter invalid: "..": may not be '..'`},
		{"GET " + configMaps + "/a%25b", ``, "", 400, `Name parameter invalid: "a%b": may not contain '%'`},
		{"GET " + configMaps + "/c?resourceVersion=x", ``, "", 500, `resourceVersion: Invalid value: "x"`},
		{"GET " + configMaps + "?resourceVersion=x", ``, "", 400, `invalid resource version: resourceVersion: Invalid value: "x"`},
		{"GET " + configMaps + "?sendInitialEvents=true", ``, "", 422, "sendInitialEvents is forbidden for list"},
		{"GET " + configMaps, ``, "Accept: text/html", 406, "application/json;stream=watch"},
		{"GET " + configMaps, ``, "Accept: application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io", 406, "but the requested object is a list (*core.ConfigMapList)"},
		{"GET " + configMaps, ``, "Accept: application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io", 406, "only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf"},
		{"POST " + configMaps, `x`, "Content-Type: application/vnd.kubernetes.protobuf", 400, "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0] (78)"},
		{"PATCH " + configMaps + "/c?force=true", `{}`, merge, 422, "force: Forbidden: may not be specified for non-apply patch"},
		{"POST " + configMaps + "?dryRun=Some", `{}`, "", 422, `dryRun: Unsupported value: ["Some"]: supported values: "All"`},
		{"PUT " + configMaps, `{}`, "", 405, "the server does not allow this method on the requested resource"},
		{"GET /version", ``, "Accept: text/html", 406, "Available representations: application/json"},
	} {
		resp, data := ask(t, url, c.line, c.body, strings.Fields(strings.ReplaceAll(c.header, ": ", ":"))...)
		var s struct{ Message string }
		if err := json.Unmarshal(data, &s); err != nil || resp.StatusCode != c.code || !strings.Contains(s.Message, c.says) {
			t.Errorf("%s with %.60s %s must be answered with %d %q, got %d %.300s", c.line, c.body, c.header, c.code, c.says, resp.StatusCode, data)
		}
		if allow := resp.Header.Get("Allow"); allow != "" {
			t.Errorf("%s: upstream has no Allow header, got %q", c.line, allow)
		}
	}
}

func TestALimitRangeWithoutANameGetsOne(t *testing.T) {
	url, _, stop := run(t, t.TempDir())
	defer stop()
	const path = "/api/v1/namespaces/default/limitranges"
	var made struct {
		Metadata struct{ Name, UID string }
		Message  string
	}
	for range 2 { // another one each time
		resp, data := ask(t, url, "POST "+path, `{"spec":{"limits":[]}}`)
		if err := json.Unmarshal(data, &made); err != nil || resp.StatusCode != http.StatusCreated || len(made.Metadata.Name) != len(made.Metadata.UID) {
			t.Errorf("it is called by a UID, the answer is %d %s", resp.StatusCode, data)
		}
	}
	if resp, data := ask(t, url, "GET "+path+"/"+made.Metadata.Name, ""); resp.StatusCode != http.StatusOK {
		t.Errorf("it is found under this name, the answer is %d %s", resp.StatusCode, data)
	}
	made.Metadata.Name = ""
	_, data := ask(t, url, "POST "+path, `{"metadata":{"generateName":"l-"},"spec":{"limits":[]}}`)
	if err := json.Unmarshal(data, &made); err != nil || !strings.HasPrefix(made.Metadata.Name, "l-") {
		t.Errorf("one that has its name made gets that, the answer is %s", data)
	}
	if resp, data := ask(t, url, "PUT "+path+"/here", `{"spec":{"limits":[]}}`); resp.StatusCode != http.StatusBadRequest || !strings.Contains(string(data), "name must be provided") {
		t.Errorf("a PUT names what it puts, although it may create: the answer is %d %s", resp.StatusCode, data)
	}
}

func TestOnlyAStrategicPatchTakesTwoPointNothingForAnInteger(t *testing.T) {
	url, _, stop := run(t, t.TempDir())
	defer stop()
	const path = "/api/v1/namespaces/default/replicationcontrollers"
	const rc = `{"metadata":{"name":"%"},"spec":{"replicas":%,"selector":{"a":"b"},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}}`
	of := func(name, replicas string) string {
		return strings.Replace(strings.Replace(rc, "%", name, 1), "%", replicas, 1)
	}
	ask(t, url, "POST "+path, of("rc", "1"))
	const refused = "json: cannot unmarshal number 2.0 into Go struct field ReplicationControllerSpec.spec.replicas of type int32"
	for _, c := range []struct {
		line, body, contentType string
		code                    int
		says                    string
	}{
		{"POST " + path, of("json", "2.0"), "application/json", 400, refused},
		{"POST " + path, of("yaml", "2.0"), "application/yaml", 201, `"replicas":2,`}, // what makes JSON of YAML knows no difference
		{"PATCH " + path + "/rc", `{"spec":{"replicas":2.0}}`, "application/merge-patch+json", 422, refused},
		{"PATCH " + path + "/rc", `[{"op":"replace","path":"/spec/replicas","value":2.0}]`, "application/json-patch+json", 422, refused},
		{"PATCH " + path + "/rc", `{"spec":{"replicas":2.0}}`, "application/strategic-merge-patch+json", 200, `"replicas":2,`},
		{"PATCH " + path + "/rc", `{"spec":{"replicas":2.5}}`, "application/strategic-merge-patch+json", 422, "cannot convert float64 to int32"},
	} {
		resp, data := ask(t, url, c.line, c.body, "Content-Type: "+c.contentType)
		if text := strings.ReplaceAll(string(data), `"replicas": `, `"replicas":`); resp.StatusCode != c.code || !strings.Contains(text, c.says) {
			t.Errorf("%s of %s as %s must be answered with %d and %q, got %d %s", c.line, c.body, c.contentType, c.code, c.says, resp.StatusCode, data)
		}
	}
}

func TestASlashAtTheEndMeansNothing(t *testing.T) {
	url, _, stop := run(t, t.TempDir())
	defer stop()
	for _, path := range []string{configMaps + "/", "/version/"} {
		if resp, data := ask(t, url, "GET "+path, ""); resp.StatusCode != http.StatusOK {
			t.Errorf("%s is the same path as without its last slash, got %d %s", path, resp.StatusCode, data)
		}
	}
}

func TestBigAnswersAreCompressedForThoseWhoAsk(t *testing.T) {
	url, _, stop := run(t, t.TempDir())
	defer stop()
	ask(t, url, "POST "+configMaps, `{"metadata":{"name":"big"},"data":{"k":"`+strings.Repeat("x", 200<<10)+`"}}`)
	for _, path := range []string{configMaps, configMaps + "/big"} {
		resp, data := ask(t, url, "GET "+path, "", "Accept-Encoding: br, gzip")
		if resp.Header.Get("Content-Encoding") != "gzip" || len(data) > 50<<10 {
			t.Errorf("%s: 200 KB of the same letter must come compressed, got %q and %d bytes", path, resp.Header.Get("Content-Encoding"), len(data))
			continue
		}
		r, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		plain, err := io.ReadAll(r)
		if err != nil || !json.Valid(plain) {
			t.Errorf("%s: what is unpacked is the JSON: %v", path, err)
		}
	}
	if resp, _ := ask(t, url, "GET "+configMaps, "", "Accept-Encoding: br"); resp.Header.Get("Content-Encoding") != "" || resp.ContentLength < 200<<10 {
		t.Errorf("who does not ask for gzip gets it plain and with its length: %v", resp.Header)
	}
}
