package patch_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/wire/patch"
)

// fuzz applies any patch to any object: it never panics, leaves the live object
// alone, and refuses with a Status that is the client's fault.
func fuzz(t *testing.T, f patch.Func, live, body []byte) map[string]any {
	tree, err := object.Parse(live)
	if err != nil {
		t.Skip("not an object")
	}
	got, err := apply(t, f, tree, string(body), pod)
	if err == nil {
		return got
	}
	if s, ok := errors.AsType[*status.Status](err); !ok || !slices.Contains([]int{400, 413, 422}, s.Code) {
		t.Errorf("a patch is never the server's fault, but the answer is %v", err)
	}
	return nil
}

func FuzzJSON(f *testing.F) {
	f.Add([]byte(`{"a":{"b":[1,null]}}`), []byte(`[{"op":"test","path":"/a/b","value":[null]},{"op":"move","from":"/a","path":"/c/-"}]`))
	f.Add([]byte(`{"a":1}`), []byte(`[{"op":"copy","from":"","path":"/a"},{"op":"replace","path":"","value":{}},{"op":"add","path":"/~0~1/","value":null}]`))
	f.Fuzz(func(t *testing.T, live, body []byte) { fuzz(t, patch.JSON, live, body) })
}

func FuzzMerge(f *testing.F) {
	f.Add([]byte(`{"a":{"b":[1,null]}}`), []byte(`{"a":{"b":null,"c":{"d":null}}}`))
	f.Fuzz(func(t *testing.T, live, body []byte) { fuzz(t, patch.Merge, live, body) })
}

func FuzzStrategic(f *testing.F) {
	f.Add([]byte(`{"containers":[{"name":"a","env":[{"name":"A"}]},{"name":"b"},{}]}`),
		[]byte(`{"containers":[{"name":"b","$patch":"delete"},{"name":"a","env":[{"name":"B"}],"$setElementOrder/env":[{"name":"B"},{"name":"A"}]}]}`))
	f.Add([]byte(`{"finalizers":["a",1,null,[],{}],"strategy":{"a":1}}`),
		[]byte(`{"finalizers":["b",{}],"$deleteFromPrimitiveList/finalizers":["a"],"strategy":{"$retainKeys":[],"a":null}}`))
	f.Add([]byte(`{"containers":"text","volumes":[{"name":{}},3]}`),
		[]byte(`{"containers":[{"$patch":"replace"}],"volumes":[{"name":[]},{"name":null}],"$setElementOrder/volumes":[],"$patch":"merge"}`))
	f.Fuzz(func(t *testing.T, live, body []byte) {
		got := fuzz(t, patch.Strategic, live, body)
		text, err := json.Marshal(got)
		if err != nil {
			t.Fatalf("the patched object cannot be encoded: %v", err)
		}
		if bytes.ContainsAny(live, `$\`) {
			return // it may have had them before
		}
		for _, directive := range []string{`"$patch":`, `"$retainKeys":`} {
			if bytes.Contains(text, []byte(directive)) {
				t.Errorf("a directive got into the object: %s", text)
			}
		}
	})
}
