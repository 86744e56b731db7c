package options

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"
)

// The annotations that a flag may carry.
const (
	groupKey    = "group"
	noEffectKey = "no-effect"
	refusedKey  = "refused" // with the reason
	aliasKey    = "alias"   // with the name that is meant
	secretKey   = "secret"
)

func annotate(f *pflag.Flag, key, value string) {
	if f.Annotations == nil {
		f.Annotations = map[string][]string{}
	}
	f.Annotations[key] = []string{value}
}

func annotation(f *pflag.Flag, key string) (string, bool) {
	v, ok := f.Annotations[key]
	if !ok {
		return "", false
	}
	return v[0], true
}

// InGroup puts a flag into a section of --help and --dry-run.
func InGroup(f *pflag.Flag, group string) { annotate(f, groupKey, group) }

// IsSecret keeps the flag's value from being shown anywhere.
func IsSecret(f *pflag.Flag) { annotate(f, secretKey, "") }

// HasNoEffect marks flags that are accepted though nothing reads them: leaving
// their effect out takes no protection from anybody.
func HasNoEffect(fs *pflag.FlagSet, names ...string) {
	for _, name := range names {
		f := fs.Lookup(name)
		annotate(f, noEffectKey, "")
		f.Usage += " (accepted, no effect)"
	}
}

// IsRefused marks flags of which nobody may believe that they work: what they
// ask for would be silently missing.
func IsRefused(fs *pflag.FlagSet, why string, names ...string) {
	for _, name := range names {
		f := fs.Lookup(name)
		annotate(f, refusedKey, why)
		f.Usage += " (refused: not supported yet)"
	}
}

// Class of a flag: works, harmless or refused.
func Class(f *pflag.Flag) string {
	if _, ok := annotation(f, refusedKey); ok {
		return "refused"
	}
	if _, ok := annotation(f, noEffectKey); ok {
		return "harmless"
	}
	return "works"
}

// alias gives a flag a second name, from before it was renamed: still working,
// not in --help, and it says which name to use.
func alias(fs *pflag.FlagSet, old, name string) {
	f := *fs.Lookup(name)
	f.Name, f.Shorthand = old, ""
	f.Deprecated, f.Hidden = "use --"+name, true
	f.Annotations = map[string][]string{aliasKey: {name}}
	for _, key := range []string{noEffectKey, refusedKey} {
		if v, ok := annotation(fs.Lookup(name), key); ok {
			annotate(&f, key, v)
		}
	}
	fs.AddFlag(&f)
}

// isSet tells whether the user has set the flag, under any of its names.
func (s *ServerRunOptions) isSet(name string) bool {
	if s.flags == nil {
		return false
	}
	set := false
	s.flags.Visit(func(f *pflag.Flag) {
		meant, _ := annotation(f, aliasKey)
		set = set || f.Name == name || meant == name
	})
	return set
}

// Count returns the number of option groups and of flags, how many flags the
// user has set and how many DefaultOptions has found a value for.
func (s *ServerRunOptions) Count() (groups, flags, set, derived int) {
	if s.flags != nil {
		s.flags.VisitAll(func(*pflag.Flag) { flags++ })
		s.flags.Visit(func(*pflag.Flag) { set++ })
	}
	return len(s.groups()) - 1, flags, set, len(s.derived)
}

// shown is a flag's value as it may be printed.
func shown(f *pflag.Flag) string {
	if _, ok := annotation(f, secretKey); ok {
		return "(not shown)"
	}
	value := f.Value.String()
	switch f.Value.Type() {
	case "stringSlice", "stringArray":
		value = strings.Trim(value, "[]")
	}
	if value == "<nil>" {
		return ""
	}
	return passwordInURL.ReplaceAllString(value, "://(not shown)@")
}

func wrong(name string, value any, format string, args ...any) error {
	return fmt.Errorf("--%s=%v: %w", name, value, fmt.Errorf(format, args...))
}
