package verflag_test

import (
	"testing"

	"example.com/kube-apiserver/stage1-main/process/verflag"

	"github.com/spf13/pflag"
)

func TestVersionForms(t *testing.T) {
	for _, c := range []struct{ arg, want string }{
		{"--version", "true"},
		{"--version=true", "true"},
		{"--version=1", "true"},
		{"--version=false", "false"},
		{"--version=raw", "raw"},
		{"--version=banana", ""},
	} {
		fs := pflag.NewFlagSet("test", pflag.ContinueOnError)
		verflag.AddFlags(fs)
		err := fs.Parse([]string{c.arg})
		switch got := fs.Lookup("version").Value.String(); {
		case c.want == "" && err == nil:
			t.Errorf("%s was accepted as %q: only true, false and raw mean something", c.arg, got)
		case c.want != "" && err != nil:
			t.Errorf("%s was refused: %v", c.arg, err)
		case c.want != "" && got != c.want:
			t.Errorf("%s means %q, got %q", c.arg, c.want, got)
		}
		fs.Set("version", "false") // the value is the process's own: leave it as it was
	}
}

func FuzzVersionValue(f *testing.F) {
	for _, s := range []string{"true", "false", "raw", "", "1", "T", "RAW", "raw ", "yes"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		fs := pflag.NewFlagSet("test", pflag.ContinueOnError)
		verflag.AddFlags(fs)
		fs.Set("version", "false")
		v := fs.Lookup("version").Value
		err := v.Set(text)
		if err != nil {
			if v.String() != "false" {
				t.Fatalf("%q was refused and has changed the value to %q all the same", text, v)
			}
			return
		}
		once := v.String()
		if err := v.Set(once); err != nil || v.String() != once {
			t.Fatalf("%q prints as %q, which reads as %q, %v", text, once, v, err)
		}
	})
}
