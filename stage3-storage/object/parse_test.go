package object_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"example.com/kube-apiserver/stage3-storage/object"
	"github.com/google/go-cmp/cmp"
)

func TestParseKeepsEveryDigit(t *testing.T) {
	tree, err := object.Parse([]byte(` {"a": 1.50, "b": {"c": [true, {"d": 12345678901234567890}]}, "": -1e3} `))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"a": json.Number("1.50"), "b": map[string]any{"c": []any{true, map[string]any{"d": json.Number("12345678901234567890")}}}, "": json.Number("-1e3")}
	if d := cmp.Diff(want, tree); d != "" {
		t.Errorf("a number stays as it is written (-want +got):\n%s", d)
	}
}

func TestWhatIsNoJSONObjectIsRefused(t *testing.T) {
	for text, want := range map[string]string{
		"":          "EOF",
		`{"a":1`:    "unexpected EOF",
		`{"a":1} {`: "something follows",
		`[1]`:       "expected a JSON object",
		`null`:      "expected a JSON object",
		`{"a":tru}`: "in literal true",
	} {
		if _, err := object.Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: want an error with %q, got %v", text, want, err)
		}
	}
}

func TestMetadataOfAWrongTypeAreRefusedByName(t *testing.T) {
	for text, want := range map[string]string{
		`{"metadata":{"labels":{"a":1}}}`:                  "metadata.labels: expected string, got number",
		`{"metadata":{"generation":"1"}}`:                  "metadata.generation: expected int64, got string",
		`{"metadata":{"ownerReferences":[{"name":true}]}}`: "metadata.ownerReferences.name: expected string, got bool",
		`{"metadata":[]}`:                                  "metadata: expected object.Meta, got array",
		`{"kind":1}`:                                       "kind: expected string, got number",
	} {
		tree, err := object.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := object.FromTree(tree); err == nil || err.Error() != want {
			t.Errorf("%s: want the error %q, got %v", text, want, err)
		}
	}
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
		tree, err := object.Parse(text)
		if err != nil {
			t.Skip("no object")
		}
		obj, err := object.FromTree(tree)
		if err != nil {
			t.Skip("no metadata that an object can have")
		}
		stored := obj.Encode()
		again, err := object.Parse(stored)
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
