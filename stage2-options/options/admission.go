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

	NotReadySeconds, UnreachableSeconds int64 // for DefaultTolerationSeconds

	Plugins *admission.Plugins // those that are here
	Known   []string           // all that there are somewhere, in the order in which they should be asked
}

// NewAdmissionOptions returns 1.7's default: one plugin, which admits everything.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/options/admission.go NewAdmissionOptions
func NewAdmissionOptions() *AdmissionOptions {
	return &AdmissionOptions{
		PluginNames: []string{"AlwaysAdmit"},
		Plugins:     &admission.Plugins{},
		Known:       strings.Fields(knownPlugins),

		NotReadySeconds:    300,
		UnreachableSeconds: 300,
	}
}

// knownPlugins are those of 1.7 and of today, in today's order: first who makes
// or guards the namespace, then who fills in and checks the object, last who
// counts what has passed all others. Who disables one that is not here gets
// what they want.
//
// Upstream: pkg/kubeapiserver/options/plugins.go AllOrderedPlugins
const knownPlugins = `AlwaysAdmit NamespaceAutoProvision NamespaceLifecycle NamespaceExists SecurityContextDeny
	LimitPodHardAntiAffinityTopology PodPreset InitialResources LimitRanger ServiceAccount NodeRestriction TaintNodesByCondition
	AlwaysPullImages ImagePolicyWebhook PodSecurityPolicy PodSecurity PodNodeSelector Priority DefaultTolerationSeconds
	PodTolerationRestriction DenyExecOnPrivileged DenyEscalatingExec EventRateLimit ExtendedResourceToleration PersistentVolumeLabel
	DefaultStorageClass StorageObjectInUseProtection OwnerReferencesPermissionEnforcement PersistentVolumeClaimResize RuntimeClass
	CertificateApproval CertificateSigning ClusterTrustBundleAttest CertificateSubjectRestriction DefaultIngressClass
	PodTopologyLabels DenyServiceExternalIPs NodeDeclaredFeatureValidator Initializers MutatingAdmissionPolicy MutatingAdmissionWebhook
	GenericAdmissionWebhook ValidatingAdmissionPolicy ValidatingAdmissionWebhook ResourceQuota AlwaysDeny`

// AddFlags binds the group's fields.
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
// plugins are enabled that of Known.
func (o *AdmissionOptions) Names() []string {
	names := slices.Clone(o.PluginNames)
	for _, name := range o.EnablePlugins {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) > len(o.PluginNames) {
		place := func(name string) int { return slices.Index(append(o.Known, name), name) } // others come last
		slices.SortStableFunc(names, func(a, b string) int { return place(a) - place(b) })
	}
	return slices.DeleteFunc(names, func(name string) bool { return slices.Contains(o.DisablePlugins, name) })
}

// Validate returns everything that is wrong with the group. In 1.7 that comes
// out only when the chain is made.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/options/admission.go Validate
func (o *AdmissionOptions) Validate() (errs []error) {
	here := o.Plugins.Registered()
	there := "; there are " + strings.Join(here, ", ")
	for i, names := range [][]string{o.PluginNames, o.EnablePlugins} {
		flag := []string{"admission-control", "enable-admission-plugins"}[i]
		for _, name := range names {
			missing, known := name != "" && !slices.Contains(here, name), slices.Contains(o.Known, name)
			errs = append(errs, check(
				rule{missing && known, flag, name, "this plugin is not built yet" + there},
				rule{missing && !known, flag, name, "no such plugin" + there},
			)...)
		}
	}
	for _, name := range o.DisablePlugins {
		unknown := name != "" && !slices.Contains(here, name) && !slices.Contains(o.Known, name)
		errs = append(errs, check(
			rule{unknown, "disable-admission-plugins", name, "no such plugin; leave it out"},
			rule{slices.Contains(o.EnablePlugins, name), "disable-admission-plugins", name, "enabled too; name it in one of the two flags"},
		)...)
	}
	return errs
}
