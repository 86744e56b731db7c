package schema_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/wire/schema"
)

var _ registry.Schema = (*schema.Schema)(nil) // what a Strategy asks for

func parse(t testing.TB, text string) map[string]any {
	t.Helper()
	tree, err := object.Parse([]byte(text))
	if err != nil {
		t.Fatalf("the test's own JSON is bad: %v\n%s", err, text)
	}
	return tree
}

func structOf(goType string, always []string, properties map[string]*schema.Schema) *schema.Schema {
	return &schema.Schema{Type: schema.Object, GoType: goType, Always: always, Properties: properties}
}

// boat is a kind with one property of every sort.
var boat = structOf("v1.Boat", []string{"hull", "crew", "left", "name"}, map[string]*schema.Schema{
	"name":    {Type: schema.String, GoType: "string"},
	"colour":  {Type: schema.String, GoType: "string", OmitEmpty: true},
	"masts":   {Type: schema.Integer32, GoType: "int32", Nullable: true},
	"tons":    {Type: schema.Integer64, GoType: "int64", OmitEmpty: true},
	"draught": {Type: schema.Number, GoType: "float64", OmitEmpty: true},
	"afloat":  {Type: schema.Boolean, GoType: "bool", OmitEmpty: true},
	"berth":   {Type: schema.IntOrString, GoType: "int32", Nullable: true},
	"left":    {Type: schema.Time, GoType: "string"},
	"seen":    {Type: schema.MicroTime, GoType: "string"},
	"papers":  {Type: schema.Bytes, GoType: "[]uint8"},
	"fuel":    {Type: schema.Quantity, Nullable: true, Canonical: canonical},
	"notes":   {Type: schema.Any},
	"flags":   {Type: schema.Map, GoType: "map[string]string", Items: &schema.Schema{Type: schema.String, GoType: "string"}},
	"crew":    {Type: schema.Array, GoType: "[]v1.Sailor", Items: sailor},
	"hull": structOf("v1.Hull", []string{"planks"}, map[string]*schema.Schema{
		"planks": {Type: schema.Integer32, GoType: "int32"},
	}),
})

var sailor = structOf("v1.Sailor", nil, map[string]*schema.Schema{
	"age":  {Type: schema.Integer32, GoType: "int32", GoField: "Person.age", OmitEmpty: true},
	"hats": {Type: schema.Array, GoType: "[]string", Items: &schema.Schema{Type: schema.String, GoType: "string"}},
})

func canonical(text string) (string, error) {
	if text == "bad" {
		return "", fmt.Errorf("bad fuel")
	}
	return strings.TrimSuffix(text, "000m"), nil
}

const emptyBoat = `"name":"","left":null,"crew":null,"hull":{"planks":0}`

func TestOneFormForAllSpellings(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"what every object has is put in", `{}`, `{` + emptyBoat + `}`},
		{"nulls go", `{"colour":null,"masts":null,"flags":null,"hull":null}`, `{` + emptyBoat + `}`},
		{"empty optional values go", `{"colour":"","tons":0,"afloat":false,"flags":{},"crew":[]}`, `{` + emptyBoat + `}`},
		{"a zero that means something stays", `{"masts":0}`, `{"masts":0,` + emptyBoat + `}`},
		{"minus zero is zero", `{"masts":-0,"draught":-0.0}`, `{"masts":0,` + emptyBoat + `}`},
		{"numbers have one form", `{"draught":1.50e1}`, `{"draught":15,` + emptyBoat + `}`},
		{"digits of large numbers are kept", `{"tons":9007199254740993}`, `{"tons":9007199254740993,` + emptyBoat + `}`},
		{"times are UTC and whole seconds", `{"left":"2024-05-01T12:00:00.9+02:00"}`, `{"name":"","left":"2024-05-01T10:00:00Z","crew":null,"hull":{"planks":0}}`},
		{"the zero time is none", `{"seen":"0001-01-01T00:00:00.000000Z"}`, `{` + emptyBoat + `}`},
		{"bytes have one form", `{"papers":"YR==\n"}`, `{"papers":"YQ==",` + emptyBoat + `}`},
		{"quantities have one form, numbers too", `{"fuel":2000}`, `{"fuel":"2000",` + emptyBoat + `}`},
		{"a number or a text", `{"berth":"7"}`, `{"berth":"7",` + emptyBoat + `}`},
		{"null in a list is an element", `{"crew":[null,{"hats":[null]}]}`, `{"name":"","left":null,"crew":[{},{"hats":[""]}],"hull":{"planks":0}}`},
		{"null in a map is a value", `{"flags":{"a":null}}`, `{"flags":{"a":""},` + emptyBoat + `}`},
		{"what is not known is left alone", `{"notes":{"a":[null,1.50,""]}}`, `{"notes":{"a":[null,1.50,""]},` + emptyBoat + `}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := parse(t, c.in)
			for _, time := range []string{"once", "twice"} {
				if unknown, err := boat.Normalise(got); err != nil || unknown != nil {
					t.Fatalf("normalising %s: nothing is wrong with it, but: %v %v", time, unknown, err)
				}
				if diff := cmp.Diff(parse(t, c.want), got); diff != "" {
					t.Fatalf("normalised %s it is not what it should be (-want +got):\n%s", time, diff)
				}
			}
		})
	}
}

func TestUnknownFieldsGoAndAreNamedInOrder(t *testing.T) {
	got := parse(t, `{"sails":1,"Name":"x","crew":[{},{"hat":"x","age":30}],"flags":{"any":"x"},"hull":{"a\"b":1}}`)
	unknown, err := boat.Normalise(got)
	if err != nil {
		t.Fatalf("unknown fields are no error: %v", err)
	}
	want := []string{`unknown field "Name"`, `unknown field "crew[1].hat"`, `unknown field "hull.a\"b"`, `unknown field "sails"`}
	if diff := cmp.Diff(want, unknown); diff != "" {
		t.Errorf("the texts are not as they should be (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(parse(t, `{"name":"","left":null,"crew":[{},{"age":30}],"flags":{"any":"x"},"hull":{"planks":0}}`), got); diff != "" {
		t.Errorf("the fields must be gone and nothing else (-want +got):\n%s", diff)
	}
}

func TestOnlyAHundredUnknownFieldsAreNamed(t *testing.T) {
	got := map[string]any{}
	for i := range 300 {
		got[fmt.Sprint("x", 100+i)] = "x"
	}
	unknown, _ := boat.Normalise(got)
	if len(unknown) != 100 || unknown[99] != `unknown field "x199"` {
		t.Errorf("of 300 unknown fields the first 100 are named, not %d", len(unknown))
	}
	if len(got) != 4 {
		t.Errorf("all of them go, named or not, but %d fields are left", len(got))
	}
}

func TestWrongTypesAreErrorsThatNameField(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{`{"name":5}`, "json: cannot unmarshal number into Go struct field Boat.name of type string"},
		{`{"masts":1.0}`, "json: cannot unmarshal number 1.0 into Go struct field Boat.masts of type int32"},
		{`{"masts":3000000000}`, "json: cannot unmarshal number 3000000000 into Go struct field Boat.masts of type int32"},
		{`{"draught":1e999}`, "json: cannot unmarshal number 1e999 into Go struct field Boat.draught of type float64"},
		{`{"afloat":"yes"}`, "json: cannot unmarshal string into Go struct field Boat.afloat of type bool"},
		{`{"crew":{}}`, "json: cannot unmarshal object into Go struct field Boat.crew of type []v1.Sailor"},
		{`{"crew":[{},{"age":[]}]}`, "json: cannot unmarshal array into Go struct field Sailor.crew.Person.age of type int32"},
		{`{"flags":{"a":true}}`, "json: cannot unmarshal bool into Go struct field Boat.flags of type string"},
		{`{"hull":"x"}`, "json: cannot unmarshal string into Go struct field Boat.hull of type v1.Hull"},
		{`{"papers":"abc"}`, "illegal base64 data at input byte 0"},
		{`{"fuel":"bad"}`, "bad fuel"},
		{`{"left":"0000-01-01T00:00:00+01:00"}`, `parsing time "0000-01-01T00:00:00+01:00": year outside of range [0,9999] in UTC`},
	} {
		_, err := boat.Normalise(parse(t, c.in))
		if err == nil || err.Error() != c.want {
			t.Errorf("%s\nmust be refused with: %s\nbut the error is:      %v", c.in, c.want, err)
		}
	}
}

func TestOfSeveralErrorsTheFirstByPathIsTold(t *testing.T) {
	for range 20 { // maps have another order each time
		_, err := boat.Normalise(parse(t, `{"tons":"x","name":1,"crew":[{},{"age":"x"},{"age":"y"}],"masts":"x"}`))
		if want := "json: cannot unmarshal string into Go struct field Sailor.crew.Person.age of type int32"; err == nil || err.Error() != want {
			t.Fatalf("the same body must always get the same answer\nwant %s\ngot  %v", want, err)
		}
	}
}

func TestACustomResourceIsPrunedAndNothingElse(t *testing.T) {
	spec := structOf("", nil, map[string]*schema.Schema{"size": {Type: schema.Integer64, Loose: true}})
	spec.Loose = true
	free := &schema.Schema{Type: schema.Object, Loose: true, Open: true, Properties: map[string]*schema.Schema{"spec": spec}}
	list := &schema.Schema{Type: schema.Array, Loose: true, Items: spec}
	widget := structOf("", nil, map[string]*schema.Schema{"spec": spec, "free": free, "list": list})
	got := parse(t, `{"spec":{"size":"large","x":1},"free":{"y":{},"spec":{"x":1,"size":null}},"list":[{"x":[]},5,null],"z":1}`)
	unknown, err := widget.Normalise(got)
	if err != nil {
		t.Fatalf("types of custom resources are for their own validation: %v", err)
	}
	want := []string{`unknown field "free.spec.x"`, `unknown field "list[0].x"`, `unknown field "spec.x"`, `unknown field "z"`}
	if diff := cmp.Diff(want, unknown); diff != "" {
		t.Errorf("the texts are not as they should be (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(parse(t, `{"spec":{"size":"large"},"free":{"y":{},"spec":{"size":null}},"list":[{},5,null]}`), got); diff != "" {
		t.Errorf("everything that is known, and everything where all is allowed, must stay (-want +got):\n%s", diff)
	}
}

func TestASchemaThatIsMissingKnowsNothing(t *testing.T) {
	var none *schema.Schema
	if key, strategy := none.Field("spec").Item().Merge(); key != "" || strategy != "" {
		t.Errorf("there is nothing to merge by, but got %q %q", key, strategy)
	}
	got := map[string]any{"a": nil}
	if unknown, err := none.Normalise(got); unknown != nil || err != nil || len(got) != 1 {
		t.Errorf("without a schema an object stays as it is: %v %v %v", got, unknown, err)
	}
}

func TestFieldsOfMapsAndListsAreFound(t *testing.T) {
	if f := boat.Field("flags").Field("whatever"); f == nil || f.Type != schema.String {
		t.Error("every key of a map leads to the map's values")
	}
	if f := boat.Field("crew").Item().Field("age"); f == nil || f.Type != schema.Integer32 {
		t.Error("the elements of a list have fields")
	}
	if boat.Field("crew").Field("age") != nil || boat.Field("hull").Item() != nil {
		t.Error("a list has no fields of its own, and an object no elements")
	}
}

// FuzzNormalise: no JSON object makes a panic, and normalising twice is
// normalising once.
func FuzzNormalise(f *testing.F) {
	f.Add(`{"name":null,"crew":[{"age":1,"hats":[""]},null],"seen":"2024-05-01T10:00:00.000001Z","fuel":[]}`)
	f.Add(`{"draught":1e21,"papers":"YQ==","left":"9999-12-31T23:59:59-01:00"}`)
	f.Fuzz(func(t *testing.T, body string) {
		tree, err := object.Parse([]byte(body))
		if err != nil {
			return
		}
		if _, err := boat.Normalise(tree); err != nil {
			return
		}
		once, _ := json.Marshal(tree)
		unknown, err := boat.Normalise(tree)
		if twice, _ := json.Marshal(tree); err != nil || unknown != nil || string(once) != string(twice) {
			t.Fatalf("normalising again must change nothing: %v %v\n%s\n%s", unknown, err, once, twice)
		}
	})
}
