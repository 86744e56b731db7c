package options

import (
	"fmt"
	"net"
	"time"

	"github.com/spf13/pflag"
)

// The groups of ServerRunOptions, in 1.7's order. AddFlags of a group binds
// those of its fields whose flags work; a later stage or package flagtable
// binds the others.

// GenericOptions are about any API server, whatever it serves.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/options/server_run_options.go ServerRunOptions
type GenericOptions struct {
	AdvertiseAddress                                 net.IP // nil or 0.0.0.0 until DefaultOptions
	CorsAllowedOriginList                            []string
	MaxRequestsInFlight, MaxMutatingRequestsInFlight int // 0 for no limit
	RequestTimeout, ShutdownDelay                    time.Duration
	TargetRAMMB                                      int
}

func (o *GenericOptions) AddFlags(fs *pflag.FlagSet) {
	fs.IPVar(&o.AdvertiseAddress, "advertise-address", o.AdvertiseAddress, "`address` at which others reach this server; without one, that of the default route")
}

// EtcdOptions say where objects are kept. The name is from when that could
// only be etcd.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/options/etcd.go EtcdOptions
type EtcdOptions struct {
	StorageBackend           string // bbolt
	BBoltFile                string
	ServerList               []string // of etcd
	Prefix                   string   // of every key
	HistoryAge               time.Duration
	HistoryBytes             int64
	DeleteCollectionWorkers  int
	DeserializationCacheSize int // 0 until DefaultOptions
}

func (o *EtcdOptions) AddFlags(fs *pflag.FlagSet) {
	fs.StringVar(&o.StorageBackend, "storage-backend", o.StorageBackend, "`engine` that keeps the objects: bbolt")
	fs.StringVar(&o.BBoltFile, "bbolt-file", o.BBoltFile, "`file` in which bbolt keeps them; made if it is not there")
	fs.StringVar(&o.Prefix, "etcd-prefix", o.Prefix, "`path` that every key begins with")
	fs.DurationVar(&o.HistoryAge, "history-age", o.HistoryAge, "how long a watch that broke off can go on where it was")
	fs.Int64Var(&o.HistoryBytes, "history-bytes", o.HistoryBytes, "how many `bytes` of history to keep for that at most")
	fs.IntVar(&o.DeleteCollectionWorkers, "delete-collection-workers", o.DeleteCollectionWorkers, "how many objects of a collection are deleted at a time; 1 keeps the order of their names")
}

// SecureServingOptions say where to serve TLS, and as whom.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/options/serving.go SecureServingOptions
type SecureServingOptions struct {
	BindAddress       net.IP
	BindPort          int    // 0 takes any free port, and the start-up lines say which
	CertDirectory     string // where apiserver.crt and apiserver.key are, or are made
	CertFile, KeyFile string // instead of those in CertDirectory
	SNICertKeys       []NamedCertKey
	MinTLSVersion     uint16   // 0 for the server's own default
	CipherSuites      []uint16 // of TLS up to 1.2; none for Go's own choice
}

// NamedCertKey is a certificate with its key, and the names it is for; without
// names, those that stand in it.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/util/flag/namedcertkey_flag.go NamedCertKey
type NamedCertKey struct {
	CertFile, KeyFile string
	Names             []string
}

func (o *SecureServingOptions) AddFlags(fs *pflag.FlagSet) {
	fs.IPVar(&o.BindAddress, "bind-address", o.BindAddress, "`address` to serve TLS on; 0.0.0.0 for all of this machine")
	fs.IntVar(&o.BindPort, "secure-port", o.BindPort, "`port` to serve TLS on; 0 for any free one")
	fs.StringVar(&o.CertDirectory, "cert-dir", o.CertDirectory, "`folder` of apiserver.crt and apiserver.key; made if they are not there")
	fs.StringVar(&o.CertFile, "tls-cert-file", o.CertFile, "`file` with a certificate to use instead, and those of its authorities")
	fs.StringVar(&o.KeyFile, "tls-private-key-file", o.KeyFile, "`file` with the key of --tls-cert-file")
}

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
type FeatureOptions struct{ Profiling bool }

// AuthenticationOptions say how users are recognised. Every way that is
// configured is tried.
//
// Upstream: pkg/kubeapiserver/options/authentication.go BuiltInAuthenticationOptions
type AuthenticationOptions struct {
	Anonymous     bool   // who is not recognised is system:anonymous, instead of getting 401
	ClientCAFile  string // authorities that sign users' certificates
	TokenAuthFile string // lines of token,user,uid,"group,group"

	ServiceAccountKeyFiles []string // keys that verify the tokens of service accounts; stage 5 has the other fields about them
}

func (o *AuthenticationOptions) AddFlags(fs *pflag.FlagSet) {
	fs.BoolVar(&o.Anonymous, "anonymous-auth", o.Anonymous, "let in who is not recognised, as system:anonymous; not with AlwaysAllow")
	fs.StringVar(&o.ClientCAFile, "client-ca-file", o.ClientCAFile, "`file` with the authorities that sign users' certificates")
	fs.StringVar(&o.TokenAuthFile, "token-auth-file", o.TokenAuthFile, "`file` with lines of token,user,uid,\"group,group\"")
}

// AuthorizationOptions say who decides what a user may do.
//
// Upstream: pkg/kubeapiserver/options/authorization.go BuiltInAuthorizationOptions
type AuthorizationOptions struct {
	Modes      []string // asked in this order until one allows
	Known      []string // modes that this program has
	PolicyFile string   // of mode ABAC
}

func (o *AuthorizationOptions) AddFlags(fs *pflag.FlagSet) {
	fs.StringSliceVar(&o.Modes, "authorization-mode", o.Modes, "`modes` to ask, in this order: AlwaysAllow, AlwaysDeny, RBAC")
}

// CloudProviderOptions name the cloud that the nodes are in.
//
// Upstream: pkg/kubeapiserver/options/cloudprovider.go CloudProviderOptions
type CloudProviderOptions struct{ CloudProvider string }

// StorageSerializationOptions say in which versions objects are kept.
//
// Upstream: pkg/kubeapiserver/options/storage_versions.go StorageSerializationOptions
type StorageSerializationOptions struct{ StorageVersions string }

// APIEnablementOptions switch parts of the API on and off.
//
// Upstream: pkg/kubeapiserver/options/api_enablement.go APIEnablementOptions
type APIEnablementOptions struct{ RuntimeConfig map[string]string }

// PortRange is a range of ports such as 30000-32767, both ends included.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/util/net/port_range.go PortRange
type PortRange struct{ Base, Size int }

// Contains tells whether a port lies in the range.
func (r PortRange) Contains(port int) bool { return port >= r.Base && port-r.Base < r.Size }

func (r PortRange) String() string {
	if r.Size == 0 {
		return ""
	}
	return fmt.Sprintf("%d-%d", r.Base, r.Base+r.Size-1)
}
