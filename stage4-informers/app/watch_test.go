package app_test

import (
	"bufio"
	"encoding/binary"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
)

// open begins a request that may be a stream. Closing the answer ends it.
func (r *running) open(path, accept string) *http.Response {
	r.Helper()
	req, err := http.NewRequestWithContext(r.Context(), http.MethodGet, r.url+path, nil)
	if err != nil {
		r.Fatal(err)
	}
	req.Header.Set("Accept", accept)
	resp, err := r.client.HTTP.Do(req)
	if err != nil {
		r.Fatal(err)
	}
	r.Cleanup(func() { resp.Body.Close() })
	return resp
}

func TestAWatchBeginsWithWhatIsThere(t *testing.T) {
	r := start(t)
	r.make(configMaps, "default", `{"metadata":{"name":"a","labels":{"app":"web"}}}`)
	r.make(configMaps, "default", `{"metadata":{"name":"b"}}`)
	r.make(configMaps, "default", `{"metadata":{"name":"c"}}`)
	const all, some = "/api/v1/namespaces/default/configmaps", "fieldSelector=metadata.name%3Db"
	for path, want := range map[string]string{
		all + "?watch=true":                                                               `ADDED "a"`,
		all + "?watch=perhaps":                                                            `ADDED "a"`,
		all + "?watch=&" + some:                                                           `ADDED "b"`,
		all + "?watch=False":                                                              "list",
		all + "?watch=true&" + some:                                                       `ADDED "b"`,
		all + "?watch=true&labelSelector=app%3Dweb":                                       `ADDED "a"`,
		"/api/v1/watch/configmaps?" + some:                                                `ADDED "b"`,
		"/api/v1/watch/namespaces/default/configmaps":                                     `ADDED "a"`,
		"/api/v1/watch/namespaces/default/configmaps/c":                                   `ADDED "c"`,
		"/api/v1/watch/namespaces/default/configmaps/b?" + some:                           `ADDED "b"`,
		"/api/v1/watch/namespaces/default/configmaps/c?" + some:                           "400",
		"/api/v1/watch/namespaces/default/configmaps/c?fieldSelector=metadata.name!%3Db":  "400",
		all + "?watch=true&fieldSelector=metadata.name%3Dc,metadata.name!%3Db":            `ADDED "c"`,
		all + "?watch=true&allowWatchBookmarks=true&labelSelector=none":                   "BOOKMARK initial-events-end",
		all + "?watch=true&allowWatchBookmarks=1&labelSelector=none&resourceVersion=0":    "BOOKMARK initial-events-end",
		all + "?watch=true&allowWatchBookmarks=false&labelSelector=none&timeoutSeconds=1": "the end",
	} {
		resp := r.open(path, "application/json")
		line, err := bufio.NewReader(resp.Body).ReadString('\n')
		if err != nil && err != io.EOF {
			t.Errorf("%s: %v", path, err)
		}
		if got := describe(resp.StatusCode, line); got != want {
			t.Errorf("%s begins with %s, want %s: %s", path, got, want, line)
		}
		resp.Body.Close()
	}
}

// describe says what the first line of an answer is.
func describe(code int, line string) string {
	switch {
	case code != http.StatusOK:
		return strconv.Itoa(code)
	case line == "":
		return "the end"
	case strings.Contains(line, `"items":`):
		return "list"
	case strings.HasPrefix(line, `{"type":"BOOKMARK"`) && strings.Contains(line, `"k8s.io/initial-events-end":"true"`):
		return "BOOKMARK initial-events-end"
	}
	_, eventType, _ := strings.Cut(line, `"type":"`)
	eventType, _, _ = strings.Cut(eventType, `"`)
	if _, name, ok := strings.Cut(line, `"name":`); ok {
		name, _, _ = strings.Cut(name, ",")
		return eventType + " " + strings.TrimSpace(name)
	}
	return eventType
}

// Components of a cluster watch in protobuf.
func TestAWatchSpeaksProtobufAndNoYAML(t *testing.T) {
	r := start(t)
	r.make(configMaps, "default", `{"metadata":{"name":"a"},"data":{"k":"some value"}}`)
	const path, protobuf = "/api/v1/namespaces/default/configmaps?watch=true", "application/vnd.kubernetes.protobuf"
	resp := r.open(path, protobuf)
	if got := resp.Header.Get("Content-Type"); got != protobuf+";stream=watch" {
		t.Errorf("a watch in protobuf has the type %q", got)
	}
	var length uint32
	if err := binary.Read(resp.Body, binary.BigEndian, &length); err != nil {
		t.Fatal(err)
	}
	frame := make([]byte, length)
	if _, err := io.ReadFull(resp.Body, frame); err != nil {
		t.Fatalf("a frame says that it has %d bytes, and then: %v", length, err)
	}
	for _, part := range []string{"\x0a\x05ADDED", "k8s\x00", "ConfigMap", "some value"} {
		if !strings.Contains(string(frame), part) {
			t.Errorf("the frame of an added object has no %q: %q", part, frame)
		}
	}
	if resp := r.open(path, "application/yaml"); resp.StatusCode != http.StatusNotAcceptable {
		t.Errorf("a watch in YAML is answered with %d, want 406", resp.StatusCode)
	}
}
