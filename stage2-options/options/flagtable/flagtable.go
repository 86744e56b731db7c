package flagtable

import (
	"fmt"
	"os"
	"time"

	"example.com/kube-apiserver/stage2-options/options"
	"github.com/spf13/pflag"
)

// row is a flag that does not work.
type row struct {
	name    string
	field   any    // where its value goes: a pointer, also to nowhere, or a pflag.Value
	refused string // why; "" for a harmless flag
	help    string // "" for a name that is not listed any more
}

// AddFlags adds those that work and belong to no group of 1.7's, or whose values
// are of kinds of their own, and then the table, to the flags that s.AddFlags
// has added before. It gives all of them their --help.
func AddFlags(s *options.ServerRunOptions, fs *pflag.FlagSet) {
	addValues(s)
	addPlugins(s)
	addControllers(s)
	addOutput(s)
	hideInsecure(s)
	addOldNames(fs)
	var list []inertFlag
	for _, g := range groups(s) {
		for _, r := range g.rows {
			if fs.Lookup(r.name) != nil {
				continue // it works in this stage
			}
			f := inert(r)
			s.AddGroup(g.name, func(own *pflag.FlagSet) { own.AddFlag(f) })
			list = append(list, inertFlag{f, r.refused})
		}
	}
	s.Others = otherFlags{s, list}
	fs.Usage = func() { os.Stdout.WriteString(Usage(s)) }
}

// inert makes a flag of a row. Values are parsed as if they mattered, so that a
// wrong one is found before the day it does.
func inert(r row) *pflag.Flag {
	help := r.help + " (accepted, no effect)"
	if r.refused != "" {
		help = r.help + " (refused)"
	}
	fs := pflag.NewFlagSet(r.name, pflag.ContinueOnError)
	switch p := r.field.(type) {
	case *bool:
		fs.BoolVar(p, r.name, *p, help)
	case *int:
		fs.IntVar(p, r.name, *p, help)
	case *int64:
		fs.Int64Var(p, r.name, *p, help)
	case *uint:
		fs.UintVar(p, r.name, *p, help)
	case *string:
		fs.StringVar(p, r.name, *p, help)
	case *[]string:
		fs.StringSliceVar(p, r.name, *p, help)
	case *time.Duration:
		fs.DurationVar(p, r.name, *p, help)
	case pflag.Value:
		fs.Var(p, r.name, help)
	default:
		panic(fmt.Sprintf("flagtable: --%s has a field of type %T", r.name, p)) // a programming error: there is no such row
	}
	f := fs.Lookup(r.name)
	f.Hidden = r.help == ""
	if len(r.name) == 1 {
		f.Shorthand = r.name // as pflag does with flags of Go's flag package: -v=3
	}
	return f
}
