package flagtable

import (
	"reflect"
	"testing"

	"example.com/kube-apiserver/stage2-options/options"
)

func FuzzPortRange(f *testing.F) {
	for _, s := range []string{"", "30000-32767", "0-65535", "80", "9-8", "-1-5", "1-70000", "1--2", " 1-2 ", "99999999999999999999-1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var set, again portRange
		if set.Set(text) != nil {
			return
		}
		r := options.PortRange(set)
		if r.Base < 0 || r.Size < 0 || r.Base+r.Size > 65536 {
			t.Fatalf("%q was taken for %+v, which is no range of ports", text, r)
		}
		if r.Size > 0 && (!r.Contains(r.Base) || !r.Contains(r.Base+r.Size-1) || r.Contains(r.Base+r.Size) || r.Contains(r.Base-1)) {
			t.Fatalf("%q contains other ports than it says: %+v", text, r)
		}
		if err := again.Set(r.String()); err != nil || again != set {
			t.Fatalf("%q prints as %q, which reads as %+v, %v", text, r.String(), again, err)
		}
	})
}

func FuzzNamedCertKey(f *testing.F) {
	for _, s := range []string{"", "a.crt,a.key", "a.crt,a.key:*.example.com,b", "a,b:", "a:b", "a,b,c", ",", "a,:b", " a , b : c , d "} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var set, again namedCertKeys
		if set.Set(text) != nil {
			return
		}
		n := set[0]
		if n.CertFile == "" || n.KeyFile == "" {
			t.Fatalf("%q was taken though a file is missing: %+v", text, n)
		}
		if err := again.Set(set.String()); err != nil || !reflect.DeepEqual(again, set) {
			t.Fatalf("%q prints as %q, which reads as %+v, %v", text, set.String(), again, err)
		}
	})
}
