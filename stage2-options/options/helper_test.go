package options_test

import (
	"io"
	"testing"

	"example.com/kube-apiserver/stage1-main/process/flag"
	"example.com/kube-apiserver/stage2-options/admission"
	"example.com/kube-apiserver/stage2-options/admission/configfile"
	"example.com/kube-apiserver/stage2-options/admission/known"
	"example.com/kube-apiserver/stage2-options/options"
	"example.com/kube-apiserver/stage2-options/options/flagtable"
	"github.com/spf13/pflag"
)

// parse reads a command line as main does.
func parse(t testing.TB, args ...string) (*options.ServerRunOptions, *pflag.FlagSet, error) {
	t.Helper()
	s := options.NewServerRunOptions()
	s.KnownControllers = []string{"garbagecollector", "namespace"}
	s.Admission.Plugins.Known = known.Plugins()
	for _, name := range []string{"AlwaysAdmit", "NamespaceLifecycle", "ResourceQuota"} {
		if err := s.Admission.Plugins.Register(name, configfile.Unconfigured(func() admission.Interface { return admission.AlwaysAdmit{} })); err != nil {
			t.Fatal(err)
		}
	}
	fs := pflag.NewFlagSet("kube-apiserver", pflag.ContinueOnError)
	fs.SetOutput(io.Discard) // where old names tell the new ones
	s.AddFlags(fs)
	flagtable.AddFlags(s, fs)
	return s, fs, flag.Parse(fs, args)
}

// complete parses, defaults and validates.
func complete(t testing.TB, args ...string) (*options.ServerRunOptions, error) {
	t.Helper()
	s, _, err := parse(t, args...)
	if err == nil {
		err = options.DefaultOptions(s)
	}
	if err == nil {
		err = options.Aggregate(s.Validate())
	}
	return s, err
}

func mustComplete(t testing.TB, args ...string) *options.ServerRunOptions {
	t.Helper()
	s, err := complete(t, args...)
	if err != nil {
		t.Fatalf("the command line %q is right and was refused: %v", args, err)
	}
	return s
}
