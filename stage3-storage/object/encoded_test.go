package object_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"example.com/kube-apiserver/stage3-storage/object"
	"github.com/google/go-cmp/cmp"
)

func TestTheRevisionIsPutIntoTheBytesWithoutParsing(t *testing.T) {
	for value, want := range map[string]string{
		`{"kind":"A","metadata":{"name":"a"}}`:              `{"kind":"A","metadata":{"name":"a","resourceVersion":"7"}}`,
		`{"metadata":{"name":"a\"","uid":"u","labels":{}}}`: `{"metadata":{"name":"a\"","uid":"u","resourceVersion":"7","labels":{}}}`,
		`{"metadata":{"generation":1,"name":"a"}}`:          `{"metadata":{"resourceVersion":"7","generation":1,"name":"a"}}`,
		// Somebody else's encoding becomes ours.
		`{"spec":{"metadata":{"name":"inner"}},"metadata":{}}`: `{"kind":"","apiVersion":"","metadata":{"resourceVersion":"7"},"spec":{"metadata":{"name":"inner"}}}`,
		`{"a":"\"metadata\":{","metadata":{"name":"a"}}`:       `{"kind":"","apiVersion":"","metadata":{"name":"a","resourceVersion":"7"},"a":"\"metadata\":{"}`,
		`{"kind": "A"}`:  `{"kind":"A","apiVersion":"","metadata":{"resourceVersion":"7"}}`,
		`{"metadata":{"`: `{"metadata":{"`,
	} {
		e := object.NewEncoded([]byte(value), 7)
		if got := string(e.JSON()); got != want {
			t.Errorf("%s at revision 7: got %s, want %s", value, got, want)
		}
		if !e.Holds([]byte(value)) || e.Holds([]byte(`{"kind":"B","metadata":{}}`)) {
			t.Errorf("%s: an object must know its own stored bytes, and no others", e.JSON())
		}
	}
}

func TestMetadataAreReadWithoutTheRest(t *testing.T) {
	for text, name := range map[string]string{
		`{"kind":"A","metadata":{"name":"a}\\\"","labels":{"x":"{"}},"spec":{"metadata":{"name":"inner"}}}`: `a}\"`,
		`{"spec":{"metadata":{"name":"inner"}},"metadata":{"name":"a"}}`:                                    "a",
		`{"metadata": {"name": "a"}, "kind": "A"}`:                                                          "a", // somebody else's encoding
		`{"metadata":{},"spec":not JSON`:                                                                    "",
	} {
		e, err := object.FromWire([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if meta, err := e.Meta(); err != nil || meta.Name != name {
			t.Errorf("%s: the name is read as %q (error: %v), want %q", text, meta.Name, err, name)
		}
	}
	for _, text := range []string{"", "{", `{"metadata":{"name":"a`, `{"metadata":{"name":1}}`, `{"metadata":[]}`} {
		if _, err := object.FromWire([]byte(text)); err == nil {
			t.Errorf("%q was taken for an object", text)
		}
	}
}

func TestLabelsAreFoundWithoutDecodingTheRest(t *testing.T) {
	for text, want := range map[string]map[string]string{
		`{"metadata":{"name":"a","labels":{"app":"web","tier":"b\u00fc"}},"spec":{"labels":{"no":"no"}}}`: {"app": "web", "tier": "bü"},
		`{"metadata":{"annotations":{"labels":"{}"},"labels":{}},"spec":"this is not what a pod has"}`:    {},
		`{"metadata":{"name":"a"},"labels":{"no":"no"}}`:                                                  nil,
		`{"spec":{}}`: nil,
	} {
		if d := cmp.Diff(want, object.NewEncoded([]byte(text), 1).Labels()); d != "" {
			t.Errorf("labels of %s (-want +got):\n%s", text, d)
		}
	}
}

func TestAnObjectIsGivenTheRevisionOfALaterEvent(t *testing.T) {
	e, err := object.FromWire([]byte(`{"kind":"A","apiVersion":"v1","metadata":{"name":"a","resourceVersion":"7"}}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []*object.Encoded{e, object.NewEncoded([]byte(`{"kind":"A","apiVersion":"v1","metadata":{"name":"a"}}`), 7)} {
		if got, want := string(e.At(9).JSON()), strings.Replace(string(e.JSON()), `"7"`, `"9"`, 1); got != want {
			t.Errorf("%s at revision 9: got %s, want %s", e.JSON(), got, want)
		}
	}
}

func TestAFieldIsAskedForOnce(t *testing.T) {
	e := object.NewEncoded([]byte(`{"metadata":{"name":"a","labels":{"app":"web"}}}`), 1)
	asked := 0
	for range 3 {
		for _, path := range []string{"metadata.name", "other"} {
			got := e.Field(path, func(o *object.Object) string { asked++; return path + o.Meta.Name })
			if got != path+"a" {
				t.Errorf("the field %s is %q, want %q", path, got, path+"a")
			}
		}
	}
	if asked != 2 {
		t.Errorf("two fields were computed %d times, want once each", asked)
	}
}

// A cache of many objects must not grow because somebody looked into them.
func TestADecodedObjectGoesWithTheGarbage(t *testing.T) {
	e := object.NewEncoded([]byte(`{"metadata":{"name":"a"}}`), 1)
	first, err := e.Object()
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := e.Object(); again != first {
		t.Error("as long as somebody uses the decoded object, everybody shares it")
	}
	gone := make(chan bool, 1)
	runtime.AddCleanup(first, func(c chan bool) { c <- true }, gone)
	first = nil
	for i := 0; i < 100 && len(gone) == 0; i++ {
		runtime.GC()
	}
	if len(gone) == 0 {
		t.Error("nobody uses the decoded object, and it is still there")
	}
	if again, err := e.Object(); err != nil || again.Meta.Name != "a" {
		t.Errorf("decoded anew it is %v, %v", again, err)
	}
}

func BenchmarkParse(b *testing.B) {
	text := []byte(fmt.Sprintf(`{"kind":"Pod","metadata":{"name":"a"},"spec":{"containers":[%s{"name":"last"}]}}`,
		strings.Repeat(`{"name":"c","image":"registry/image:tag","ports":[{"containerPort":80}],"env":[{"name":"A","value":"b"}]},`, 20)))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := object.Parse(text); err != nil {
			b.Fatal(err)
		}
	}
}
