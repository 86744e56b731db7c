package options

import (
	"net"
	"os"
	"slices"
	"time"

	stage1options "example.com/kube-apiserver/stage1-main/options"
	"example.com/kube-apiserver/stage1-main/startup"
	"example.com/kube-apiserver/stage2-options/admission"
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
	EventTTL                  time.Duration // 0 keeps events for ever
	KubernetesServiceNodePort int           // of the service "kubernetes"; 0 for none
	MasterCount               int           // nobody asks for it after Validate: one process has the file of bbolt
	ServiceClusterIPRange     net.IPNet     // empty until DefaultOptions
	ServiceNodePortRange      PortRange
	SSHKeyfile, SSHUser       string

	Controllers      []string // which run: * for all, -name for all but one; empty for none
	KnownControllers []string // what Controllers may name; nil for any name
	DryRun           bool     // print the configuration instead of serving
	DryRunOutput     string   // table or json

	ServiceIP net.IP          // of the service "kubernetes": DefaultOptions takes the first of the range
	Startup   *startup.Log    // where the steps of the start are written
	StopCh    <-chan struct{} // Run's: who waits during the start waits no longer

	Groups  []FlagGroup    // what AddFlags has added
	Flags   *pflag.FlagSet // where to: knows what the user has set
	Derived []string       // flags for which DefaultOptions has found a value
	Others  OtherFlags     // those that are not bound here; nil for none
}

// NewServerRunOptions returns the default of every flag.
//
// Differs: 16 workers delete a collection, in 1.7 one: deletions that are under
// way together share a commit.
//
// Upstream: cmd/kube-apiserver/app/options/options.go NewServerRunOptions
func NewServerRunOptions() *ServerRunOptions {
	return &ServerRunOptions{
		GenericServerRunOptions: &GenericOptions{MaxRequestsInFlight: 400, MaxMutatingRequestsInFlight: 200, RequestTimeout: time.Minute},
		Etcd: &EtcdOptions{StorageBackend: "bbolt", BBoltFile: "state.db", Prefix: "/registry",
			HistoryAge: 5 * time.Minute, HistoryBytes: 64 << 20, DeleteCollectionWorkers: 16},
		SecureServing:        &SecureServingOptions{BindAddress: net.IPv4(127, 0, 0, 1), BindPort: 6443, CertDirectory: "certs"},
		InsecureServing:      stage1options.NewInsecureServingOptions(),
		Audit:                &AuditOptions{},
		Features:             &FeatureOptions{Profiling: true},
		Authentication:       &AuthenticationOptions{Anonymous: true},
		Authorization:        &AuthorizationOptions{Modes: []string{"AlwaysAllow"}, Known: []string{"AlwaysAllow", "AlwaysDeny", "RBAC"}},
		CloudProvider:        &CloudProviderOptions{},
		StorageSerialization: &StorageSerializationOptions{},
		APIEnablement:        &APIEnablementOptions{RuntimeConfig: map[string]string{}},
		Admission:            &AdmissionOptions{PluginNames: []string{"AlwaysAdmit"}, Plugins: &admission.Plugins{}, NotReadySeconds: 300, UnreachableSeconds: 300},

		EventTTL:             time.Hour,
		MasterCount:          1,
		ServiceNodePortRange: PortRange{Base: 30000, Size: 2768},
		Controllers:          []string{"*"},
		Startup:              startup.New(os.Stderr),
	}
}

// AddFlags binds every field to a flag of fs by its address: parsing fs fills
// s. The groups come in 1.7's order; one of which no flag works has none to add.
//
// Upstream: cmd/kube-apiserver/app/options/options.go AddFlags
func (s *ServerRunOptions) AddFlags(fs *pflag.FlagSet) {
	s.Flags = fs
	none := func(*pflag.FlagSet) {}
	s.AddGroup("generic", s.GenericServerRunOptions.AddFlags)
	s.AddGroup("etcd", s.Etcd.AddFlags)
	s.AddGroup("secure serving", s.SecureServing.AddFlags)
	s.AddGroup("insecure serving", s.InsecureServing.AddFlags)
	s.AddGroup("audit", none)
	s.AddGroup("features", none)
	s.AddGroup("authentication", s.Authentication.AddFlags)
	s.AddGroup("authorization", s.Authorization.AddFlags)
	s.AddGroup("cloud provider", none)
	s.AddGroup("storage serialization", none)
	s.AddGroup("API enablement", none)
	s.AddGroup("admission", s.Admission.AddFlags)
	s.AddGroup("miscellaneous", s.addLooseFlags)
}

func (s *ServerRunOptions) addLooseFlags(fs *pflag.FlagSet) {
	fs.BoolVar(&s.AllowPrivileged, "allow-privileged", s.AllowPrivileged, "let pods ask for privileged containers")
	fs.DurationVar(&s.EventTTL, "event-ttl", s.EventTTL, "how long events are kept; 0 for ever")
	fs.IntVar(&s.MasterCount, "apiserver-count", s.MasterCount, "how many API servers share the store")
	fs.IPNetVar(&s.ServiceClusterIPRange, "service-cluster-ip-range", s.ServiceClusterIPRange, "`CIDR` from which services get their addresses; without one, 10.0.0.0/24")
	fs.StringVar(&s.SSHUser, "ssh-user", s.SSHUser, "`name` under which to open SSH tunnels to nodes; empty for none")
	fs.StringVar(&s.SSHKeyfile, "ssh-keyfile", s.SSHKeyfile, "`file` with the key for these tunnels; made if it is not there")
}

// FlagGroup is a section of --help.
type FlagGroup struct {
	Name  string
	Flags *pflag.FlagSet
}

// AddGroup adds flags that work to a section of --help. A stage that makes
// more of 1.7's flags work than this one adds them before the table of those
// that do not.
func (s *ServerRunOptions) AddGroup(name string, add func(*pflag.FlagSet)) {
	i := slices.IndexFunc(s.Groups, func(g FlagGroup) bool { return g.Name == name })
	if i < 0 {
		i = len(s.Groups)
		s.Groups = append(s.Groups, FlagGroup{name, pflag.NewFlagSet(name, pflag.ContinueOnError)})
	}
	add(s.Groups[i].Flags)
	s.Flags.AddFlagSet(s.Groups[i].Flags)
}

// IsSet tells whether the user has set a flag.
func (s *ServerRunOptions) IsSet(name string) bool { return s.Flags != nil && s.Flags.Changed(name) }

// OtherFlags are those that 1.7's groups do not bind, or that do nothing here:
// package flagtable has them.
type OtherFlags interface {
	Warn()             // says of each harmless one that is set that nothing comes of it
	Validate() []error // is about wrong values, and flags that nobody may believe to work
}
