package flagtable

import (
	"fmt"
	"slices"

	"example.com/kube-apiserver/stage2-options/options"
	"github.com/spf13/pflag"
)

// eachGroup calls f with each group, in order, and its flags; the last one is
// "", for flags that are none of the options'.
func eachGroup(s *options.ServerRunOptions, f func(group string, flags *pflag.FlagSet)) {
	rest := pflag.NewFlagSet("", pflag.ContinueOnError)
	grouped := map[string]bool{}
	for _, g := range s.Groups {
		if g.Name == "" {
			continue
		}
		f(g.Name, g.Flags)
		g.Flags.VisitAll(func(f *pflag.Flag) { grouped[f.Name] = true })
	}
	s.Flags.VisitAll(func(f *pflag.Flag) {
		if !grouped[f.Name] && f.Deprecated == "" {
			rest.AddFlag(f)
		}
	})
	f("", rest)
}

// origin of a flag's value: default, flag or derived.
func origin(s *options.ServerRunOptions, name string) string {
	switch {
	case slices.Contains(s.Derived, name):
		return "derived"
	case isSet(s, name):
		return "flag"
	}
	return "default"
}

// Summary counts option groups, flags, those that the user has set, and those
// for which DefaultOptions has found a value.
func Summary(s *options.ServerRunOptions) string {
	groups := slices.DeleteFunc(slices.Clone(s.Groups), func(g options.FlagGroup) bool { return g.Name == "miscellaneous" || g.Name == "" })
	flags, set := 0, 0
	if s.Flags != nil {
		s.Flags.VisitAll(func(*pflag.Flag) { flags++ })
		s.Flags.Visit(func(*pflag.Flag) { set++ })
	}
	return fmt.Sprintf("%d option groups, %d flags: %d set by you, %d derived", len(groups), flags, set, len(s.Derived))
}

// oldNames are those that flags had before.
var oldNames = []struct{ old, name string }{
	{"address", "insecure-bind-address"},
	{"port", "insecure-port"},
	{"portal-net", "service-cluster-ip-range"},
	{"public-address-override", "bind-address"},
	{"service-node-ports", "service-node-port-range"},
}

// addOldNames gives flags also the names that they had before: these work, are
// not in --help, and tell their user the new name.
func addOldNames(fs *pflag.FlagSet) {
	for _, n := range oldNames {
		f := *fs.Lookup(n.name)
		f.Name, f.Hidden, f.Deprecated = n.old, true, "use --"+n.name
		fs.AddFlag(&f)
	}
}

func isSet(s *options.ServerRunOptions, name string) bool {
	set := s.IsSet(name)
	for _, n := range oldNames {
		set = set || n.name == name && s.IsSet(n.old)
	}
	return set
}

// hideInsecure takes the plain port's flags out of --help: programs that start
// an API server look there for --insecure-port, to find out whether they have
// an old one that would serve on it.
func hideInsecure(s *options.ServerRunOptions) {
	s.AddGroup("insecure serving", func(fs *pflag.FlagSet) {
		fs.VisitAll(func(f *pflag.Flag) { f.Hidden = true })
	})
}
