package object_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"example.com/kube-apiserver/stage3-storage/object"
	"github.com/google/go-cmp/cmp"
)

func TestParseKeepsEveryDigitAndNamesDuplicates(t *testing.T) {
	tree, duplicates, err := object.Parse([]byte(` {"a": 1.50, "b": {"c": [true, {"d": 12345678901234567890, "d": null}], "c": [-1e3, "\u00fc\n", "ü", false]}, "b": {"e": {}}, "a": 2, "": 0} `))
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
		if _, _, err := object.Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
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
		tree, duplicates, err := object.Parse(text)
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

// FuzzEncode: what is stored is canonical. Read and written again it is the
// same, letter by letter, and no digit of a number has gone.
func FuzzEncode(f *testing.F) {
	for _, text := range []string{
		`{"apiVersion":"v1","kind":"A","metadata":{"name":"a","labels":{"b":"<&>"}},"spec":{"n":1.50,"m":12345678901234567890.10}}`,
		`{"metadata":{"generation":3,"ownerReferences":[{"uid":"u","controller":true}],"managedFields":[{"x":1e3}]},"":null,"é":[{}]}`,
		`{"metadata":{"annotations":{"a":"\u2028\ufffd\\"},"deletionGracePeriodSeconds":0}}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		tree, _, err := object.Parse(text)
		if err != nil {
			t.Skip("no object")
		}
		obj, err := object.FromTree(tree)
		if err != nil {
			t.Skip("no metadata that an object can have")
		}
		stored := obj.Encode()
		again, _, err := object.Parse(stored)
		if err != nil {
			t.Fatalf("%s: what was encoded cannot be read: %v", stored, err)
		}
		if obj, err = object.FromTree(again); err != nil {
			t.Fatalf("%s: what was encoded is no object: %v", stored, err)
		}
		if got := obj.Encode(); !bytes.Equal(got, stored) {
			t.Errorf("an object that is read and stored again stays as it is\n%s\nbecame\n%s", stored, got)
		}
		if got := object.NewEncoded(stored, 7); !json.Valid(got.JSON()) || !got.Holds(stored) {
			t.Errorf("%s: with a revision it is no JSON: %s", stored, got.JSON())
		}
	})
}
