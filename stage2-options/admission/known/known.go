package known

import "strings"

// Plugins returns those of 1.7 and of today, in today's order: first who makes
// or guards the namespace, then who fills in and checks the object, last who
// counts what has passed all others. Who disables one that is not here gets
// what they want.
//
// Now: pkg/kubeapiserver/options/plugins.go AllOrderedPlugins
func Plugins() []string { return strings.Fields(plugins) }

const plugins = `AlwaysAdmit NamespaceAutoProvision NamespaceLifecycle NamespaceExists SecurityContextDeny
	LimitPodHardAntiAffinityTopology PodPreset InitialResources LimitRanger ServiceAccount NodeRestriction TaintNodesByCondition
	AlwaysPullImages ImagePolicyWebhook PodSecurityPolicy PodSecurity PodNodeSelector Priority DefaultTolerationSeconds
	PodTolerationRestriction DenyExecOnPrivileged DenyEscalatingExec EventRateLimit ExtendedResourceToleration PersistentVolumeLabel
	DefaultStorageClass StorageObjectInUseProtection OwnerReferencesPermissionEnforcement PersistentVolumeClaimResize RuntimeClass
	CertificateApproval CertificateSigning ClusterTrustBundleAttest CertificateSubjectRestriction DefaultIngressClass
	PodTopologyLabels DenyServiceExternalIPs NodeDeclaredFeatureValidator Initializers MutatingAdmissionPolicy MutatingAdmissionWebhook
	GenericAdmissionWebhook ValidatingAdmissionPolicy ValidatingAdmissionWebhook ResourceQuota AlwaysDeny`
