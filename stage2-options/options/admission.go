package options

import (
	"slices"
	"strings"

	"example.com/kube-apiserver/stage2-options/admission"
	"github.com/spf13/pflag"
)

// AdmissionOptions name the plugins that see every write.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/options/admission.go AdmissionOptions
type AdmissionOptions struct {
	PluginNames    []string // --admission-control, or else a stage's default: the chain, in its order
	EnablePlugins  []string // besides the default
	DisablePlugins []string // of the default
	ConfigFile     string   // what it says to each plugin
	Plugins        *admission.Plugins

	NotReadySeconds, UnreachableSeconds int64 // for DefaultTolerationSeconds
}

func (o *AdmissionOptions) AddFlags(fs *pflag.FlagSet) {
	fs.StringSliceVar(&o.PluginNames, "admission-control", o.PluginNames, "`names` of the plugins that see every write, in this order; empty for none")
	fs.StringSliceVar(&o.EnablePlugins, "enable-admission-plugins", o.EnablePlugins, "`names` of plugins besides the default ones")
	fs.StringSliceVar(&o.DisablePlugins, "disable-admission-plugins", o.DisablePlugins, "`names` of default plugins to leave out")
	fs.StringVar(&o.ConfigFile, "admission-control-config-file", o.ConfigFile, "`file` with the configuration of plugins")
	fs.Int64Var(&o.NotReadySeconds, "default-not-ready-toleration-seconds", o.NotReadySeconds, "how many `seconds` pods stay on a node that is not ready")
	fs.Int64Var(&o.UnreachableSeconds, "default-unreachable-toleration-seconds", o.UnreachableSeconds, "how many `seconds` pods stay on a node that is unreachable")
}

// Names returns the chain: what --admission-control names and what is enabled,
// without what is disabled. Its order is that of --admission-control, or if
// plugins are enabled that of upstream.
func (o *AdmissionOptions) Names() []string {
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

// In 1.7 an unknown name comes out only when the chain is made.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/options/admission.go Validate
func (o *AdmissionOptions) Validate() []error {
	here, known := o.Plugins.Registered(), o.Plugins.Known
	there := "there are " + strings.Join(here, ", ")
	here = append(here, "") // an empty name is skipped
	var rules []rule
	for _, name := range o.PluginNames {
		rules = append(rules, choice("admission-control", "plugin", name, here, known, there))
	}
	for _, name := range o.EnablePlugins {
		rules = append(rules, choice("enable-admission-plugins", "plugin", name, here, known, there))
	}
	for _, name := range o.DisablePlugins {
		rules = append(rules,
			choice("disable-admission-plugins", "plugin", name, slices.Concat(here, known), nil, "leave it out"),
			rule{slices.Contains(o.EnablePlugins, name), "disable-admission-plugins", name, "enabled too; name it in one of the two flags"})
	}
	return check(rules...)
}
