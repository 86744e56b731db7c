package negotiation

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/request"
)

var (
	formats = []Format{
		{MediaType: "application/json", Streams: true},
		{MediaType: "application/yaml", Encode: func(body []byte) ([]byte, error) { return append([]byte("# "), body...), nil }},
		{MediaType: "application/x-binary", Binary: true, Encode: func([]byte) ([]byte, error) { return nil, ErrNotEncodable }},
	}
	views = []View{{As: "Table", Lists: true, Single: true, Text: true}, {As: "Partial", Versions: []string{"v1"}, Single: true}}
)

func asked(accept string) *http.Request {
	req := httptest.NewRequest("GET", "/api/v1/pods", nil)
	req.Header.Set("Accept", accept)
	return req.WithContext(request.WithInfo(req.Context(), request.Info{Verb: "list"}))
}

func TestTheBestFormThatTheServerHasIsTaken(t *testing.T) {
	for accept, want := range map[string]string{
		"":                 "application/json",
		"*/*":              "application/json",
		"application/yaml": "application/yaml",
		"text/html, */*":   "application/json",
		"text/html":        "406",
		"application/*":    "406", // upstream's router wants a name or */*
		"Application/JSON": "406",
		"application/json;q=0.1,application/yaml;q=0.9":                       "application/yaml",
		"application/json;q=0,application/yaml":                               "application/yaml",
		"application/json;as=Table;g=meta.k8s.io;v=v1beta1":                   "application/json Table v1beta1",
		"application/json;as=Table;g=meta.k8s.io;v=v2":                        "406",
		"application/json;as=Table;g=meta.k8s.io;v=v2,application/json":       "application/json",
		"application/json;as=Partial;g=meta.k8s.io;v=v1":                      "application/json Partial v1",
		"application/x-binary;as=Table;g=meta.k8s.io;v=v1,application/yaml":   "application/yaml",
		"application/x-binary;as=Partial;g=meta.k8s.io;v=v1,application/json": "application/x-binary Partial v1",
	} {
		a, err := Negotiate(formats, views, asked(accept), func(View) bool { return true })
		got := a.Format.MediaType
		if a.View != nil {
			got += " " + a.View.As + " " + a.Version
		}
		if err != nil {
			got = "error: " + err.Error()
			if status.From(err).Code == http.StatusNotAcceptable {
				got = "406"
			}
		}
		if got != want {
			t.Errorf("Accept: %q is answered in the form %q, want %q", accept, got, want)
		}
	}
}

func TestAnErrorReachesWhoeverCannotReadIt(t *testing.T) {
	for accept, want := range map[string]string{
		"application/yaml":     "application/yaml",
		"text/html":            "application/json",
		"application/x-binary": "application/json", // an error has no such form, and an error must be told
	} {
		w := httptest.NewRecorder()
		WriteStatus(formats, w, asked(accept), status.BadRequest("so not"))
		if got := w.Header().Get("Content-Type"); got != want || w.Code != http.StatusBadRequest {
			t.Errorf("Accept: %s: the error came as %s with %d, want %s with 400", accept, got, w.Code, want)
		}
		var s status.Status
		if err := json.Unmarshal([]byte(strings.TrimPrefix(w.Body.String(), "# ")), &s); err != nil || s.Message != "so not" {
			t.Errorf("Accept: %s: the answer does not say what was wrong: %s", accept, w.Body)
		}
	}
}
