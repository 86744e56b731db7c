package builtin

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// envelope is what a client's protobuf encoder puts around a message.
func envelope(t testing.TB, apiVersion, kind string, m Message) []byte {
	t.Helper()
	raw, err := m.Marshal()
	if err != nil {
		t.Fatalf("the test's own message cannot be encoded: %v", err)
	}
	unknown := runtime.Unknown{TypeMeta: runtime.TypeMeta{APIVersion: apiVersion, Kind: kind}, Raw: raw}
	body, err := unknown.Marshal()
	if err != nil {
		t.Fatalf("the test's own envelope cannot be encoded: %v", err)
	}
	return append([]byte("k8s\x00"), body...)
}

func TestAProtobufBodyIsLikeTheSameObjectInJSON(t *testing.T) {
	seconds := int64(0)
	for _, c := range []struct {
		name, apiVersion, kind string
		message                Message
		want                   string // after normalising, as every body is
	}{
		{"namespace", "v1", "Namespace", &core.Namespace{ObjectMeta: meta.ObjectMeta{Name: "n"}},
			`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"n"},"spec":{},"status":{}}`},
		{"secret", "v1", "Secret", &core.Secret{ObjectMeta: meta.ObjectMeta{Name: "s"}, Data: map[string][]byte{"a": {1}}},
			`{"apiVersion":"v1","kind":"Secret","metadata":{"name":"s"},"data":{"a":"AQ=="}}`},
		{"delete options of any group", "apps/v1", "DeleteOptions", &meta.DeleteOptions{GracePeriodSeconds: &seconds},
			`{"apiVersion":"apps/v1","kind":"DeleteOptions","gracePeriodSeconds":0}`},
		{"status", "v1", "Status", &meta.Status{Status: "Failure", Code: 404},
			`{"apiVersion":"v1","kind":"Status","metadata":{},"status":"Failure","code":404}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			data, apiVersion, kind, err := DecodeProtobuf(envelope(t, c.apiVersion, c.kind, c.message))
			if err != nil || apiVersion != c.apiVersion || kind != c.kind {
				t.Fatalf("want %s %s, got %s %s, error %v", c.apiVersion, c.kind, apiVersion, kind, err)
			}
			got := tree(t, data)
			s, ok := Kind(apiVersion, kind)
			if !ok {
				t.Fatalf("%s has no schema", kind)
			}
			if unknown, err := s.Normalise(got); err != nil || unknown != nil {
				t.Fatalf("the decoded object is complained about: %v %v", unknown, err)
			}
			if diff := cmp.Diff(tree(t, []byte(c.want)), got); diff != "" {
				t.Errorf("the decoded object is not what JSON would have brought (-json +protobuf):\n%s", diff)
			}
		})
	}
}

func TestEncodedProtobufDecodesToTheSame(t *testing.T) {
	list := `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[{"metadata":{"name":"a"},"spec":{"containers":null},"status":{}}]}`
	for _, in := range append([]string{list}, samples...) {
		kind := tree(t, []byte(in))["kind"].(string)
		body, err := EncodeProtobuf("v1", kind, []byte(in))
		if err != nil {
			t.Fatalf("%s cannot be encoded: %v", kind, err)
		}
		out, _, _, err := DecodeProtobuf(body)
		if err != nil {
			t.Fatalf("what was encoded cannot be decoded: %v", err)
		}
		if diff := cmp.Diff(tree(t, []byte(in)), tree(t, out)); diff != "" {
			t.Errorf("%s came back changed (-sent +got):\n%s", kind, diff)
		}
	}
}

func TestAKindThatIsNotKnownIsAClearError(t *testing.T) {
	_, _, _, err := DecodeProtobuf(envelope(t, "example.com/v1", "Widget", &meta.Status{}))
	if !errors.Is(err, ErrNoKind) || !strings.Contains(err.Error(), `"Widget"`) || !strings.Contains(err.Error(), "example.com/v1") {
		t.Errorf("the error must be ErrNoKind and name kind and version, but is: %v", err)
	}
	if _, err := EncodeProtobuf("meta.k8s.io/v1", "Table", []byte(`{}`)); !errors.Is(err, ErrNoKind) {
		t.Errorf("a Table has no protobuf form, but the error is: %v", err)
	}
	if _, ok := Kind("example.com/v1", "Widget"); ok {
		t.Error("a kind that nobody has put in must have no schema")
	}
}

func TestABodyThatIsNoProtobufIsRefused(t *testing.T) {
	good := envelope(t, "v1", "Namespace", &core.Namespace{ObjectMeta: meta.ObjectMeta{Name: "n"}})
	for name, body := range map[string][]byte{
		"empty": nil, "JSON": []byte(`{}`), "only the first bytes": magic, "cut off": good[:len(good)-9],
	} {
		if _, _, _, err := DecodeProtobuf(body); err == nil {
			t.Errorf("a body that is %s must be refused", name)
		}
	}
}

func TestMoreGroupsJoinTheTable(t *testing.T) {
	k := New(Group{APIVersion: "test/v1", Kinds: []Message{&core.Pod{}}, Tags: map[string]Tags{"k8s.io/api/core/v1.Pod": {Atomic: true}}})
	s, ok := k.Kind("test/v1", "Pod")
	if !ok || s.MapType != "atomic" {
		t.Errorf("a row of another group must be found, with its tags; found: %v", ok)
	}
	if _, ok := k.Kind("v1", "Pod"); !ok {
		t.Error("the package's own kinds must still be there")
	}
}

func FuzzDecodeProtobuf(f *testing.F) {
	f.Add(envelope(f, "v1", "Pod", &core.Pod{Spec: core.PodSpec{Containers: []core.Container{{Name: "a"}}}}))
	f.Add(envelope(f, "v1", "DeleteOptions", &meta.DeleteOptions{}))
	f.Add([]byte("k8s\x00"))
	f.Fuzz(func(t *testing.T, body []byte) {
		data, _, _, err := DecodeProtobuf(body)
		if err != nil {
			return
		}
		tree(t, data)
	})
}
