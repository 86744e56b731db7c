package requests

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseKeepsEveryDigitAndNamesDuplicates(t *testing.T) {
	tree, duplicates, err := parse([]byte(` {"a": 1.50, "b": {"c": [true, {"d": 12345678901234567890, "d": null}], "c": [-1e3, "\u00fc\n", "ü", false]}, "b": {"e": {}}, "a": 2, "": 0} `))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"a": json.Number("2"), "b": map[string]any{"c": []any{json.Number("-1e3"), "ü\n", "ü", false}, "e": map[string]any{}}, "": json.Number("0")}
	if d := cmp.Diff(want, tree); d != "" {
		t.Errorf("of a key that stands twice the last value counts, and objects are put together (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{`duplicate field "b.c[1].d"`, `duplicate field "b.c"`, `duplicate field "b"`, `duplicate field "a"`}, duplicates); d != "" {
		t.Errorf("the duplicates are named by their paths (-want +got):\n%s", d)
	}
}

func TestWhatIsNoJSONObjectIsRefused(t *testing.T) {
	for text, want := range map[string]string{
		"":          "unexpected EOF",
		`{"a":1`:    "unexpected EOF",
		`{"a":1} {`: "after top-level value",
		`[1]`:       "expected a JSON object",
		`null`:      "expected a JSON object",
		`{"a":tru}`: "in literal true",
		strings.Repeat(`{"a":`, 10001) + "1" + strings.Repeat("}", 10001): "exceeded max depth",
	} {
		if _, _, err := parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: want an error with %q, got %v", text, want, err)
		}
	}
}

// FuzzParse compares with encoding/json.
func FuzzParse(f *testing.F) {
	for _, text := range []string{`{}`, `{"a":[1,2.50e-7,"x\"\\",null,true,false,{"b":{}}]}`, "{\"a\":\"\xff\"}", `{"\u0061":1,"a":2}`, `{ "a" :	[ ] }`, `{"a":"\ud800"}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		tree, duplicates, err := parse(text)
		dec := json.NewDecoder(bytes.NewReader(text))
		dec.UseNumber()
		var decoded any
		valid := json.Valid(text) && dec.Decode(&decoded) == nil
		want, ok := decoded.(map[string]any)
		if (err == nil) != (valid && ok) {
			t.Fatalf("%q: Parse says %v, encoding/json reads %v", text, err, decoded)
		}
		if err == nil && len(duplicates) == 0 {
			if d := cmp.Diff(want, tree); d != "" {
				t.Errorf("%q is read as something else than by encoding/json (-want +got):\n%s", text, d)
			}
		}
	})
}
