package flagtable

import (
	"fmt"
	"log"
	"slices"
	"strconv"
	"time"

	"example.com/kube-apiserver/stage1-main/process/flag"
	"example.com/kube-apiserver/stage2-options/options"
	"github.com/spf13/pflag"
)

// inertFlag is a flag that does nothing here.
type inertFlag struct {
	flag    *pflag.Flag
	refused string // why nobody may believe that it works; "" for a harmless one
}

// otherFlags are those of a command line that the options' groups do not have.
type otherFlags struct {
	s     *options.ServerRunOptions
	inert []inertFlag
}

// Warn says once of each harmless flag that nothing comes of it.
func (o otherFlags) Warn() {
	for _, i := range o.inert {
		if i.flag.Changed && i.refused == "" {
			log.Printf("--%s=%s has no effect", i.flag.Name, flag.Shown(i.flag))
		}
	}
}

// Validate is about values that are wrong, or would be if the flag worked, and
// about flags whose silent absence would take away a protection. A value that is
// the default asks for nothing.
func (o otherFlags) Validate() []error {
	errs := slices.Concat(wrongPort(o.s), wrongPlugins(o.s), wrongOutput(o.s), wrongControllers(o.s))
	for _, limit := range limits {
		if f := o.s.Flags.Lookup(limit.flag); below(f.Value.String(), limit.least) {
			errs = append(errs, fmt.Errorf("--%s=%s: %s", f.Name, f.Value, limit.says))
		}
	}
	for _, i := range o.inert {
		if i.refused != "" && i.flag.Changed && i.flag.Value.String() != i.flag.DefValue {
			errs = append(errs, fmt.Errorf("--%s=%s: %s; leave the flag out", i.flag.Name, flag.Shown(i.flag), i.refused))
		}
	}
	return errs
}

// limits are the least values of flags that work in stage 5 or nowhere.
var limits = []struct {
	flag  string
	least int // a duration's is in nanoseconds
	says  string
}{
	{"max-requests-inflight", 0, "negative; give 0 for no limit"},
	{"max-mutating-requests-inflight", 0, "negative; give 0 for no limit"},
	{"min-request-timeout", 0, "negative; give a number of seconds, such as 1800"},
	{"request-timeout", 1, "no time at all; give a duration such as 1m"},
	{"shutdown-delay-duration", 0, "negative; give 0 for no delay"},
}

func below(value string, least int) bool {
	if n, err := strconv.Atoi(value); err == nil {
		return n < least
	}
	d, err := time.ParseDuration(value)
	return err == nil && d < time.Duration(least)
}

// Class of a flag: works, harmless or refused.
func Class(s *options.ServerRunOptions, name string) string {
	others, _ := s.Others.(otherFlags)
	list := others.inert
	i := slices.IndexFunc(list, func(i inertFlag) bool { return i.flag.Name == name })
	switch {
	case i < 0:
		return "works"
	case list[i].refused == "":
		return "harmless"
	}
	return "refused"
}
