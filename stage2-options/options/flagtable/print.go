package flagtable

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"text/tabwriter"

	"example.com/kube-apiserver/stage1-main/process/flag"
	"example.com/kube-apiserver/stage2-options/options"
	"github.com/spf13/pflag"
)

// Usage is the text of --help: a section for each group, then one for flags
// that are none of the options'.
func Usage(s *options.ServerRunOptions) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Usage: %s --flag=value ...\n", filepath.Base(os.Args[0]))
	eachGroup(s, func(group string, flags *pflag.FlagSet) {
		if flags.HasAvailableFlags() {
			fmt.Fprintf(&b, "\n%s:\n%s", title(group), flags.FlagUsagesWrapped(110))
		}
	})
	return b.String()
}

func title(group string) string {
	group = cmp.Or(group, "other")
	return strings.ToUpper(group[:1]) + group[1:]
}

// setting is a line of --dry-run.
type setting struct {
	Group string `json:"group"`
	Flag  string `json:"flag"`
	Value string `json:"value"`
	From  string `json:"from"` // default, flag or derived
}

// settings lists the flags that work and those that the user has set.
func settings(s *options.ServerRunOptions) (all []setting) {
	eachGroup(s, func(group string, flags *pflag.FlagSet) {
		flags.VisitAll(func(f *pflag.Flag) {
			from := origin(s, f.Name)
			if group != "" && (Class(s, f.Name) == "works" || from != "default") {
				all = append(all, setting{group, "--" + f.Name, flag.Shown(f), from})
			}
		})
	})
	return all
}

// addOutput adds the flags that ask for WriteConfiguration.
func addOutput(s *options.ServerRunOptions) {
	s.AddGroup("miscellaneous", func(fs *pflag.FlagSet) {
		fs.BoolVar(&s.DryRun, "dry-run", s.DryRun, "print the configuration, with the origin of each value, and exit")
		fs.StringVarP(&s.DryRunOutput, "output", "o", "table", "`format` of --dry-run: table or json")
	})
}

func wrongOutput(s *options.ServerRunOptions) []error {
	if s.DryRunOutput == "table" || s.DryRunOutput == "json" {
		return nil
	}
	return []error{fmt.Errorf("--output=%s: no such format; use table or json", s.DryRunOutput)}
}

// WriteConfiguration prints what --dry-run shows: each flag, its value, and
// whether that is the default, the user's or derived from other values.
func WriteConfiguration(s *options.ServerRunOptions, w io.Writer) error {
	if s.DryRunOutput == "json" {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(settings(s))
	}
	var table strings.Builder
	t := tabwriter.NewWriter(&table, 0, 0, 3, ' ', 0)
	fmt.Fprintln(t, "FLAG\tVALUE\tFROM")
	group := ""
	for _, x := range settings(s) {
		if x.Group != group {
			group = x.Group
			fmt.Fprintf(t, "\t\t\n%s:\t\t\n", title(group))
		}
		fmt.Fprintf(t, "  %s\t%s\t%s\n", x.Flag, cmp.Or(x.Value, "(none)"), x.From)
	}
	t.Flush() // a Builder takes everything
	_, err := io.WriteString(w, blanks.ReplaceAllString(table.String(), ""))
	return err
}

var blanks = regexp.MustCompile(`(?m) +$`)
