package flags_test

import (
	"testing"

	"example.com/kube-apiserver/stage2-options/options/flagtable"
	"example.com/kube-apiserver/stage5-serve/flags"
	"github.com/spf13/pflag"
)

func TestFlagsThatDidNotWorkBeforeWorkHere(t *testing.T) {
	s, fs := flags.NewServerRunOptions(), pflag.NewFlagSet("kube-apiserver", pflag.ContinueOnError)
	s.AddFlags(fs)
	before := map[string]bool{}
	fs.VisitAll(func(f *pflag.Flag) { before[f.Name] = true })
	flags.AddFlags(s)
	var added []string
	fs.VisitAll(func(f *pflag.Flag) {
		if !before[f.Name] {
			added = append(added, f.Name)
		}
	})
	flagtable.AddFlags(s.ServerRunOptions, fs)
	if len(added) < 15 {
		t.Fatalf("this stage adds only %q", added)
	}
	for _, name := range added {
		if class := flagtable.Class(s.ServerRunOptions, name); class != "works" {
			t.Errorf("--%s is %s, and this stage makes it work", name, class)
		}
	}
	if err := fs.Parse([]string{"--service-account-issuer=https://a", "--service-account-issuer=https://b", "--max-requests-inflight=7", "--requestheader-allowed-names=x,y"}); err != nil {
		t.Fatal(err)
	}
	if len(s.ServiceAccounts.Issuers) != 2 || len(s.RequestHeader.AllowedNames) != 2 || s.GenericServerRunOptions.MaxRequestsInFlight != 7 {
		t.Errorf("the values must land in the struct, it is %+v", s)
	}
}
