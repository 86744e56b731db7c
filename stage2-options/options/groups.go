package options

import (
	"time"

	"github.com/spf13/pflag"
)

// AuthorizationOptions say how it is decided what a user may do.
//
// Upstream: pkg/kubeapiserver/options/authorization.go BuiltInAuthorizationOptions
type AuthorizationOptions struct {
	Modes      []string // asked in this order; the first one that allows, allows
	PolicyFile string
}

// AddFlags binds the group's fields.
func (o *AuthorizationOptions) AddFlags(fs *pflag.FlagSet) {
	fs.StringSliceVar(&o.Modes, "authorization-mode", o.Modes, "`modes` to ask in this order: AlwaysAllow, AlwaysDeny, RBAC")
	fs.StringVar(&o.PolicyFile, "authorization-policy-file", o.PolicyFile, "`file` with the rules of mode ABAC")
	IsRefused(fs, "there is no mode ABAC, its rules would not be asked", "authorization-policy-file")
}

// AuditOptions say what to write down about requests.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/options/audit.go AuditOptions
type AuditOptions struct {
	PolicyFile, LogPath string
}

// AddFlags binds the group's fields.
func (o *AuditOptions) AddFlags(fs *pflag.FlagSet) {
	fs.StringVar(&o.PolicyFile, "audit-policy-file", o.PolicyFile, "`file` with what to write down")
	fs.StringVar(&o.LogPath, "audit-log-path", o.LogPath, "`file` to write it to; - for stdout")
	IsRefused(fs, "no audit log would be written", "audit-policy-file", "audit-log-path")
}

// FeatureOptions switch single abilities.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/options/feature.go FeatureOptions
type FeatureOptions struct {
	Profiling, ContentionProfiling, EnableSwaggerUI bool
}

// AddFlags binds the group's fields.
func (o *FeatureOptions) AddFlags(fs *pflag.FlagSet) {
	fs.BoolVar(&o.Profiling, "profiling", o.Profiling, "serve profiles under /debug/pprof")
	fs.BoolVar(&o.ContentionProfiling, "contention-profiling", o.ContentionProfiling, "include waiting for locks")
	fs.BoolVar(&o.EnableSwaggerUI, "enable-swagger-ui", o.EnableSwaggerUI, "serve pages about the API under /swagger-ui")
	HasNoEffect(fs, "profiling", "contention-profiling", "enable-swagger-ui")
}

// CloudProviderOptions name the cloud that the nodes are in.
//
// Upstream: pkg/kubeapiserver/options/cloudprovider.go CloudProviderOptions
type CloudProviderOptions struct {
	CloudProvider, CloudConfigFile string
}

// AddFlags binds the group's fields.
func (o *CloudProviderOptions) AddFlags(fs *pflag.FlagSet) {
	fs.StringVar(&o.CloudProvider, "cloud-provider", o.CloudProvider, "`name` of the cloud that the nodes are in")
	fs.StringVar(&o.CloudConfigFile, "cloud-config", o.CloudConfigFile, "`file` with its configuration")
	HasNoEffect(fs, "cloud-provider", "cloud-config")
}

// StorageSerializationOptions say in which versions objects are kept.
//
// Upstream: pkg/kubeapiserver/options/storage_versions.go StorageSerializationOptions
type StorageSerializationOptions struct {
	StorageVersions string
}

// AddFlags binds the group's fields.
func (o *StorageSerializationOptions) AddFlags(fs *pflag.FlagSet) {
	fs.StringVar(&o.StorageVersions, "storage-versions", o.StorageVersions, "`group/versions` in which objects are kept; here each kind has one")
	HasNoEffect(fs, "storage-versions")
}

// APIEnablementOptions switch parts of the API on and off.
//
// Upstream: pkg/kubeapiserver/options/api_enablement.go APIEnablementOptions
type APIEnablementOptions struct {
	RuntimeConfig ConfigurationMap
}

// AddFlags binds the group's fields.
func (o *APIEnablementOptions) AddFlags(fs *pflag.FlagSet) {
	fs.Var(o.RuntimeConfig, "runtime-config", "`group/version=true` of parts to serve; all are served, none can be switched off yet")
	HasNoEffect(fs, "runtime-config")
}

// KubeletOptions say how to reach the kubelets, for logs and exec.
//
// Upstream: pkg/kubelet/client/kubelet_client.go KubeletClientConfig
type KubeletOptions struct {
	Port                  uint
	EnableHTTPS           bool
	PreferredAddressTypes []string
	Timeout               time.Duration
	CertFile, KeyFile     string
	CAFile                string
}

// NewKubeletOptions returns 1.7's defaults.
func NewKubeletOptions() KubeletOptions {
	return KubeletOptions{
		Port:                  10250,
		EnableHTTPS:           true,
		PreferredAddressTypes: []string{"Hostname", "InternalDNS", "InternalIP", "ExternalDNS", "ExternalIP"},
		Timeout:               5 * time.Second,
	}
}

// AddFlags binds the fields.
func (o *KubeletOptions) AddFlags(fs *pflag.FlagSet) {
	fs.UintVar(&o.Port, "kubelet-port", o.Port, "`port` of kubelets whose nodes do not tell")
	fs.BoolVar(&o.EnableHTTPS, "kubelet-https", o.EnableHTTPS, "speak TLS to kubelets")
	fs.StringSliceVar(&o.PreferredAddressTypes, "kubelet-preferred-address-types", o.PreferredAddressTypes, "`types` of node address to try, in this order")
	fs.DurationVar(&o.Timeout, "kubelet-timeout", o.Timeout, "how long to wait for a kubelet")
	fs.StringVar(&o.CertFile, "kubelet-client-certificate", o.CertFile, "certificate `file` that kubelets know this server by")
	fs.StringVar(&o.KeyFile, "kubelet-client-key", o.KeyFile, "key `file` of --kubelet-client-certificate")
	fs.StringVar(&o.CAFile, "kubelet-certificate-authority", o.CAFile, "`file` with the authorities that sign kubelets' certificates")
	HasNoEffect(fs, "kubelet-port", "kubelet-https", "kubelet-preferred-address-types", "kubelet-timeout", "kubelet-client-certificate", "kubelet-client-key")
	IsRefused(fs, "kubelets' certificates would not be checked", "kubelet-certificate-authority")
	fs.Lookup("kubelet-port").Hidden = true
}
