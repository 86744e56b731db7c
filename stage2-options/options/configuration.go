package options

import (
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"text/tabwriter"

	"github.com/spf13/pflag"
)

var passwordInURL = regexp.MustCompile(`://[^/@\s]*@`)

// setting is a line of --dry-run.
type setting struct {
	Group string `json:"group"`
	Flag  string `json:"flag"`
	Value string `json:"value"`
	From  string `json:"from"` // default, flag or derived
}

// settings lists the flags that work or that the user has set, group by group.
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
			_, isAlias := annotation(f, aliasKey)
			of, _ := annotation(f, groupKey)
			if of != g.name || isAlias || (Class(f) != "works" && from == "default") {
				return
			}
			all = append(all, setting{g.name, "--" + f.Name, shown(f), from})
		})
	}
	return all
}

// WriteConfiguration prints what --dry-run shows: flag, value, and whether the
// value is the default, the user's, or found from other values. format is
// table or json.
func (s *ServerRunOptions) WriteConfiguration(w io.Writer, format string) error {
	settings := s.settings()
	if format == "json" {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(settings)
	}
	t := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
	fmt.Fprintln(t, "FLAG\tVALUE\tFROM")
	for _, x := range settings {
		fmt.Fprintf(t, "%s\t%s\t%s\n", x.Flag, x.Value, x.From)
	}
	return t.Flush()
}
