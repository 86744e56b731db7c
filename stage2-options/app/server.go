package app

import (
	"context"
	"crypto/tls"
	"fmt"
	"net/http"
	"os"

	stage1 "example.com/kube-apiserver/stage1-main/app"
	stage1options "example.com/kube-apiserver/stage1-main/options"
	"example.com/kube-apiserver/stage1-main/process/screen"
	"example.com/kube-apiserver/stage1-main/server"
	"example.com/kube-apiserver/stage2-options/admission"
	"example.com/kube-apiserver/stage2-options/admission/configfile"
	"example.com/kube-apiserver/stage2-options/admission/known"
	"example.com/kube-apiserver/stage2-options/master"
	"example.com/kube-apiserver/stage2-options/options"
	"example.com/kube-apiserver/stage2-options/options/flagtable"
	"example.com/kube-apiserver/stage2-options/tunnel"
)

// Run serves until stopCh is closed.
//
// Upstream: cmd/kube-apiserver/app/server.go Run
func Run(runOptions *options.ServerRunOptions, stopCh <-chan struct{}) error {
	runOptions.StopCh = stopCh
	nodeTunneler, proxyTransport, err := CreateNodeDialer(runOptions) // [A3.2]
	if err != nil {
		return err
	}
	kubeAPIServerConfig, insecureServingOptions, err := CreateKubeAPIServerConfig(runOptions, nodeTunneler, proxyTransport) // [A3.3]
	if err != nil {
		return err
	}
	if runOptions.DryRun {
		return flagtable.WriteConfiguration(runOptions, os.Stdout)
	}
	// stage 3: CreateKubeAPIServer [A3.9]
	genericAPIServer := server.New(kubeAPIServerConfig.GenericConfig, nil)
	// stage 4: AddPostStartHook("start-kube-apiserver-informers") [A3.12]
	// stage 5: CreateServerChain, serveSecurely [A4.1]
	if nodeTunneler != nil {
		noNodes := func(context.Context) ([]string, error) { return nil, nil } // before there is storage
		master.InstallTunneler(genericAPIServer, nodeTunneler, noNodes)
	}
	url, err := stage1.ServeInsecurely(insecureServingOptions, genericAPIServer, stage1.Chain)
	if err != nil {
		return err
	}
	genericAPIServer.On(server.Listening, "first screen", screen.Lines(runOptions.Startup,
		"serving "+url+"    nothing is kept    Ctrl-C stops",
		"  what was configured:  make stage2 ARGS=--dry-run",
		"  all errors at once:   make stage2 ARGS=\"--insecure-port=-1 --apiserver-count=0\"",
		"  not here yet: storage (3), watch (4), TLS (5)",
	))
	return genericAPIServer.PrepareRun().Run(stopCh)
}

// CreateNodeDialer decides how nodes are reached. --ssh-user alone decides on
// tunnels, which the server opens once it runs; the transport is always made.
//
// Upstream: cmd/kube-apiserver/app/server.go CreateNodeDialer
func CreateNodeDialer(s *options.ServerRunOptions) (nodeTunneler master.Tunneler, proxyTransport *http.Transport, err error) {
	done := s.Startup.Step("A3.2", "CreateNodeDialer")
	proxyTransport = &http.Transport{
		// Kubelets and pods show certificates that nobody signed for us, as in 1.7.
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
	}
	if s.SSHUser == "" {
		done("no --ssh-user: direct")
		return nil, proxyTransport, nil
	}
	nodeTunneler = tunnel.New(s.SSHUser, s.SSHKeyfile, nil)
	proxyTransport.DialContext = nodeTunneler.Dial
	done("SSH tunnels as %s", s.SSHUser)
	return nodeTunneler, proxyTransport, nil
}

// CreateKubeAPIServerConfig makes the configuration of what the user asked
// for: plugins registered, gaps filled, everything checked, the chain made, the
// backend looked at. initializers give plugins what they want, from stage 4 on.
//
// Upstream: cmd/kube-apiserver/app/server.go CreateKubeAPIServerConfig
func CreateKubeAPIServerConfig(s *options.ServerRunOptions, nodeTunneler master.Tunneler, proxyTransport *http.Transport, initializers ...admission.Initializer) (*master.Config, *stage1options.InsecureServingOptions, error) {
	if err := RegisterAllAdmissionPlugins(s.Admission.Plugins); err != nil {
		return nil, nil, err
	}
	done := s.Startup.Step("A3.5", "defaultOptions")
	if err := options.DefaultOptions(s); err != nil {
		return nil, nil, err
	}
	done("%s (try --dry-run)", flagtable.Summary(s))

	done = s.Startup.Step("A3.6", "Validate")
	if err := options.Aggregate(s.Validate()); err != nil {
		return nil, nil, err
	}
	done("no errors")

	chain, err := buildAdmission(s, initializers)
	if err != nil {
		return nil, nil, err
	}
	if !s.DryRun {
		if err := Preflight(s); err != nil {
			return nil, nil, err
		}
	}
	return newConfig(s, chain, nodeTunneler, proxyTransport), s.InsecureServing, nil
}

// RegisterAllAdmissionPlugins fills the registry. Later stages have more to register.
//
// Upstream: cmd/kube-apiserver/app/plugins.go registerAllAdmissionPlugins
func RegisterAllAdmissionPlugins(plugins *admission.Plugins) error {
	plugins.Known = known.Plugins()
	return plugins.Register("AlwaysAdmit", configfile.Unconfigured(func() admission.Interface { return admission.AlwaysAdmit{} }))
}

func buildAdmission(s *options.ServerRunOptions, initializers []admission.Initializer) ([]admission.Interface, error) {
	done := s.Startup.Step("A3.4", "admission")
	names := flagtable.PluginNames(s.Admission)
	configuration, err := configfile.Read(s.Admission.ConfigFile)
	if err != nil {
		return nil, fmt.Errorf("--admission-control-config-file=%s: %w", s.Admission.ConfigFile, err)
	}
	chain, err := s.Admission.Plugins.NewFromPlugins(names, configuration, initializers...)
	if err != nil {
		return nil, fmt.Errorf("--admission-control: %w", err)
	}
	done("%s", flagtable.ChainSummary(names))
	return chain, nil
}

func newConfig(s *options.ServerRunOptions, chain []admission.Interface, nodeTunneler master.Tunneler, proxyTransport *http.Transport) *master.Config {
	done := s.Startup.Step("A3.8", "master.Config")
	config := &master.Config{
		GenericConfig:        stage1.GenericConfig(s.Startup),
		AdmissionControl:     chain,
		ServiceIPRange:       s.ServiceClusterIPRange,
		APIServerServiceIP:   s.ServiceIP,
		ServiceNodePortRange: s.ServiceNodePortRange,
		PublicAddress:        s.GenericServerRunOptions.AdvertiseAddress,
		EventTTL:             s.EventTTL,
		Tunneler:             nodeTunneler,
		ProxyTransport:       proxyTransport,
	}
	done("services %s, advertised as %s", config.ServiceIPRange.String(), config.PublicAddress)
	return config
}
