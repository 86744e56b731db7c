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
	PluginNames    []string // --admission-control, or the stage's default: the chain, in its order
	EnablePlugins  []string // besides the default
	DisablePlugins []string // of the default
	ConfigFile     string

	Plugins                *admission.Plugins // what there is
	Known                  []string           // what there is elsewhere: may be disabled here, not enabled
	RecommendedPluginOrder []string           // of enabled plugins in the chain; those it does not name go last
}

// NewAdmissionOptions returns 1.7's default: one plugin, which admits everything.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/options/admission.go NewAdmissionOptions
func NewAdmissionOptions() *AdmissionOptions {
	return &AdmissionOptions{
		PluginNames: []string{"AlwaysAdmit"},
		Plugins:     &admission.Plugins{},
		Known:       strings.Fields(knownPlugins),
	}
}

// knownPlugins are those of 1.7 and of today. Whoever disables one that is not
// there gets what was asked for.
const knownPlugins = `AlwaysAdmit AlwaysDeny AlwaysPullImages CertificateApproval CertificateSigning CertificateSubjectRestriction
	ClusterTrustBundleAttest DefaultIngressClass DefaultStorageClass DefaultTolerationSeconds DenyEscalatingExec DenyExecOnPrivileged
	DenyServiceExternalIPs EventRateLimit ExtendedResourceToleration GenericAdmissionWebhook ImagePolicyWebhook InitialResources
	Initializers LimitPodHardAntiAffinityTopology LimitRanger MutatingAdmissionPolicy MutatingAdmissionWebhook NamespaceAutoProvision
	NamespaceExists NamespaceLifecycle NodeDeclaredFeatureValidator NodeRestriction OwnerReferencesPermissionEnforcement
	PersistentVolumeClaimResize PersistentVolumeLabel PodNodeSelector PodPreset PodSecurity PodSecurityPolicy PodTolerationRestriction
	PodTopologyLabels Priority ResourceQuota RuntimeClass SecurityContextDeny ServiceAccount StorageObjectInUseProtection
	TaintNodesByCondition ValidatingAdmissionPolicy ValidatingAdmissionWebhook`

// AddFlags binds the group's fields.
func (a *AdmissionOptions) AddFlags(fs *pflag.FlagSet) {
	fs.StringSliceVar(&a.PluginNames, "admission-control", a.PluginNames, "`names` of the plugins that see every write, in this order; empty for none")
	fs.StringSliceVar(&a.EnablePlugins, "enable-admission-plugins", a.EnablePlugins, "`names` of plugins besides the default of --admission-control")
	fs.StringSliceVar(&a.DisablePlugins, "disable-admission-plugins", a.DisablePlugins, "`names` of plugins to leave out of it")
	fs.StringVar(&a.ConfigFile, "admission-control-config-file", a.ConfigFile, "`file` with the plugins' own configuration")
	IsRefused(fs, "plugins would run without the configuration in it", "admission-control-config-file")
}

// Names returns the chain: what --admission-control names and what is enabled,
// without what is disabled.
func (a *AdmissionOptions) Names() []string {
	names := slices.Clone(a.PluginNames)
	for _, name := range a.EnablePlugins {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	names = slices.DeleteFunc(names, func(name string) bool { return slices.Contains(a.DisablePlugins, name) })
	if len(a.EnablePlugins) > 0 && len(a.RecommendedPluginOrder) > 0 {
		slices.SortStableFunc(names, func(x, y string) int { return a.place(x) - a.place(y) })
	}
	return names
}

func (a *AdmissionOptions) place(name string) int {
	if i := slices.Index(a.RecommendedPluginOrder, name); i >= 0 {
		return i
	}
	return len(a.RecommendedPluginOrder)
}
