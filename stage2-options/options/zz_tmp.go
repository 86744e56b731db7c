package options

import (
	"errors"
	"io"
	"net"
	"time"

	stage1options "example.com/kube-apiserver/stage1-main/options"
	"example.com/kube-apiserver/stage1-main/startup"
	"example.com/kube-apiserver/stage2-options/admission"
	"github.com/spf13/pflag"
	"os"
)

type PortRange struct{ Base, Size int }
type NamedCertKey struct {
	CertFile, KeyFile string
	Names             []string
}
type GenericOptions struct {
	AdvertiseAddress net.IP
	ExternalHost     string
}
type EtcdOptions struct {
	StorageBackend, BBoltFile, Prefix string
	HistoryAge                        time.Duration
	HistoryBytes                      int64
}
type SecureServingOptions struct {
	BindAddress                         net.IP
	BindPort                            int
	CertDirectory, CertFile, KeyFile    string
	SNICertKeys                         []NamedCertKey
}
type AdmissionOptions struct {
	PluginNames, EnablePlugins, DisablePlugins []string
	Plugins                                    *admission.Plugins
	Known                                      []string
}

func (a *AdmissionOptions) Names() []string { return a.PluginNames }

type AuthenticationOptions struct {
	Anonymous                  bool
	ClientCAFile, TokenAuthFile string
}
type AuthorizationOptions struct{ Modes []string }
type ServerRunOptions struct {
	GenericServerRunOptions *GenericOptions
	Etcd                    *EtcdOptions
	SecureServing           *SecureServingOptions
	InsecureServing         *stage1options.InsecureServingOptions
	Admission               *AdmissionOptions
	Authentication          *AuthenticationOptions
	Authorization           *AuthorizationOptions
	AllowPrivileged         bool
	EventTTL                time.Duration
	MasterCount             int
	ServiceClusterIPRange   net.IPNet
	ServiceNodePortRange    PortRange
	SSHUser                 string
	Controllers             []string
	DryRun                  bool
	DryRunOutput            string
	ServiceIP               net.IP
	Startup                 *startup.Log
}

func NewServerRunOptions() *ServerRunOptions {
	_, n, _ := net.ParseCIDR("10.0.0.0/24")
	return &ServerRunOptions{
		GenericServerRunOptions: &GenericOptions{AdvertiseAddress: net.IPv4(127, 0, 0, 1)},
		Etcd:                    &EtcdOptions{StorageBackend: "bbolt", BBoltFile: "state.db", Prefix: "/registry", HistoryAge: 5 * time.Minute, HistoryBytes: 64 << 20},
		SecureServing:           &SecureServingOptions{BindAddress: net.IPv4(127, 0, 0, 1), BindPort: 6443, CertDirectory: "certs"},
		InsecureServing:         stage1options.NewInsecureServingOptions(),
		Admission:               &AdmissionOptions{PluginNames: []string{"AlwaysAdmit"}, Plugins: &admission.Plugins{}},
		Authentication:          &AuthenticationOptions{Anonymous: true}, Authorization: &AuthorizationOptions{Modes: []string{"AlwaysAllow"}},
		EventTTL: time.Hour, MasterCount: 1, ServiceClusterIPRange: *n, ServiceNodePortRange: PortRange{30000, 2768}, Controllers: []string{"*"},
		ServiceIP: net.IPv4(10, 0, 0, 1), Startup: startup.New(os.Stderr),
	}
}
func (s *ServerRunOptions) AddFlags(fs *pflag.FlagSet) {
	s.InsecureServing.AddFlags(fs)
	fs.StringVar(&s.Etcd.BBoltFile, "bbolt-file", s.Etcd.BBoltFile, "")
	fs.IntVar(&s.SecureServing.BindPort, "secure-port", 6443, "")
	fs.IPVar(&s.SecureServing.BindAddress, "bind-address", s.SecureServing.BindAddress, "")
	fs.StringVar(&s.SecureServing.CertDirectory, "cert-dir", "certs", "")
	fs.StringVar(&s.Authentication.TokenAuthFile, "token-auth-file", "", "")
	fs.StringSliceVar(&s.Authorization.Modes, "authorization-mode", nil, "")
	fs.IPNetVar(&s.ServiceClusterIPRange, "service-cluster-ip-range", s.ServiceClusterIPRange, "")
	fs.BoolVar(&s.AllowPrivileged, "allow-privileged", false, "")
	fs.StringSliceVar(&s.Admission.DisablePlugins, "disable-admission-plugins", nil, "")
	fs.StringSliceVar(&s.Admission.PluginNames, "admission-control", s.Admission.PluginNames, "")
	fs.StringSliceVar(&s.Controllers, "controllers", s.Controllers, "")
	fs.BoolVar(&s.DryRun, "dry-run", false, "")
}
func DefaultOptions(s *ServerRunOptions) error     { return nil }
func (s *ServerRunOptions) Validate() []error      { return nil }
func Aggregate(errs []error) error                 { return errors.Join(errs...) }
func (s *ServerRunOptions) Count() (a, b, c, d int) { return 12, 13, 0, 0 }
func (s *ServerRunOptions) WriteConfiguration(w io.Writer, f string) error { return nil }
