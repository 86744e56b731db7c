package requests

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/registry/request"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"github.com/google/go-cmp/cmp"
)

func TestComplaintsComeInTheOrderOfTheBody(t *testing.T) {
	body := `{"z":1,"spec":{"b":[{"y":[]},{"x":true,"x":false}],"a":{"c":null}},"metadata":{"q":{}}}`
	complaints := []string{
		`unknown field "metadata.q"`, `unknown field "spec.a.c"`, `duplicate field "spec.b[1].x"`,
		`unknown field "spec.b[0].y"`, `unknown field "z"`, "yaml: a key stands twice",
	}
	sortByPosition(complaints, []byte(body))
	want := []string{
		"yaml: a key stands twice", `unknown field "z"`, `unknown field "spec.b[0].y"`,
		`duplicate field "spec.b[1].x"`, `unknown field "spec.a.c"`, `unknown field "metadata.q"`,
	}
	if d := cmp.Diff(want, complaints); d != "" {
		t.Errorf("a client reads its mistakes from top to bottom (-want +got):\n%s", d)
	}
}

func TestAnOwnerThatStandsTwiceIsTakenOnceAndTheClientIsTold(t *testing.T) {
	var tree, want map[string]any
	read := func(text string, into *map[string]any) {
		if err := json.Unmarshal([]byte(text), into); err != nil {
			t.Fatal(err)
		}
	}
	read(`{"metadata":{"ownerReferences":[{"uid":"a"},{"uid":"b"},{"uid":"a"},{"uid":"a","controller":true}]}}`, &tree)
	read(`{"metadata":{"ownerReferences":[{"uid":"a"},{"uid":"b"},{"uid":"a","controller":true}]}}`, &want)
	ctx := request.WithWarnings(t.Context())
	withoutTwins(ctx, tree)
	if d := cmp.Diff(want, tree); d != "" {
		t.Errorf("of two owners that say the same one stays (-want +got):\n%s", d)
	}
	if list := request.Warnings(ctx); len(list) != 1 || !strings.HasSuffix(list[0], "duplicate UID(s) observed: a") {
		t.Errorf("the warnings are %q; want one that names the owner", list)
	}
	for _, text := range []string{`{}`, `{"metadata":null}`, `{"metadata":{"ownerReferences":{"uid":"a"}}}`, `{"metadata":{"ownerReferences":["a","b"]}}`} {
		ctx := request.WithWarnings(t.Context())
		var odd map[string]any
		read(text, &odd)
		if withoutTwins(ctx, odd); len(request.Warnings(ctx)) > 0 {
			t.Errorf("%s has no owner twice, and is warned of: %q", text, request.Warnings(ctx))
		}
	}
}

func TestAParsedBodySaysOfItselfWhatItsTextSays(t *testing.T) {
	for _, body := range []string{
		`{"apiVersion":"v1","kind":"Pod"}`, `{"apiVersion":"apps/v1","kind":"Deployment"}`, `{}`, `{"kind":"Pod"}`, `{"kind":"Pod","apiVersion":"a/b/c"}`,
		`{"Kind":"Pod","APIVERSION":"v1"}`, `{"kind":"Pod","apiVersion":"v1","Kind":"Node"}`, `{"Kind":"Node","kind":"Pod","apiVersion":"v1"}`,
		`{"kind":"Pod","apiVersion":"v1","kind":"Node"}`, `{"kind":1,"apiVersion":"v1","kind":"Pod"}`, `{"kind":"Pod","apiVersion":"v1","kind":null}`,
		`{"kind":null,"apiVersion":null}`, `{"kind":["Pod"],"apiVersion":"v1"}`, `[]`, `7`, ``, `{"kind":"Pod"`, `{"kind":"Pod","apiVersion":"v1"} x`,
	} {
		wantVersion, wantKind, want := typeOf([]byte(body))
		tree, duplicates, _ := parse([]byte(body))
		apiVersion, kind, err := typeIn(tree, duplicates, []byte(body))
		if apiVersion != wantVersion || kind != wantKind || fmt.Sprint(err) != fmt.Sprint(want) {
			t.Errorf("%s is read as %q %q, %v; want %q %q, %v", body, apiVersion, kind, err, wantVersion, wantKind, want)
		}
	}
}

// Whoever is given the tree changes it: drops fields, sets a name.
func TestASecondAttemptBeginsWithTheBodyAsItCame(t *testing.T) {
	var write rest.Write
	data := []byte(`{"metadata":{"generateName":"a-"},"spec":{"x":1}}`)
	tree, _, err := parse(data)
	if err != nil {
		t.Fatal(err)
	}
	want, err := object.FromTree(object.CopyTree(tree).(map[string]any))
	if err != nil {
		t.Fatal(err)
	}
	wish{}.fill(t.Context(), &write, tree, data)
	for attempt := range 3 {
		got, err := write.Wanted(t.Context(), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("attempt %d gets another object than the client sent (-want +got):\n%s", attempt, d)
		}
		clear(got.Fields["spec"].(map[string]any))
	}
}
