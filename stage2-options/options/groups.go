package options

import "time"

// The groups of which no flag works yet. Package flagtable binds their fields.

// AuditOptions say what to write down about requests.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/options/audit.go AuditOptions
type AuditOptions struct {
	PolicyFile, LogPath           string
	MaxAge, MaxBackups, MaxSizeMB int // of files that are full; 0 for no limit, and for 100 MB
	Compress                      bool
}

// FeatureOptions switch single abilities.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/options/feature.go FeatureOptions
type FeatureOptions struct {
	Profiling, ContentionProfiling, EnableSwaggerUI bool
}

// CloudProviderOptions name the cloud that the nodes are in.
//
// Upstream: pkg/kubeapiserver/options/cloudprovider.go CloudProviderOptions
type CloudProviderOptions struct {
	CloudProvider, CloudConfigFile string
}

// StorageSerializationOptions say in which versions objects are kept.
//
// Upstream: pkg/kubeapiserver/options/storage_versions.go StorageSerializationOptions
type StorageSerializationOptions struct {
	StorageVersions string
}

// APIEnablementOptions switch parts of the API on and off.
//
// Upstream: pkg/kubeapiserver/options/api_enablement.go APIEnablementOptions
type APIEnablementOptions struct {
	RuntimeConfig map[string]string
}

// KubeletOptions say how to reach kubelets, for logs and exec.
//
// Upstream: pkg/kubelet/client/kubelet_client.go KubeletClientConfig
type KubeletOptions struct {
	Port                      uint
	EnableHTTPS               bool
	PreferredAddressTypes     []string
	Timeout                   time.Duration
	CertFile, KeyFile, CAFile string
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
