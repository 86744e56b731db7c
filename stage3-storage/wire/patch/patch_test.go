package patch_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/wire/patch"
)

func parse(t testing.TB, text string) map[string]any {
	t.Helper()
	tree, err := object.Parse([]byte(text))
	if err != nil {
		t.Fatalf("the test's own JSON is bad: %v\n%s", err, text)
	}
	return tree
}

// apply patches and, whatever comes of it, checks that the live object is as it was.
func apply(t testing.TB, f patch.Func, live map[string]any, body string, schema patch.Schema) (map[string]any, error) {
	t.Helper()
	before := object.CopyTree(live)
	got, err := f(live, []byte(body), schema)
	if d := cmp.Diff(before, any(live)); d != "" {
		t.Errorf("a patch must leave the live object alone (-before +after):\n%s", d)
	}
	return got, err
}

func wantTree(t *testing.T, f patch.Func, live, body string, schema patch.Schema, want string) {
	t.Helper()
	got, err := apply(t, f, parse(t, live), body, schema)
	if err != nil {
		t.Fatalf("%s\nis a good patch, but the answer is: %v", body, err)
	}
	if d := cmp.Diff(parse(t, want), got); d != "" {
		t.Errorf("%s\nmakes something else of %s (-want +got):\n%s", body, live, d)
	}
}

func wantStatus(t *testing.T, f patch.Func, live, body string, schema patch.Schema, code int, reason, message string) {
	t.Helper()
	got, err := apply(t, f, parse(t, live), body, schema)
	s, ok := errors.AsType[*status.Status](err)
	if !ok {
		t.Fatalf("%.200s\nshould be refused with a Status, but the answer is %v, %v", body, got, err)
	}
	if s.Code != code || s.Reason != reason || message != "" && s.Message != message {
		t.Errorf("%.200s\nis refused with %d %s %q, not with %d %s %q", body, s.Code, s.Reason, s.Message, code, reason, message)
	}
}

func TestAJSONPatchDoesItsOperationsInTurn(t *testing.T) {
	const live = `{"data":{"x":"1","y":"2"},"list":[1,2,3]}`
	for name, c := range map[string]struct{ body, want string }{
		"no operation":      {`[]`, live},
		"add and replace":   {`[{"op":"add","path":"/data/z","value":"3"},{"op":"replace","path":"/data/x","value":"9"}]`, `{"data":{"x":"9","y":"2","z":"3"},"list":[1,2,3]}`},
		"remove":            {`[{"op":"remove","path":"/data/y"}]`, `{"data":{"x":"1"},"list":[1,2,3]}`},
		"move and copy":     {`[{"op":"move","from":"/data/x","path":"/a"},{"op":"copy","from":"/a","path":"/b"}]`, `{"a":"1","b":"1","data":{"y":"2"},"list":[1,2,3]}`},
		"a test that holds": {`[{"op":"test","path":"/data/x","value":"1"},{"op":"remove","path":"/list"}]`, `{"data":{"x":"1","y":"2"}}`},
		"list positions":    {`[{"op":"add","path":"/list/0","value":0},{"op":"add","path":"/list/-","value":4},{"op":"remove","path":"/list/1"}]`, `{"data":{"x":"1","y":"2"},"list":[0,2,3,4]}`},
		"escaped keys":      {`[{"op":"add","path":"/data/example.com~1a~0b","value":"<&>"}]`, `{"data":{"x":"1","y":"2","example.com/a~b":"<&>"},"list":[1,2,3]}`},
		"a map and its key": {`[{"op":"add","path":"/m","value":{}},{"op":"add","path":"/m/k","value":null}]`, `{"data":{"x":"1","y":"2"},"list":[1,2,3],"m":{"k":null}}`},
		"the whole object":  {`[{"op":"replace","path":"","value":{"new":true}}]`, `{"new":true}`},
	} {
		t.Run(name, func(t *testing.T) { wantTree(t, patch.JSON, live, c.body, nil, c.want) })
	}
}

func TestAJSONPatchThatDoesNotFitIsInvalidAndSaysNoMore(t *testing.T) {
	const live = `{"data":{"x":"1"},"list":[1,null],"deep":{"list":[1]}}`
	for _, body := range []string{
		`[{"op":"test","path":"/data/x","value":"2"},{"op":"add","path":"/data/y","value":"1"}]`,
		`[{"op":"test","path":"/data/nope","value":"2"}]`,
		`[{"op":"remove","path":"/data/nope"}]`,
		`[{"op":"replace","path":"/nope/x","value":1}]`,
		`[{"op":"add","path":"/list/9","value":1}]`,
		`[{"op":"add","path":"/data/x"}]`, // no value
		`[{"op":"add","value":1}]`,
		`[{"op":"frob","path":"/data"}]`,
		`[null]`,
		`[{"op":1,"path":"/a"}]`,
		`[{"op":"replace","path":"","value":[1]}]`, // no object any more
		`[{"op":"add","path":"","value":null}]`,
		`[{"op":"test","path":""}]`, // from here on the library panics
		`[{"op":"test","path":"/deep/list","value":[null]}]`,
		`[{"op":"test","path":"/list","value":[1,null]}]`,
	} {
		wantStatus(t, patch.JSON, live, body, nil, 422, "Invalid", "the server rejected our request due to an error in our request")
	}
}

func TestAJSONPatchHasLimits(t *testing.T) {
	operations := func(n int) string {
		return `[` + strings.TrimSuffix(strings.Repeat(`{"op":"add","path":"/a","value":1},`, n), ",") + `]`
	}
	wantTree(t, patch.JSON, `{}`, operations(10000), nil, `{"a":1}`)
	wantStatus(t, patch.JSON, `{}`, operations(10001), nil, 413, "RequestEntityTooLarge",
		"Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001")

	var double []string // each copies a value, with what was copied before, into itself
	for i := range 30 {
		double = append(double, fmt.Sprintf(`{"op":"copy","from":"/data","path":"/data/%d"}`, i))
	}
	wantStatus(t, patch.JSON, `{"data":{"x":"0123456789"}}`, `[`+strings.Join(double, ",")+`]`, nil, 422, "Invalid", "")
}

// The target and the patch of every example of RFC 7386 in which both are objects.
func TestAMergePatchFollowsItsRFC(t *testing.T) {
	for _, c := range []struct{ live, body, want string }{
		{`{"a":"b"}`, `{"a":"c"}`, `{"a":"c"}`},
		{`{"a":"b"}`, `{"b":"c"}`, `{"a":"b","b":"c"}`},
		{`{"a":"b"}`, `{"a":null}`, `{}`},
		{`{"a":"b","b":"c"}`, `{"a":null}`, `{"b":"c"}`},
		{`{"a":["b"]}`, `{"a":"c"}`, `{"a":"c"}`},
		{`{"a":"c"}`, `{"a":["b"]}`, `{"a":["b"]}`},
		{`{"a":{"b":"c"}}`, `{"a":{"b":"d","c":null}}`, `{"a":{"b":"d"}}`},
		{`{"a":[{"b":"c"}]}`, `{"a":[1]}`, `{"a":[1]}`},
		{`{"e":null}`, `{"a":1}`, `{"e":null,"a":1}`},
		{`{}`, `{"a":{"bb":{"ccc":null}}}`, `{"a":{"bb":{}}}`},
	} {
		wantTree(t, patch.Merge, c.live, c.body, nil, c.want)
	}
}

func TestAMergePatchKnowsNoDirectives(t *testing.T) {
	wantTree(t, patch.Merge, `{"a":{"b":1}}`, `{"a":{"$patch":"replace"}}`, nil, `{"a":{"b":1,"$patch":"replace"}}`)
}

func TestAPatchThatCannotBeUnderstoodIsABadRequest(t *testing.T) {
	deep := `{"data":` + strings.Repeat(`{"a":`, 10001) + `1` + strings.Repeat(`}`, 10001) + `}`
	for _, c := range []struct {
		f             patch.Func
		body, message string
	}{
		{patch.JSON, ``, "invalid JSON patch"},
		{patch.JSON, `[{"op":`, "invalid JSON patch"},
		{patch.JSON, `{"op":"add"}`, "error decoding patch: json: cannot unmarshal object into Go value of type []interface {}"},
		{patch.JSON, `[1]`, "json: cannot unmarshal number into Go value of type jsonpatch.Operation"},
		{patch.Merge, ``, "invalid JSON patch"},
		{patch.Merge, `{"data":`, "invalid JSON patch"},
		{patch.Merge, `{} {}`, "invalid JSON patch"},
		{patch.Merge, deep, "invalid JSON patch"},
		{patch.Merge, `null`, "Invalid JSON Patch"},
		{patch.Merge, `["a"]`, "error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}"},
		{patch.Strategic, `{"data":`, "invalid JSON patch"},
		{patch.Strategic, `["a"]`, "error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}"},
	} {
		wantStatus(t, c.f, `{"data":{"x":"1"}}`, c.body, nil, 400, "BadRequest", c.message)
	}
}

func TestNoPatchLosesADigit(t *testing.T) {
	const live, number = `{"old":12345678901234567890.123456789012345678900,"a":1}`, `98765432109876543210.10`
	bodies := map[string]string{
		"application/json-patch+json":            `[{"op":"replace","path":"/a","value":` + number + `},{"op":"copy","from":"/a","path":"/b"}]`,
		"application/merge-patch+json":           `{"a":` + number + `,"b":` + number + `}`,
		"application/strategic-merge-patch+json": `{"a":` + number + `,"b":` + number + `}`,
	}
	for _, row := range patch.Types {
		got, err := apply(t, row.Apply, parse(t, live), bodies[row.MediaType], nil)
		if err != nil {
			t.Fatalf("%s: %v", row.MediaType, err)
		}
		want := map[string]any{"old": json.Number("12345678901234567890.123456789012345678900"), "a": json.Number(number), "b": json.Number(number)}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s must keep numbers letter by letter (-want +got):\n%s", row.MediaType, d)
		}
	}
}
