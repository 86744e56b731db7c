package flagtable

import (
	"fmt"
	"slices"
	"strings"

	"example.com/kube-apiserver/stage2-options/options"
	"github.com/spf13/pflag"
)

// addControllers adds a flag that 1.7's controller manager has; here controllers
// run inside the server, from stage 4 on.
func addControllers(s *options.ServerRunOptions) {
	s.AddGroup("miscellaneous", func(fs *pflag.FlagSet) {
		fs.StringSliceVar(&s.Controllers, "controllers", s.Controllers, "`names` of controllers to run inside; *,-name for all but one, empty for none")
	})
}

func wrongControllers(s *options.ServerRunOptions) (errs []error) {
	for _, entry := range s.Controllers {
		name := strings.TrimPrefix(entry, "-")
		switch {
		case name == "":
			errs = append(errs, fmt.Errorf("--controllers=%s: no name; give * for all, names, or nothing at all for none", entry))
		case s.KnownControllers != nil && name != "*" && !slices.Contains(s.KnownControllers, name):
			errs = append(errs, fmt.Errorf("--controllers=%s: no such controller; there are %s", entry, strings.Join(s.KnownControllers, ", ")))
		}
	}
	return errs
}
