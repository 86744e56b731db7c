package app_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"testing"
)

// request sends JSON and returns the answer's code and body.
func request(t *testing.T, method, url, body string) (code int, answer map[string]any) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, bytes.NewBufferString(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	json.Unmarshal(data, &answer) // what is no JSON has no fields
	return resp.StatusCode, answer
}

// A controller reports the status of a pod, and has an older idea of its spec.
func TestStatusWritesDoNotTouchSpec(t *testing.T) {
	url, _, stop := run(t, t.TempDir())
	defer stop()
	pods := url + "/api/v1/namespaces/default/pods"
	pod := func(image, phase string) string {
		return `{"metadata":{"name":"web"},"spec":{"containers":[{"name":"c","image":"` + image + `"}]},"status":{"phase":"` + phase + `"}}`
	}
	if code, answer := request(t, http.MethodPost, pods, pod("nginx:2", "")); code != http.StatusCreated {
		t.Fatalf("the pod was not created: %d %v", code, answer)
	}
	code, answer := request(t, http.MethodPut, pods+"/web/status", pod("nginx:1", "Running"))
	if code != http.StatusOK {
		t.Fatalf("pods have a path for their status: want 200 from PUT pods/web/status, got %d %v", code, answer)
	}
	spec, status := answer["spec"].(map[string]any), answer["status"].(map[string]any)
	if image := spec["containers"].([]any)[0].(map[string]any)["image"]; image != "nginx:2" {
		t.Errorf("a write to pods/web/status must leave the spec alone; it changed the image from nginx:2 to %v", image)
	}
	if status["phase"] != "Running" {
		t.Errorf("a write to pods/web/status must change the status: the phase is %v, want Running", status["phase"])
	}
}
