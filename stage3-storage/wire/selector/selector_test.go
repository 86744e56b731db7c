package selector_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/kube-apiserver/stage3-storage/wire/selector"
)

// The objects that every selector is tried on.
var objects = map[string]map[string]string{
	"a": {"app": "web", "tier": "front", "size": "5"},
	"b": {"app": "web", "tier": "back", "size": "50"},
	"c": {"app": "db", "size": ""},
	"d": {"example.com/x": "y", "in": "notin", "size": "big"},
	"e": nil,
}

func TestALabelSelectorMatches(t *testing.T) {
	for text, c := range map[string]struct{ want, form string }{
		"":                                   {"a b c d e", ""},
		" \t":                                {"a b c d e", ""},
		"app=web":                            {"a b", "app=web"},
		"app == web":                         {"a b", "app==web"},
		"app!=web":                           {"c d e", "app!=web"},
		"tier=back,app=web":                  {"b", "app=web,tier=back"},
		"app=web,app=db":                     {"", "app=web,app=db"},
		"app in (web, db)":                   {"a b c", "app in (db,web)"},
		"app in (web,web)":                   {"a b", "app in (web)"},
		"app notin (web)":                    {"c d e", "app notin (web)"},
		"app in(web),tier notin(back)":       {"a", "app in (web),tier notin (back)"},
		"tier":                               {"a b", "tier"},
		"!tier":                              {"c d e", "!tier"},
		" ! tier , app ":                     {"c", "app,!tier"},
		"size=":                              {"c", "size="},
		"size=,app":                          {"c", "app,size="},
		"size in (,5)":                       {"a c", "size in (,5)"},
		"size in ()":                         {"c", "size in ()"},
		"size notin (5,)":                    {"b d e", "size notin (,5)"},
		"size>10":                            {"b", "size>10"},
		"size<10":                            {"a", "size<10"},
		"size>1,size<51":                     {"a b", "size>1,size<51"},
		"in in (in,notin)":                   {"d", "in in (in,notin)"},
		"example.com/x":                      {"d", "example.com/x"},
		"in=notin,example.com/x!=z,size=big": {"d", "example.com/x!=z,in=notin,size=big"},
	} {
		l, err := selector.ParseLabels(text)
		if err != nil {
			t.Errorf("%q is a good selector, but the answer is: %v", text, err)
			continue
		}
		var got []string
		for name, labels := range objects {
			if l.Matches(labels) {
				got = append(got, name)
			}
		}
		slices.Sort(got)
		if got := strings.Join(got, " "); got != c.want {
			t.Errorf("%q selects %q, not %q", text, c.want, got)
		}
		if l.String() != c.form {
			t.Errorf("%q is written %q, not %q", text, c.form, l)
		}
	}
}

// The texts are those that kubectl's users know from a real server.
func TestABadLabelSelectorIsExplained(t *testing.T) {
	const (
		requirement = "unable to parse requirement: "
		form        = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
		value       = "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
	)
	long := strings.Repeat("x", 64)
	for text, want := range map[string]string{
		"a in":          requirement + "found '' expected: '('",
		"a in b":        requirement + "found 'b' expected: '('",
		"a=b,":          "found '', expected: identifier after ','",
		"a,,b":          "found ',', expected: identifier after ','",
		",a":            "found ',', expected: !, identifier, or 'end of string'",
		"(a)":           "found '(', expected: !, identifier, or 'end of string'",
		"=b":            "found '=', expected: !, identifier, or 'end of string'",
		"a b":           requirement + "found 'b', expected: in, notin, =, ==, !=, gt, lt",
		"bad!key=x":     requirement + "found '!', expected: in, notin, =, ==, !=, gt, lt",
		"a=bad value":   "found 'value', expected: ',' or 'end of string'",
		"!a=b":          "found '=', expected: ',' or 'end of string'",
		"!":             requirement + "found '', expected: identifier",
		"!!a":           requirement + "found '!', expected: identifier",
		"a=(":           requirement + "found '(', expected: identifier",
		"a===b":         requirement + "found '=', expected: identifier",
		"a in (":        requirement + "found '', expected: ',', ')' or identifier",
		"a in (b":       requirement + "found '', expected: ',' or ')'",
		"a in (b,":      requirement + "found '', expected: ',', or identifier",
		"a in (b c)":    requirement + "found 'c', expected: ',' or ')'",
		"size>big":      requirement + `values[0]: Invalid value: "big": for 'Gt', 'Lt' operators, the value must be an integer`,
		"size>-1":       requirement + `values[0][size]: Invalid value: "-1": ` + value,
		"size<":         requirement + `values[0]: Invalid value: "": for 'Gt', 'Lt' operators, the value must be an integer`,
		"a_=b":          requirement + `<nil>: Invalid value: "a_": name part ` + form,
		"/a":            requirement + `<nil>: Invalid value: "/a": prefix part must be non-empty`,
		long:            requirement + `<nil>: Invalid value: "` + long + `": name part must be no more than 63 bytes`,
		"a=-":           requirement + `values[0][a]: Invalid value: "-": ` + value,
		"a in (z,y_,b)": requirement + `values[1][a]: Invalid value: "y_": ` + value,
		"a=" + long:     requirement + `values[0][a]: Invalid value: "` + long + `": must be no more than 63 bytes`,
		"a=_" + long:    requirement + `values[0][a]: Invalid value: "_` + long + `": must be no more than 63 bytes; ` + value,
		"a>x_": requirement + `[values[0]: Invalid value: "x_": for 'Gt', 'Lt' operators, the value must be an integer, ` +
			`values[0][a]: Invalid value: "x_": ` + value + `]`,
	} {
		l, err := selector.ParseLabels(text)
		if err == nil {
			t.Errorf("%q is no selector, but is read as %q", text, l)
		} else if err.Error() != want {
			t.Errorf("%q is refused with\n%s\nnot with\n%s", text, want, err)
		}
	}
}

func TestAFieldSelectorIsAListOfRequirements(t *testing.T) {
	for text, c := range map[string]struct {
		want selector.Fields
		form string
	}{
		"":                                  {nil, ""},
		",":                                 {nil, ""},
		"metadata.name=b":                   {selector.Fields{{"metadata.name", "=", "b"}}, "metadata.name=b"},
		"metadata.name==b":                  {selector.Fields{{"metadata.name", "=", "b"}}, "metadata.name=b"},
		"metadata.name!=b":                  {selector.Fields{{"metadata.name", "!=", "b"}}, "metadata.name!=b"},
		"spec.nodeName!=":                   {selector.Fields{{"spec.nodeName", "!=", ""}}, "spec.nodeName!="},
		"spec.nodeName=":                    {selector.Fields{{"spec.nodeName", "=", ""}}, "spec.nodeName="},
		"status.phase!=Failed,,spec.host=h": {selector.Fields{{"spec.host", "=", "h"}, {"status.phase", "!=", "Failed"}}, "spec.host=h,status.phase!=Failed"},
		`a=b\,c\=d\\e`:                      {selector.Fields{{"a", "=", `b,c=d\e`}}, `a=b\,c\=d\\e`},
		`a=b\\,c=d`:                         {selector.Fields{{"a", "=", `b\`}, {"c", "=", "d"}}, `a=b\\,c=d`},
		"b==x,b=a,a!=1":                     {selector.Fields{{"a", "!=", "1"}, {"b", "=", "a"}, {"b", "=", "x"}}, "a!=1,b=a,b=x"},
		"a= b !":                            {selector.Fields{{"a", "=", " b !"}}, "a= b !"},
	} {
		f, err := selector.ParseFields(text)
		if err != nil {
			t.Errorf("%q is a good selector, but the answer is: %v", text, err)
			continue
		}
		if d := cmp.Diff(c.want, f); d != "" {
			t.Errorf("%q is read as something else (-want +got):\n%s", text, d)
		}
		if f.String() != c.form {
			t.Errorf("%q is written %q, not %q", text, c.form, f)
		}
	}
}

func TestABadFieldSelectorIsExplained(t *testing.T) {
	for text, want := range map[string]string{
		"metadata.name":     "invalid selector: 'metadata.name'; can't understand 'metadata.name'",
		"a=b,metadata.name": "invalid selector: 'a=b,metadata.name'; can't understand 'metadata.name'",
		`a=b\x`:             `invalid field selector: invalid escape sequence: \x`,
		`a=b\`:              `invalid field selector: invalid escape sequence: \`,
		"a=b=c":             "invalid field selector: unescaped character in value: 61",
		"b,a=b=c":           "invalid field selector: unescaped character in value: 61",
	} {
		if f, err := selector.ParseFields(text); err == nil {
			t.Errorf("%q is no selector, but is read as %q", text, f)
		} else if err.Error() != want {
			t.Errorf("%q is refused with\n%s\nnot with\n%s", text, want, err)
		}
	}
}

func TestAFieldSelectorMatches(t *testing.T) {
	pod := map[string]string{"metadata.name": "p", "status.phase": "Running"}
	get := func(field string) string { return pod[field] }
	for text, want := range map[string]bool{
		"":                                    true,
		"metadata.name=p":                     true,
		"metadata.name=q":                     false,
		"metadata.name!=p":                    false,
		"spec.nodeName=":                      true,
		"spec.nodeName!=":                     false,
		"metadata.name=p,status.phase!=Ended": true,
		"metadata.name=p,metadata.name!=p":    false,
	} {
		f, err := selector.ParseFields(text)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if got := f.Matches(get); got != want {
			t.Errorf("%q on %v is %t, not %t", text, pod, want, got)
		}
	}
}

func TestOnlyAnEqualsAsksForOneValue(t *testing.T) {
	f, err := selector.ParseFields("a=1,b!=2,c=")
	if err != nil {
		t.Fatal(err)
	}
	for field, want := range map[string]struct {
		value string
		ok    bool
	}{"a": {"1", true}, "b": {}, "c": {"", true}, "d": {}} {
		if value, ok := f.Exact(field); value != want.value || ok != want.ok {
			t.Errorf("%s asks of %s for %q, %t, not for %q, %t", f, field, want.value, want.ok, value, ok)
		}
	}
}

func FuzzParseLabels(f *testing.F) {
	for _, text := range []string{"app=web,tier!=db", "env in (a,,b),!old", "size>3,in notin ()", "x/y==z", "!!a=((,"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		l, err := selector.ParseLabels(text)
		if err != nil {
			return
		}
		again, err := selector.ParseLabels(l.String())
		if err != nil || again.String() != l.String() {
			t.Errorf("%q is written %q, which is read as %q, %v", text, l, again, err)
		}
		for name, labels := range objects {
			if again.Matches(labels) != l.Matches(labels) {
				t.Errorf("%q and its written form %q must match the same objects, and differ on %s", text, l, name)
			}
		}
	})
}

func FuzzParseFields(f *testing.F) {
	for _, text := range []string{"metadata.name=a,spec.nodeName!=", `a==b\,c\=\\`, `=\`, "a!==b", "b==x,b=a,a=1"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		fields, err := selector.ParseFields(text)
		if err != nil {
			return
		}
		again, err := selector.ParseFields(fields.String())
		if d := cmp.Diff(fields, again); d != "" || err != nil {
			t.Errorf("%q is written %q, which is read as something else: %v (-want +got):\n%s", text, fields, err, d)
		}
	})
}
