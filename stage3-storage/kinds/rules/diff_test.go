package rules_test

import (
	"strings"
	"testing"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"github.com/google/go-cmp/cmp"
)

func TestADifferenceIsShownWithWhatIsAroundIt(t *testing.T) {
	for name, c := range map[string]struct {
		before, after string
		want          []string
	}{
		"nothing":   {`{"a":1}`, `{"a":1}`, nil},
		"one value": {`{"a":1,"b":2,"c":3,"d":4,"e":5}`, `{"a":1,"b":2,"c":3,"d":4,"e":6}`, []string{"@@ -3,5 +3,5 @@", `  "b": 2,`, `  "c": 3,`, `  "d": 4,`, `- "e": 5`, `+ "e": 6`, ` }`}},
		"an item":   {`{"l":[{"n":"x"}]}`, `{"l":[{"n":"new"},{"n":"x"}]}`, []string{"@@ -1,5 +1,8 @@", " {", `  "l": [`, "+  {", `+   "n": "new"`, "+  },", "   {", `    "n": "x"`, "   }"}},
		"far apart": {`{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9}`, `{"a":0,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":0}`, []string{
			"@@ -1,5 +1,5 @@", " {", `- "a": 1,`, `+ "a": 0,`, `  "b": 2,`, `  "c": 3,`, `  "d": 4,`,
			"@@ -7,5 +7,5 @@", `  "f": 6,`, `  "g": 7,`, `  "h": 8,`, `- "i": 9`, `+ "i": 0`, ` }`}},
		"everything": {`1`, `2`, []string{"@@ -1 +1 @@", "-1", "+2"}},
	} {
		t.Run(name, func(t *testing.T) {
			want := ""
			if len(c.want) > 0 {
				want = strings.Join(c.want, "\n") + "\n"
			}
			got := rules.Diff(parse(t, `{"v":`+c.before+`}`)["v"], parse(t, `{"v":`+c.after+`}`)["v"])
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("the difference is not shown as it should be (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAddressesAreReadAlikeByEverybody(t *testing.T) {
	for in, want := range map[string]string{
		"10.0.0.1": "", "::1": "", "010.0.0.1": "must not have leading 0s", "::ffff:10.0.0.1": "must not be an IPv4-mapped IPv6 address",
		"10.0.0.256": "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)",
	} {
		if got := strings.Join(rules.IP(in), ";"); got != want {
			t.Errorf("of the address %q is said %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{
		"10.0.0.0/8": "", "2001:db8::/32": "", "10.0.0.1/8": "must not have bits set beyond the prefix length", "10.0.0.0/08": "must not have leading 0s in IP or prefix length",
		"010.0.0.0/8": "must not have leading 0s in IP or prefix length", "::ffff:10.0.0.0/104": "must not have an IPv4-mapped IPv6 address",
		"10.0.0.0": "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)",
	} {
		if got := strings.Join(rules.CIDR(in), ";"); got != want {
			t.Errorf("of the network %q is said %q, want %q", in, got, want)
		}
	}
}

func TestAnAmountIsWrittenInOneWay(t *testing.T) {
	for in, want := range map[string]string{"0": "0", "1000m": "1", "1500m": "1500m", "1000": "1k", "0.5": "500m", "1024Mi": "1Gi", "1536Mi": "1536Mi", "-2000": "-2k"} {
		n, ok := rules.Quantity(in)
		if !ok {
			t.Fatalf("%q is no amount", in)
		}
		if got := rules.QuantityText(n, rules.BinaryQuantity(in)); got != want {
			t.Errorf("the amount %q is written %q, want %q", in, got, want)
		}
	}
}
