package printers_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage3-storage/wire/negotiation"
	"example.com/kube-apiserver/stage3-storage/wire/printers"
	"example.com/kube-apiserver/stage3-storage/wire/schema"
	"github.com/google/go-cmp/cmp"
)

var known = &schema.Schema{Type: schema.Object, Properties: map[string]*schema.Schema{
	"metadata": {Type: schema.Object, Properties: map[string]*schema.Schema{"name": {Description: "What it is called."}, "creationTimestamp": {Description: "When it began."}}},
	"color":    {Description: "How it looks."},
}}

var widgets = printers.Row{
	Columns: []printers.Column{
		printers.Name,
		{Name: "Color", Type: "string", Of: "color", Cell: func(o *object.Object) any { return o.Fields["color"] }},
		{Name: "Size", Type: "integer", Priority: 1, Text: "How large it is.", Cell: func(*object.Object) any { return 3 }},
	},
	Schema: known,
	Conditions: func(o *object.Object) []printers.Condition {
		if o.Meta.Name != "done" {
			return nil
		}
		return []printers.Condition{{Type: "Completed", Status: "True", Reason: "Done"}}
	},
}

func rows(r catalog.Resource, subresource string) printers.Row {
	switch {
	case r.Name == "widgets" && subresource == "":
		return widgets
	case r.Name == "gadgets":
		return printers.Row{Schema: known}
	}
	return printers.Row{}
}

func widget(name string, revision int64) *object.Encoded {
	o := object.Object{APIVersion: "v1", Kind: "Widget", Meta: object.Meta{Name: name, UID: "u", CreationTimestamp: "2020-01-02T03:04:05Z"}, Fields: map[string]any{"color": "<red>"}}
	return object.NewEncoded(o.Encode(), revision)
}

func render(t *testing.T, as string, r negotiation.ViewRequest) any {
	t.Helper()
	if r.Version == "" {
		r.Version = "v1"
	}
	if r.Resource.Name == "" {
		r.Resource.Name = "widgets"
	}
	views := printers.Views(rows)
	i := slices.IndexFunc(views, func(v negotiation.View) bool { return v.As == as })
	if i < 0 {
		t.Fatalf("there is no view %s", as)
	}
	body, err := views[i].Render(r)
	if err != nil {
		t.Fatalf("the view cannot be rendered: %v", err)
	}
	var v any
	if err := json.Unmarshal(body, &v); err != nil {
		t.Fatalf("the view is no JSON: %v\n%s", err, body)
	}
	return v
}

func parsed(t *testing.T, text string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("the test's own JSON does not parse: %v", err)
	}
	return v
}

const meta = `"metadata":{"name":"a","uid":"u","resourceVersion":"7","creationTimestamp":"2020-01-02T03:04:05Z"}`

func TestViews(t *testing.T) {
	one := []*object.Encoded{widget("a", 7)}
	list := &negotiation.ListMeta{ResourceVersion: "9", Continue: "more", RemainingItemCount: 2}
	const columns = `"columnDefinitions":[{"name":"Name","type":"string","format":"name","description":"What it is called.","priority":0},{"name":"Color","type":"string","format":"","description":"How it looks.","priority":0},{"name":"Size","type":"integer","format":"","description":"How large it is.","priority":1}]`
	partial := func(version string) string {
		return `{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/` + version + `",` + meta + `}`
	}
	for name, c := range map[string]struct {
		as      string
		request negotiation.ViewRequest
		want    string
	}{
		"a table of one":             {"Table", negotiation.ViewRequest{Items: one}, `{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"7"},` + columns + `,"rows":[{"cells":["a","<red>",3],"object":` + partial("v1") + `}]}`},
		"a table of a list":          {"Table", negotiation.ViewRequest{Items: one, List: list, IncludeObject: "None"}, `{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"9","continue":"more","remainingItemCount":2},` + columns + `,"rows":[{"cells":["a","<red>",3],"object":null}]}`},
		"a table of nothing":         {"Table", negotiation.ViewRequest{List: list}, `{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"9","continue":"more","remainingItemCount":2},` + columns + `,"rows":[]}`},
		"what is to be known of it":  {"Table", negotiation.ViewRequest{Items: []*object.Encoded{widget("done", 7)}, OmitDefinition: true, IncludeObject: "None"}, `{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"7"},"columnDefinitions":null,"rows":[{"cells":["done","<red>",3],"conditions":[{"type":"Completed","status":"True","reason":"Done"}],"object":null}]}`},
		"the old version":            {"Table", negotiation.ViewRequest{Items: one, Version: "v1beta1", IncludeObject: "Metadata"}, `{"kind":"Table","apiVersion":"meta.k8s.io/v1beta1","metadata":{"resourceVersion":"7"},` + columns + `,"rows":[{"cells":["a","<red>",3],"object":` + partial("v1beta1") + `}]}`},
		"a later event of a watch":   {"Table", negotiation.ViewRequest{Items: one, OmitDefinition: true, IncludeObject: "Object"}, `{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"7"},"columnDefinitions":null,"rows":[{"cells":["a","<red>",3],"object":{"kind":"Widget","apiVersion":"v1",` + meta + `,"color":"<red>"}}]}`},
		"a kind without columns":     {"Table", negotiation.ViewRequest{Items: one, IncludeObject: "None", Resource: catalog.Resource{Name: "gadgets"}}, `{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"7"},"columnDefinitions":[{"name":"Name","type":"string","format":"name","description":"What it is called.","priority":0},{"name":"Created At","type":"date","format":"","description":"When it began.","priority":0}],"rows":[{"cells":["a","2020-01-02T03:04:05Z"],"object":null}]}`},
		"the metadata of one":        {"PartialObjectMetadata", negotiation.ViewRequest{Items: one}, partial("v1")},
		"the metadata of a list":     {"PartialObjectMetadataList", negotiation.ViewRequest{Items: one, List: list}, `{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"9","continue":"more","remainingItemCount":2},"items":[` + partial("v1") + `]}`},
		"the metadata of an empty":   {"PartialObjectMetadataList", negotiation.ViewRequest{List: &negotiation.ListMeta{ResourceVersion: "9"}}, `{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"9"},"items":null}`},
		"a kind of which nobody has": {"Table", negotiation.ViewRequest{Items: one, IncludeObject: "None", Resource: catalog.Resource{Name: "x"}}, `{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"7"},"columnDefinitions":[{"name":"Name","type":"string","format":"name","description":"","priority":0},{"name":"Created At","type":"date","format":"","description":"","priority":0}],"rows":[{"cells":["a","2020-01-02T03:04:05Z"],"object":null}]}`},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(parsed(t, c.want), render(t, c.as, c.request)); diff != "" {
				t.Errorf("the view is not what it should be (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAStatusPassesEveryView(t *testing.T) {
	e := object.Unstored(&object.Object{APIVersion: "v1", Kind: "Status", Fields: map[string]any{"status": "Failure"}})
	for _, as := range []string{"Table", "PartialObjectMetadata"} {
		got := render(t, as, negotiation.ViewRequest{Items: []*object.Encoded{e}})
		if diff := cmp.Diff(parsed(t, string(e.JSON())), got); diff != "" {
			t.Errorf("the view %s has changed a Status (-want +got):\n%s", as, diff)
		}
	}
}

func TestOnlyKnownObjectsAreIncluded(t *testing.T) {
	views := printers.Views(rows)
	_, err := views[0].Render(negotiation.ViewRequest{Version: "v1", Items: []*object.Encoded{widget("a", 1)}, IncludeObject: "Everything"})
	if !status.Is(err, "BadRequest") {
		t.Errorf("includeObject=Everything makes no sense, got %v", err)
	}
}

func TestAgesAreAsRoughAsPeopleWant(t *testing.T) {
	const day = 24 * time.Hour
	for d, want := range map[time.Duration]string{
		-time.Hour: "<invalid>", -time.Second: "0s", 0: "0s", 59 * time.Second: "59s", 119 * time.Second: "119s",
		2 * time.Minute: "2m", 130 * time.Second: "2m10s", 10*time.Minute + 5*time.Second: "10m", 179 * time.Minute: "179m",
		3 * time.Hour: "3h", 3*time.Hour + 7*time.Minute: "3h7m", 9*time.Hour + 7*time.Minute: "9h", 47 * time.Hour: "47h",
		2 * day: "2d", 2*day + 5*time.Hour: "2d5h", 9*day + 5*time.Hour: "9d", 400 * day: "400d",
		730 * day: "2y", 740 * day: "2y10d", 3650 * day: "10y",
	} {
		if got := printers.Duration(d); got != want {
			t.Errorf("%v is written %s, want %s", d, got, want)
		}
	}
	if got := printers.AgeOf(""); got != "<unknown>" {
		t.Errorf("no time is written %s", got)
	}
}
