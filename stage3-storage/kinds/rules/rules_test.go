package rules_test

import (
	"math/big"
	"strings"
	"testing"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/field"
	"github.com/google/go-cmp/cmp"
)

func parse(t testing.TB, text string) rules.Tree {
	t.Helper()
	tree, err := object.Parse([]byte(text))
	if err != nil {
		t.Fatalf("the test's own JSON does not parse: %v", err)
	}
	return tree
}

func TestDefaultsFillOnlyWhatIsMissing(t *testing.T) {
	d := rules.Defaults{
		{Path: "policy", Value: "Always"},
		{Path: "ports[*].protocol", Value: "TCP"},
		{Path: "probe.period", Value: rules.Number(10)},
		{Path: "volumes[*].items[*].ref.version", Value: "v1"},
		{Path: "volumes[*].type", Value: ""},
		{Path: "context", Value: rules.Tree{}},
	}
	for name, c := range map[string]struct{ in, want string }{
		"nothing is there":       {`{}`, `{"policy":"Always","context":{}}`},
		"all is there":           {`{"policy":"Never","context":{"a":1}}`, `{"policy":"Never","context":{"a":1}}`},
		"an empty string":        {`{"policy":""}`, `{"policy":"Always","context":{}}`},
		"every item of a list":   {`{"ports":[{"protocol":"UDP"},{}]}`, `{"policy":"Always","context":{},"ports":[{"protocol":"UDP"},{"protocol":"TCP"}]}`},
		"no parent is made":      {`{"policy":"x","context":{},"probe":{}}`, `{"policy":"x","context":{},"probe":{"period":10}}`},
		"lists in lists":         {`{"policy":"x","context":{},"volumes":[{"type":"","items":[{"ref":{}},{}]}]}`, `{"policy":"x","context":{},"volumes":[{"type":"","items":[{"ref":{"version":"v1"}},{}]}]}`},
		"values of other shapes": {`{"policy":7,"ports":"x","probe":[1],"context":null}`, `{"policy":7,"ports":"x","probe":[1],"context":{}}`},
	} {
		t.Run(name, func(t *testing.T) {
			tree := parse(t, c.in)
			d.Apply(tree)
			if diff := cmp.Diff(parse(t, c.want), tree); diff != "" {
				t.Errorf("the defaults are not what they should be (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDefaultsAreNotShared(t *testing.T) {
	d := rules.Defaults{{Path: "context", Value: rules.Tree{}}}
	a, b := rules.Tree{}, rules.Tree{}
	d.Apply(a)
	rules.Map(a, "context")["changed"] = true
	d.Apply(b)
	if len(rules.Map(b, "context")) > 0 {
		t.Error("a change of one object has changed the default of the next one")
	}
}

func TestAQuantityIsReadExactly(t *testing.T) {
	for in, want := range map[string]string{
		"1": "1", "0": "0", "-1": "-1", "100m": "1/10", "1.5Gi": "1610612736", "1e3": "1000", "1E3": "1000", "1E": "1000000000000000000",
		"0.5": "1/2", "2Ki": "2048", "3n": "3/1000000000", "+2k": "2000", "1e-3": "1/1000",
	} {
		got, ok := rules.Quantity(in)
		if !ok || got.RatString() != want {
			t.Errorf("the quantity %q reads as %v, want %s", in, got, want)
		}
	}
	for _, in := range []any{"", "lots", "1X", "0x10", "1_000", "1/2", "1e99999", "Ki", strings.Repeat("9", 100), 7, nil} {
		if got, ok := rules.Quantity(in); ok {
			t.Errorf("%q is no quantity and reads as %v", in, got)
		}
	}
}

func FuzzQuantity(f *testing.F) {
	for _, s := range []string{"1", "1.5Gi", "100m", "-1e3", "1E999", "0x1p-2"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n, ok := rules.Quantity(s)
		if ok && new(big.Rat).Sub(n, n).Sign() != 0 {
			t.Errorf("the quantity %q is not itself", s)
		}
	})
}

func TestEmptyThingsAreTheSame(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{`{"v":null}`, `{}`, true},
		{`{"v":{}}`, `{"v":[]}`, true},
		{`{"v":{"a":1}}`, `{"v":{}}`, false},
		{`{"v":[1,2]}`, `{"v":[2,1]}`, false},
		{`{"v":[1]}`, `{"v":1}`, false},
		{`{"v":1}`, `{"v":{"a":1}}`, false},
		{`{"v":""}`, `{}`, false},
		{`{"v":{"a":[{"b":"c"}]}}`, `{"v":{"a":[{"b":"c"}]}}`, true},
	} {
		if got := rules.Same(parse(t, c.a)["v"], parse(t, c.b)["v"]); got != c.same {
			t.Errorf("whether %s is the same as %s: got %v, want %v", c.a, c.b, got, c.same)
		}
	}
}

// complaints are "path reason" of every error.
func complaints(errs field.Errors) []string {
	var list []string
	for _, e := range errs {
		list = append(list, e.Field+" "+strings.TrimPrefix(e.Reason, "FieldValue"))
	}
	return list
}

func TestChecksComplainAtTheRightPath(t *testing.T) {
	port := rules.Fields{
		{Name: "name", Check: rules.Required(rules.Label)},
		{Name: "number", Check: rules.NotZero(rules.Port)},
		{Name: "kind", Check: rules.OneOf("a", "b")},
		{Name: "target", Check: rules.PortOrName},
	}
	top := rules.Fields{
		{Name: "ports", Check: rules.All(rules.Required(), rules.Each(port.Check), rules.Unique("name"))},
		{Name: "mode", Check: rules.FileMode},
		{Name: "count", Check: rules.NotNegative},
		{Name: "labels", Check: rules.Labels},
		{Name: "selector", Check: rules.LabelSelector},
		{Name: "gone", Check: rules.Never("no")},
	}
	for name, c := range map[string]struct {
		in   string
		want []string
	}{
		"nothing":         {`{}`, []string{"x.ports Required"}},
		"right":           {`{"ports":[{"name":"a","number":1,"kind":"a","target":"http"}],"mode":420,"count":0}`, nil},
		"wrong ports":     {`{"ports":[{"name":"A","number":0,"kind":"c","target":70000},{"name":"A","target":"UP","number":70000}]}`, []string{"x.ports[0].name Invalid", "x.ports[0].number Required", "x.ports[0].kind NotSupported", "x.ports[0].target Invalid", "x.ports[1].name Invalid", "x.ports[1].number Invalid", "x.ports[1].target Invalid", "x.ports[1].target Invalid", "x.ports[1].name Duplicate"}},
		"wrong numbers":   {`{"ports":[{"name":"a","number":1,"target":1}],"mode":512,"count":-1}`, []string{"x.mode Invalid", "x.count Invalid"}},
		"wrong labels":    {`{"ports":[{"name":"a","number":1,"target":1}],"labels":{"a b":"c!"}}`, []string{"x.labels Invalid", "x.labels Invalid"}},
		"wrong selectors": {`{"ports":[{"name":"a","number":1,"target":1}],"selector":{"matchExpressions":[{"key":"a","operator":"In"},{"key":"b","operator":"Exists","values":["c"]},{"key":"","operator":"Is"}]}}`, []string{"x.selector.matchExpressions[0].values Required", "x.selector.matchExpressions[1].values Forbidden", "x.selector.matchExpressions[2].operator Invalid", "x.selector.matchExpressions[2].key Invalid", "x.selector.matchExpressions[2].key Invalid"}},
		"forbidden":       {`{"ports":[{"name":"a","number":1,"target":1}],"gone":false}`, []string{"x.gone Forbidden"}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, complaints(top.Check("x", parse(t, c.in)))); diff != "" {
				t.Errorf("the complaints are not what they should be (-want +got):\n%s", diff)
			}
		})
	}
}

func TestOnlyOneOfSeveralFieldsMayBeSet(t *testing.T) {
	sources := rules.Fields{{Name: "a", Check: rules.Anything}, {Name: "b", Check: rules.Anything}, {Name: "c", Check: rules.Anything}}
	errs, n := sources.Only("v", parse(t, `{"b":{},"c":{},"other":1}`), "only one")
	if n != 2 || len(errs) != 1 || errs[0].Field != "v.c" {
		t.Errorf("of b and c the second is wrong, got %d set and complaints %v", n, errs)
	}
}

func TestWordsSayWhatIsWrong(t *testing.T) {
	for _, c := range []struct {
		name     string
		problems func(string) []string
		right    []string
		wrong    []string
	}{
		{"a port name", rules.PortName, []string{"http", "a1", "1a"}, []string{"UP", "80", "a--b", "-a", "a-", "this-is-far-too-long"}},
		{"a key of data", rules.DataKey, []string{"a", ".hidden", "A_b-c.d"}, []string{"a b", ".", "..", "..a", strings.Repeat("a", 254)}},
		{"a variable", rules.EnvName, []string{"A", "a.b-c", "1"}, []string{"A=B", "ä", "a\tb"}},
		{"an address", rules.IP, []string{"10.0.0.1", "2001:db8::1"}, []string{"10.0.0", "10.0.0.256", "fe80::1%eth0", "x"}},
		{"a network", rules.CIDR, []string{"10.0.0.0/8", "2001:db8::/64"}, []string{"10.0.0.0", "300.0.0.0/8"}},
		{"the address of an endpoint", rules.EndpointIP, []string{"10.0.0.1"}, []string{"0.0.0.0", "127.0.0.1", "169.254.0.1", "224.0.0.1", "x"}},
		{"a path in a volume", rules.VolumePath, []string{"a/b", ".a"}, []string{"/a", "a/../b", "..a"}},
		{"a header", rules.HeaderName, []string{"X-A"}, []string{"X A", "X_A"}},
		{"a label's value", rules.LabelValue, []string{"", "a_B.c"}, []string{"a b", "-a", strings.Repeat("a", 64)}},
	} {
		for _, s := range c.right {
			if p := c.problems(s); len(p) > 0 {
				t.Errorf("%q is %s and is refused: %v", s, c.name, p)
			}
		}
		for _, s := range c.wrong {
			if len(c.problems(s)) == 0 {
				t.Errorf("%q is not %s and passes", s, c.name)
			}
		}
	}
}
