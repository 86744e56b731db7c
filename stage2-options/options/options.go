package options

import (
	"net"
	"os"
	"time"

	stage1options "example.com/kube-apiserver/stage1-main/options"
	"example.com/kube-apiserver/stage1-main/startup"
	"github.com/spf13/pflag"
)

// ServerRunOptions is what the command line says: a field for each flag, in
// twelve groups, and what was never put into one.
//
// Upstream: cmd/kube-apiserver/app/options/options.go ServerRunOptions
type ServerRunOptions struct {
	GenericServerRunOptions *GenericOptions
	Etcd                    *EtcdOptions
	SecureServing           *SecureServingOptions
	InsecureServing         *stage1options.InsecureServingOptions
	Audit                   *AuditOptions
	Features                *FeatureOptions
	Authentication          *AuthenticationOptions
	Authorization           *AuthorizationOptions
	CloudProvider           *CloudProviderOptions
	StorageSerialization    *StorageSerializationOptions
	APIEnablement           *APIEnablementOptions
	Admission               *AdmissionOptions

	AllowPrivileged           bool
	EnableLogsHandler         bool
	EventTTL                  time.Duration
	KubeletConfig             KubeletOptions
	KubernetesServiceNodePort int
	MasterCount               int
	MaxConnectionBytesPerSec  int64
	ServiceClusterIPRange     net.IPNet // empty until DefaultOptions
	ServiceNodePortRange      PortRange
	SSHKeyfile                string
	SSHUser                   string
	ProxyClientCertFile       string
	ProxyClientKeyFile        string
	EnableAggregatorRouting   bool

	Controllers      []string // which run: "*" for all, "-name" for all but one; empty for none
	KnownControllers []string // what Controllers may name; nil takes every name
	DryRun           bool     // print the configuration instead of serving
	DryRunOutput     string   // table or json

	ServiceIP net.IP       // of the service "kubernetes": the first of the range
	Startup   *startup.Log // where the steps of the start are written

	flags   *pflag.FlagSet // of AddFlags: knows what the user has set
	derived []string       // flags whose value DefaultOptions has found
}

// NewServerRunOptions returns the defaults.
//
// Upstream: cmd/kube-apiserver/app/options/options.go NewServerRunOptions
func NewServerRunOptions() *ServerRunOptions {
	return &ServerRunOptions{
		GenericServerRunOptions: NewGenericOptions(),
		Etcd:                    NewEtcdOptions(),
		SecureServing:           NewSecureServingOptions(),
		InsecureServing:         stage1options.NewInsecureServingOptions(),
		Audit:                   &AuditOptions{},
		Features:                &FeatureOptions{Profiling: true},
		Authentication:          NewAuthenticationOptions(),
		Authorization:           &AuthorizationOptions{Modes: []string{"AlwaysAllow"}},
		CloudProvider:           &CloudProviderOptions{},
		StorageSerialization:    &StorageSerializationOptions{},
		APIEnablement:           &APIEnablementOptions{RuntimeConfig: ConfigurationMap{}},
		Admission:               NewAdmissionOptions(),

		EnableLogsHandler:    true,
		EventTTL:             time.Hour,
		KubeletConfig:        NewKubeletOptions(),
		MasterCount:          1,
		ServiceNodePortRange: PortRange{Base: 30000, Size: 2768},
		Controllers:          []string{"*"},
		DryRunOutput:         "table",

		Startup: startup.New(os.Stderr),
	}
}

// group is a section of --help.
type group struct {
	name     string
	addFlags func(*pflag.FlagSet)
}

// groups are in the order in which 1.7 adds their flags; the last is not one
// of the twelve.
func (s *ServerRunOptions) groups() []group {
	return []group{
		{"generic", s.GenericServerRunOptions.AddFlags},
		{"etcd", s.Etcd.AddFlags},
		{"secure serving", s.SecureServing.AddFlags},
		{"insecure serving", s.addInsecureServingFlags},
		{"audit", s.Audit.AddFlags},
		{"features", s.Features.AddFlags},
		{"authentication", s.Authentication.AddFlags},
		{"authorization", s.Authorization.AddFlags},
		{"cloud provider", s.CloudProvider.AddFlags},
		{"storage serialization", s.StorageSerialization.AddFlags},
		{"api enablement", s.APIEnablement.AddFlags},
		{"admission", s.Admission.AddFlags},
		{"misc", s.addLooseFlags},
	}
}

// AddFlags binds every field to a flag of fs by its address: parsing fs fills
// s. Each flag is marked with its group, for --help and --dry-run.
//
// Upstream: cmd/kube-apiserver/app/options/options.go AddFlags
func (s *ServerRunOptions) AddFlags(fs *pflag.FlagSet) {
	for _, g := range s.groups() {
		own := pflag.NewFlagSet(g.name, pflag.ContinueOnError)
		g.addFlags(own)
		own.VisitAll(func(f *pflag.Flag) { annotate(f, groupKey, g.name) })
		fs.AddFlagSet(own)
	}
	s.flags = fs
	fs.Usage = func() { os.Stdout.WriteString(s.Usage()) }
}

func (s *ServerRunOptions) addLooseFlags(fs *pflag.FlagSet) {
	fs.DurationVar(&s.EventTTL, "event-ttl", s.EventTTL, "how long events are kept; 0 for ever")
	fs.BoolVar(&s.AllowPrivileged, "allow-privileged", s.AllowPrivileged, "let pods ask for privileged containers")
	fs.IntVar(&s.MasterCount, "apiserver-count", s.MasterCount, "how many API servers share the store")
	fs.IPNetVar(&s.ServiceClusterIPRange, "service-cluster-ip-range", s.ServiceClusterIPRange, "`CIDR` from which services get their addresses; empty for 10.0.0.0/24")
	fs.Var(&s.ServiceNodePortRange, "service-node-port-range", "ports that services of type NodePort and LoadBalancer may have on every node, both ends included")
	fs.StringSliceVar(&s.Controllers, "controllers", s.Controllers, "`names` of the controllers to run inside: * for all, -name for all but one, empty for none")
	fs.BoolVar(&s.DryRun, "dry-run", s.DryRun, "print the configuration with the origin of every value, and exit")
	fs.StringVarP(&s.DryRunOutput, "output", "o", s.DryRunOutput, "`format` of --dry-run: table or json")
	alias(fs, "portal-net", "service-cluster-ip-range")
	alias(fs, "service-node-ports", "service-node-port-range")

	s.KubeletConfig.AddFlags(fs)
	fs.BoolVar(&s.EnableLogsHandler, "enable-logs-handler", s.EnableLogsHandler, "serve the machine's log files under /logs")
	fs.IntVar(&s.KubernetesServiceNodePort, "kubernetes-service-node-port", s.KubernetesServiceNodePort, "port of the service kubernetes on every node; 0 for none")
	fs.Int64Var(&s.MaxConnectionBytesPerSec, "max-connection-bytes-per-sec", s.MaxConnectionBytesPerSec, "how fast a user's connection may be; 0 for no limit")
	fs.StringVar(&s.SSHKeyfile, "ssh-keyfile", s.SSHKeyfile, "private `file` for the tunnels of --ssh-user")
	fs.StringVar(&s.SSHUser, "ssh-user", s.SSHUser, "`name` with which to open SSH tunnels to the nodes")
	fs.StringVar(&s.ProxyClientCertFile, "proxy-client-cert-file", s.ProxyClientCertFile, "certificate `file` that aggregated servers know this server by")
	fs.StringVar(&s.ProxyClientKeyFile, "proxy-client-key-file", s.ProxyClientKeyFile, "key `file` of --proxy-client-cert-file")
	fs.BoolVar(&s.EnableAggregatorRouting, "enable-aggregator-routing", s.EnableAggregatorRouting, "reach aggregated servers at their endpoints, not at their service's address")
	HasNoEffect(fs, "enable-logs-handler", "kubernetes-service-node-port", "max-connection-bytes-per-sec", "ssh-keyfile",
		"proxy-client-cert-file", "proxy-client-key-file", "enable-aggregator-routing")
	IsRefused(fs, "no SSH tunnels are opened, nodes would be reached directly", "ssh-user")
}
