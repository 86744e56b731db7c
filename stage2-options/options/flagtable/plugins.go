package flagtable

import (
	"fmt"
	"slices"
	"strings"

	"example.com/kube-apiserver/stage2-options/options"
	"github.com/spf13/pflag"
)

// addPlugins adds flags beside --admission-control: those with which today one
// says how the chain differs from the default, and those that a plugin brings
// along when it is loaded.
func addPlugins(s *options.ServerRunOptions) {
	o := s.Admission
	s.AddGroup("admission", func(fs *pflag.FlagSet) {
		fs.StringSliceVar(&o.EnablePlugins, "enable-admission-plugins", o.EnablePlugins, "`names` of plugins besides the default ones")
		fs.StringSliceVar(&o.DisablePlugins, "disable-admission-plugins", o.DisablePlugins, "`names` of default plugins to leave out")
		fs.Int64Var(&o.NotReadySeconds, "default-not-ready-toleration-seconds", o.NotReadySeconds, "how many `seconds` pods stay on a node that is not ready")
		fs.Int64Var(&o.UnreachableSeconds, "default-unreachable-toleration-seconds", o.UnreachableSeconds, "how many `seconds` pods stay on a node that is unreachable")
	})
}

// PluginNames returns the chain: what --admission-control names and what is
// enabled, without what is disabled. Its order is that of --admission-control,
// or if plugins are enabled that of upstream.
func PluginNames(o *options.AdmissionOptions) []string {
	names := slices.Clone(o.PluginNames)
	for _, name := range o.EnablePlugins {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) > len(o.PluginNames) {
		place := func(name string) int { return slices.Index(append(o.Plugins.Known, name), name) } // others come last
		slices.SortStableFunc(names, func(a, b string) int { return place(a) - place(b) })
	}
	return slices.DeleteFunc(names, func(name string) bool { return slices.Contains(o.DisablePlugins, name) })
}

// ChainSummary counts the plugins of a chain and names them.
func ChainSummary(names []string) string {
	switch {
	case len(names) == 0:
		return "no plugins"
	case len(names) == 1 && names[0] == "AlwaysAdmit":
		return "AlwaysAdmit (default: one plugin, not none)"
	}
	return fmt.Sprintf("%d plugins: %s", len(names), strings.Join(names, ", "))
}

func wrongPlugins(s *options.ServerRunOptions) []error {
	o := s.Admission
	errs := o.CheckNames("enable-admission-plugins", o.EnablePlugins)
	known := slices.Concat(o.Plugins.Registered(), o.Plugins.Known, []string{""})
	for _, name := range o.DisablePlugins {
		if !slices.Contains(known, name) {
			errs = append(errs, fmt.Errorf("--disable-admission-plugins=%s: no such plugin; leave it out", name))
		}
		if slices.Contains(o.EnablePlugins, name) {
			errs = append(errs, fmt.Errorf("--disable-admission-plugins=%s: enabled too; name it in one of the two flags", name))
		}
	}
	if s.IsSet("admission-control") && (s.IsSet("enable-admission-plugins") || s.IsSet("disable-admission-plugins")) {
		errs = append(errs, fmt.Errorf("--admission-control=%s: names the whole chain; give either it or --enable-admission-plugins and --disable-admission-plugins",
			strings.Join(o.PluginNames, ",")))
	}
	return errs
}
