package flagtable

import (
	"fmt"
	"log"
	"slices"

	"example.com/kube-apiserver/stage1-main/process/flag"
	"example.com/kube-apiserver/stage2-options/options"
	"github.com/spf13/pflag"
)

// inertFlag is a flag that does nothing here.
type inertFlag struct {
	flag    *pflag.Flag
	refused string // why nobody may believe that it works; "" for a harmless one
}

type inertFlags []inertFlag

// Warn says once of each harmless flag that nothing comes of it.
func (l inertFlags) Warn() {
	for _, i := range l {
		if i.flag.Changed && i.refused == "" {
			log.Printf("--%s=%s has no effect", i.flag.Name, flag.Shown(i.flag))
		}
	}
}

// Validate is about flags whose silent absence would take away a protection. A
// value that is the default asks for nothing.
func (l inertFlags) Validate() (errs []error) {
	for _, i := range l {
		if i.refused != "" && i.flag.Changed && i.flag.Value.String() != i.flag.DefValue {
			errs = append(errs, fmt.Errorf("--%s=%s: %s; leave the flag out", i.flag.Name, flag.Shown(i.flag), i.refused))
		}
	}
	return errs
}

// Class of a flag: works, harmless or refused.
func Class(s *options.ServerRunOptions, name string) string {
	list, _ := s.Inert.(inertFlags)
	i := slices.IndexFunc(list, func(i inertFlag) bool { return i.flag.Name == name })
	switch {
	case i < 0:
		return "works"
	case list[i].refused == "":
		return "harmless"
	}
	return "refused"
}
