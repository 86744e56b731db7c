package options

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/pflag"
)

// Usage is the text of --help: a section for each group, then one for flags
// that are not of this package. Old names are left out.
func (s *ServerRunOptions) Usage() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Usage: %s --flag=value ...\n", filepath.Base(os.Args[0]))
	for _, g := range append(s.groups(), group{}) {
		section := pflag.NewFlagSet(g.name, pflag.ContinueOnError)
		s.flags.VisitAll(func(f *pflag.Flag) {
			if annotation(f, groupKey) == g.name {
				section.AddFlag(f)
			}
		})
		if section.HasAvailableFlags() {
			title := cmp.Or(g.name, "other")
			fmt.Fprintf(&b, "\n%s%s:\n%s", strings.ToUpper(title[:1]), title[1:], section.FlagUsagesWrapped(110))
		}
	}
	return b.String()
}

// setting is a line of --dry-run.
type setting struct {
	Group string `json:"group"`
	Flag  string `json:"flag"`
	Value string `json:"value"`
	From  string `json:"from"` // default, flag or derived
}

// settings lists the flags that work and those that the user has set.
func (s *ServerRunOptions) settings() (all []setting) {
	for _, g := range s.groups() {
		s.flags.VisitAll(func(f *pflag.Flag) {
			from := "default"
			switch {
			case slices.Contains(s.derived, f.Name):
				from = "derived"
			case s.isSet(f.Name):
				from = "flag"
			}
			if annotation(f, groupKey) == g.name && (s.Class(f.Name) == "works" || from != "default") {
				all = append(all, setting{g.name, "--" + f.Name, shown(f), from})
			}
		})
	}
	return all
}

// WriteConfiguration prints what --dry-run shows, as a table or as json: each
// flag, its value, and whether that is the default, the user's or derived from
// other values.
func (s *ServerRunOptions) WriteConfiguration(w io.Writer, format string) error {
	if format == "json" {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(s.settings())
	}
	t := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
	fmt.Fprintln(t, "FLAG\tVALUE\tFROM")
	for _, x := range s.settings() {
		fmt.Fprintf(t, "%s\t%s\t%s\n", x.Flag, x.Value, x.From)
	}
	return t.Flush()
}
