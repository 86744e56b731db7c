package options

import (
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// A flag carries one annotation: its group, or, as an old name, the name that is meant.
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

// other is a flag that does not work here.
type other struct {
	flag    *pflag.Flag
	refused string // why nobody may believe that it works; "" for a harmless one
}

// AddOther adds a flag that does not work, with the reason to refuse it or ""
// if it does no harm that nothing comes of it.
// A flag that works already stays as it is.
func (s *ServerRunOptions) AddOther(group string, f *pflag.Flag, refused string) {
	if s.flags.Lookup(f.Name) != nil {
		return
	}
	annotate(f, groupKey, group)
	s.flags.AddFlag(f)
	s.others = append(s.others, other{f, refused})
}

// Class of a flag: works, harmless or refused.
func (s *ServerRunOptions) Class(name string) string {
	i := slices.IndexFunc(s.others, func(o other) bool { return o.flag.Name == name })
	switch {
	case i < 0:
		return "works"
	case s.others[i].refused == "":
		return "harmless"
	}
	return "refused"
}

// addAlias gives a flag the name that it had before: it works, is not in
// --help, and tells its user the new name.
func addAlias(fs *pflag.FlagSet, old, name string) {
	f := *fs.Lookup(name)
	f.Name, f.Deprecated, f.Hidden = old, "use --"+name, true
	annotate(&f, aliasKey, name)
	fs.AddFlag(&f)
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

var passwordInURL = regexp.MustCompile(`://[^/@\s]*@`)

// shown is the value of a flag as it may be printed.
func shown(f *pflag.Flag) string {
	value := f.Value.String()
	if strings.HasPrefix(f.Value.Type(), "string") {
		value = strings.TrimSuffix(strings.TrimPrefix(value, "["), "]")
	}
	if value == "<nil>" {
		return ""
	}
	return passwordInURL.ReplaceAllString(value, "://(not shown)@")
}
