package options

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"
)

// helpWidth is where lines of --help end.
const helpWidth = 110

// Usage is the text of --help: a section for each group of flags, then those
// of nobody's group. Deprecated and hidden flags are left out.
func (s *ServerRunOptions) Usage() string {
	sections := map[string]*pflag.FlagSet{}
	s.flags.VisitAll(func(f *pflag.Flag) {
		name, _ := annotation(f, groupKey)
		if sections[name] == nil {
			sections[name] = pflag.NewFlagSet(name, pflag.ContinueOnError)
		}
		sections[name].AddFlag(f)
	})
	var b strings.Builder
	fmt.Fprintf(&b, "Usage: %s [--flag=value ...]\n", filepath.Base(os.Args[0]))
	for _, g := range append(s.groups(), group{name: ""}) {
		if fs := sections[g.name]; fs != nil && fs.HasAvailableFlags() {
			title := strings.TrimSpace(g.name + " flags")
			fmt.Fprintf(&b, "\n%s%s:\n\n%s", strings.ToUpper(title[:1]), title[1:], fs.FlagUsagesWrapped(helpWidth))
		}
	}
	return b.String()
}
