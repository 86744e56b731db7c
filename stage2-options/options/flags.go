package options

import (
	"slices"

	"github.com/spf13/pflag"
)

// A flag carries its group, or, as an old name, the name that is meant.
const (
	groupKey = "group"
	aliasKey = "alias"
)

func annotate(f *pflag.Flag, key, value string) {
	f.Annotations = map[string][]string{key: {value}}
}

func annotation(f *pflag.Flag, key string) string {
	if v := f.Annotations[key]; v != nil {
		return v[0]
	}
	return ""
}

// addAlias gives a flag the name that it had before: it works, is not in
// --help, and tells its user the new name.
func addAlias(fs *pflag.FlagSet, old, name string) {
	f := *fs.Lookup(name)
	f.Name, f.Deprecated, f.Hidden = old, "use --"+name, true
	annotate(&f, aliasKey, name)
	fs.AddFlag(&f)
}

// EachGroup calls f with each group, in order, and its flags; the last one is
// "", for flags that are none of the options'. Old names are left out.
func (s *ServerRunOptions) EachGroup(f func(group string, flags *pflag.FlagSet)) {
	for _, g := range append(s.groups(), group{}) {
		own := pflag.NewFlagSet(g.name, pflag.ContinueOnError)
		s.flags.VisitAll(func(f *pflag.Flag) {
			if annotation(f, groupKey) == g.name && annotation(f, aliasKey) == "" {
				own.AddFlag(f)
			}
		})
		f(g.name, own)
	}
}

// Origin of a flag's value: default, flag or derived.
func (s *ServerRunOptions) Origin(name string) string {
	switch {
	case slices.Contains(s.derived, name):
		return "derived"
	case s.isSet(name):
		return "flag"
	}
	return "default"
}

// isSet tells whether the user has set a flag, under whichever name.
func (s *ServerRunOptions) isSet(name string) (set bool) {
	if s.flags != nil {
		s.flags.Visit(func(f *pflag.Flag) { set = set || f.Name == name || annotation(f, aliasKey) == name })
	}
	return set
}

// Count returns how many option groups and flags there are, how many flags the
// user has set, and for how many DefaultOptions has found a value.
func (s *ServerRunOptions) Count() (groups, flags, set, derived int) {
	if s.flags != nil {
		s.flags.VisitAll(func(*pflag.Flag) { flags++ })
		s.flags.Visit(func(*pflag.Flag) { set++ })
	}
	return len(s.groups()) - 1, flags, set, len(s.derived)
}
