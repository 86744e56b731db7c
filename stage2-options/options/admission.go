package options

import (
	"strings"

	"example.com/kube-apiserver/stage2-options/admission"
	"github.com/spf13/pflag"
)

// AdmissionOptions name the plugins that see every write.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/options/admission.go AdmissionOptions
type AdmissionOptions struct {
	PluginNames []string // --admission-control, or else a stage's default: the chain, in its order
	ConfigFile  string   // what it says to each plugin
	Plugins     *admission.Plugins

	// What other flags add, those of package flagtable.
	EnablePlugins, DisablePlugins       []string // besides the default, and of it
	NotReadySeconds, UnreachableSeconds int64    // for DefaultTolerationSeconds
}

func (o *AdmissionOptions) AddFlags(fs *pflag.FlagSet) {
	fs.StringSliceVar(&o.PluginNames, "admission-control", o.PluginNames, "`names` of the plugins that see every write, in this order; empty for none")
	fs.StringVar(&o.ConfigFile, "admission-control-config-file", o.ConfigFile, "`file` with the configuration of plugins")
}

// In 1.7 an unknown name comes out only when the chain is made.
//
// Now: staging/src/k8s.io/apiserver/pkg/server/options/admission.go Validate
func (o *AdmissionOptions) Validate() []error {
	return o.CheckNames("admission-control", o.PluginNames)
}

// CheckNames returns an error for each name that a flag gives and no plugin has.
func (o *AdmissionOptions) CheckNames(flag string, names []string) []error {
	here := o.Plugins.Registered()
	there := "there are " + strings.Join(here, ", ")
	here = append(here, "") // an empty name is skipped
	var rules []rule
	for _, name := range names {
		rules = append(rules, choice(flag, "plugin", name, here, o.Plugins.Known, there))
	}
	return check(rules...)
}
