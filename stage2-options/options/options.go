package options

import (
	"net"
	"os"
	"time"

	stage1options "example.com/kube-apiserver/stage1-main/options"
	"example.com/kube-apiserver/stage1-main/startup"
	"github.com/spf13/pflag"
)

// ServerRunOptions is what the command line says: twelve groups of fields, and
// fields that never got a group.
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
	EventTTL                  time.Duration // 0 keeps events for ever
	KubeletConfig             KubeletOptions
	KubernetesServiceNodePort int // of the service "kubernetes"; 0 for none
	MasterCount               int
	MaxConnectionBytesPerSec  int64
	ServiceClusterIPRange     net.IPNet // empty until DefaultOptions
	ServiceNodePortRange      PortRange
	SSHKeyfile, SSHUser       string
	ProxyClientCertFile       string
	ProxyClientKeyFile        string
	EnableAggregatorRouting   bool

	Controllers      []string // which run: * for all, -name for all but one; empty for none
	KnownControllers []string // what Controllers may name; nil for any name
	DryRun           bool     // print the configuration instead of serving
	DryRunOutput     string   // table or json

	ServiceIP net.IP          // of the service "kubernetes": DefaultOptions takes the first of the range
	Startup   *startup.Log    // where the steps of the start are written
	StopCh    <-chan struct{} // Run's: who waits during the start waits no longer

	Inert   Inert          // flags that do nothing here; nil for none
	flags   *pflag.FlagSet // that AddFlags filled: knows what the user has set
	derived []string       // flags for which DefaultOptions has found a value
}

// Inert are flags that are known and do nothing: package flagtable has them.
type Inert interface {
	Warn()             // says of each harmless one that is set that nothing comes of it
	Validate() []error // is about those that nobody may believe to work
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
		Authorization:           NewAuthorizationOptions(),
		CloudProvider:           &CloudProviderOptions{},
		StorageSerialization:    &StorageSerializationOptions{},
		APIEnablement:           &APIEnablementOptions{RuntimeConfig: map[string]string{}},
		Admission:               NewAdmissionOptions(),

		EnableLogsHandler:    true,
		EventTTL:             time.Hour,
		KubeletConfig:        NewKubeletOptions(),
		MasterCount:          1,
		ServiceNodePortRange: PortRange{Base: 30000, Size: 2768},
		Controllers:          []string{"*"},
		DryRunOutput:         "table",
		Startup:              startup.New(os.Stderr),
	}
}

// group is a section of --help.
type group struct {
	name     string
	addFlags func(*pflag.FlagSet)
}

// groups are the twelve, in the order in which 1.7 adds their flags, then the
// loose flags. A group of which no flag works has none to add.
func (s *ServerRunOptions) groups() []group {
	none := func(*pflag.FlagSet) {}
	return []group{
		{"generic", s.GenericServerRunOptions.AddFlags},
		{"etcd", s.Etcd.AddFlags},
		{"secure serving", s.SecureServing.AddFlags},
		{"insecure serving", s.addInsecureServingFlags},
		{"audit", none},
		{"features", none},
		{"authentication", s.Authentication.AddFlags},
		{"authorization", s.Authorization.AddFlags},
		{"cloud provider", none},
		{"storage serialization", none},
		{"API enablement", none},
		{"admission", s.Admission.AddFlags},
		{"miscellaneous", s.addLooseFlags},
	}
}

// AddFlags binds every field to a flag of fs by its address: parsing fs fills
// s. Each flag is told its group, for --help and --dry-run.
//
// Upstream: cmd/kube-apiserver/app/options/options.go AddFlags
func (s *ServerRunOptions) AddFlags(fs *pflag.FlagSet) {
	s.flags = fs
	for _, g := range s.groups() {
		s.AddGroup(g.name, g.addFlags)
	}
}

// AddGroup adds flags that work to a section of --help. A stage that makes
// more of 1.7's flags work than this one adds them before the table of those
// that do not.
func (s *ServerRunOptions) AddGroup(name string, add func(*pflag.FlagSet)) {
	own := pflag.NewFlagSet(name, pflag.ContinueOnError)
	add(own)
	own.VisitAll(func(f *pflag.Flag) {
		if annotation(f, aliasKey) == "" {
			annotate(f, groupKey, name)
		}
	})
	s.flags.AddFlagSet(own)
}

func (s *ServerRunOptions) addLooseFlags(fs *pflag.FlagSet) {
	fs.BoolVar(&s.AllowPrivileged, "allow-privileged", s.AllowPrivileged, "let pods ask for privileged containers")
	fs.DurationVar(&s.EventTTL, "event-ttl", s.EventTTL, "how long events are kept; 0 for ever")
	fs.IntVar(&s.MasterCount, "apiserver-count", s.MasterCount, "how many API servers share the store")
	fs.IPNetVar(&s.ServiceClusterIPRange, "service-cluster-ip-range", s.ServiceClusterIPRange, "`CIDR` from which services get their addresses; without one, 10.0.0.0/24")
	fs.Var(&s.ServiceNodePortRange, "service-node-port-range", "ports, from-to, that services may have on every node")
	fs.StringSliceVar(&s.Controllers, "controllers", s.Controllers, "`names` of controllers to run inside; *,-name for all but one, empty for none")
	fs.BoolVar(&s.DryRun, "dry-run", s.DryRun, "print the configuration, with the origin of each value, and exit")
	fs.StringVarP(&s.DryRunOutput, "output", "o", s.DryRunOutput, "`format` of --dry-run: table or json")
	fs.StringVar(&s.SSHUser, "ssh-user", s.SSHUser, "`name` under which to open SSH tunnels to nodes; empty for none")
	fs.StringVar(&s.SSHKeyfile, "ssh-keyfile", s.SSHKeyfile, "`file` with the key for these tunnels; made if it is not there")
	addAlias(fs, "portal-net", "service-cluster-ip-range")
	addAlias(fs, "service-node-ports", "service-node-port-range")
}
