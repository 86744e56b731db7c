package app

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"slices"

	stage1 "example.com/kube-apiserver/stage1-main/app"
	stage1options "example.com/kube-apiserver/stage1-main/options"
	stage1server "example.com/kube-apiserver/stage1-main/server"
	stage2 "example.com/kube-apiserver/stage2-options/app"
	stage2master "example.com/kube-apiserver/stage2-options/master"
	"example.com/kube-apiserver/stage2-options/options"
	"example.com/kube-apiserver/stage2-options/options/flagtable"
	stage3 "example.com/kube-apiserver/stage3-storage/app"
	"example.com/kube-apiserver/stage3-storage/kinds"
	"example.com/kube-apiserver/stage3-storage/master"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	stage3server "example.com/kube-apiserver/stage3-storage/server"
	"example.com/kube-apiserver/stage3-storage/wire/discovery"
	"example.com/kube-apiserver/stage3-storage/wire/documents"
	"example.com/kube-apiserver/stage4-informers/cache"
	"example.com/kube-apiserver/stage4-informers/cacher"
	"example.com/kube-apiserver/stage4-informers/client"
	"example.com/kube-apiserver/stage4-informers/controllers"
	"example.com/kube-apiserver/stage4-informers/controllers/bootstrap"
	"example.com/kube-apiserver/stage4-informers/endpoints"
	"example.com/kube-apiserver/stage4-informers/informers"
	"example.com/kube-apiserver/stage4-informers/plugins"
	"example.com/kube-apiserver/stage4-informers/server"
	"example.com/kube-apiserver/stage4-informers/trace"
	"example.com/kube-apiserver/stage4-informers/wire/events"
)

// Run serves until stopCh is closed.
//
// Upstream: cmd/kube-apiserver/app/server.go Run
func Run(runOptions *options.ServerRunOptions, stopCh <-chan struct{}) error {
	runOptions.StopCh = stopCh
	nodeTunneler, proxyTransport, err := stage2.CreateNodeDialer(runOptions) // [A3.2]
	if err != nil {
		return err
	}
	loopback := &client.Client{HTTP: &http.Client{}}
	kubeAPIServerConfig, sharedInformers, insecureServingOptions, err := CreateKubeAPIServerConfig(runOptions, nodeTunneler, proxyTransport, loopback) // [A3.3]
	if err != nil {
		return err
	}
	if runOptions.DryRun {
		return flagtable.WriteConfiguration(runOptions, os.Stdout)
	}
	kubeAPIServer, err := CreateKubeAPIServer(kubeAPIServerConfig, nil, sharedInformers) // [A3.9], [A3.12]
	if err != nil {
		return err
	}
	// stage 5: CreateServerChain, serveSecurely [A4.1]
	// Each stage's server has that of the stage before inside; what opens ports is stage 1's.
	url, err := stage1.ServeInsecurely(insecureServingOptions, kubeAPIServer.GenericAPIServer.GenericAPIServer.GenericAPIServer, kubeAPIServerConfig.Trace.Chain(stage3.Chain))
	if err != nil {
		return err
	}
	kubeAPIServer.GenericAPIServer.On(stage1server.Listening, "first screen", documents.FirstScreen(runOptions, url, tries))
	return kubeAPIServer.GenericAPIServer.PrepareRun().Run(stopCh)
}

// Config is stage 3's with what is alive in this one.
type Config struct {
	*master.Config
	Loopback    *client.Client // the server's client of itself
	Cachers     *cacher.Cachers
	Controllers []controllers.Controller // those that run
	Port        int                      // at which the service "kubernetes" reaches this server
	Trace       *trace.Trace
}

// CreateKubeAPIServerConfig is stage 3's, with informers for those plugins
// that want them, the row of the verb watch, and a cache before every store.
// The informers read through loopback; where its address is not set yet, it
// becomes that of the plain HTTP port. more are controllers of a later stage.
//
// Upstream: cmd/kube-apiserver/app/server.go CreateKubeAPIServerConfig
func CreateKubeAPIServerConfig(s *options.ServerRunOptions, nodeTunneler stage2master.Tunneler, proxyTransport *http.Transport, loopback *client.Client, more ...controllers.Controller) (*Config, *informers.SharedInformerFactory, *stage1options.InsecureServingOptions, error) {
	known := slices.Concat(controllers.Table, more)
	s.KnownControllers = controllers.Names(known)
	if err := plugins.Register(s.Admission.Plugins); err != nil {
		return nil, nil, nil, err
	}
	way := trace.New(s.Startup.Print)
	sharedInformers := informers.NewSharedInformerFactory(func(r catalog.Resource) cache.ListerWatcher {
		return way.ListerWatcher(loopback.ListerWatcher(r, ""))
	}, 0)
	about := kinds.Options{NamespaceFinalizer: "kubernetes"} // stage 3 has nobody who would take it away
	config, insecureServingOptions, err := stage3.CreateKubeAPIServerConfig(s, nodeTunneler, proxyTransport, about, plugins.Wants(sharedInformers, loopback))
	if err != nil || s.DryRun {
		return nil, nil, insecureServingOptions, err
	}
	port := s.SecureServing.BindPort
	if ln, _ := insecureServingOptions.Listen(); ln != nil && loopback.Base == "" {
		loopback.Base = "http://" + ln.Addr().String()
		port = ln.Addr().(*net.TCPAddr).Port
	}
	config.Endpoints.Verbs = append(config.Endpoints.Verbs, untilEnding(endpoints.Watch(events.Asked)))
	cachers := cacher.New(events.UntilBookmark)
	config.RESTOptionsGetter.Decorator = way.Storage(cachers.Decorate)
	return &Config{config, loopback, cachers, controllers.Enabled(known, s.Controllers), port, way}, sharedInformers, insecureServingOptions, nil
}

// Master is stage 3's with hooks.
type Master struct {
	*master.Master
	GenericAPIServer *server.GenericAPIServer
}

// CreateKubeAPIServer makes stage 3's server and registers what has to start
// once it accepts requests. Nothing of it runs yet.
//
// Upstream: cmd/kube-apiserver/app/server.go CreateKubeAPIServer
func CreateKubeAPIServer(kubeAPIServerConfig *Config, delegate *stage3server.GenericAPIServer, sharedInformers *informers.SharedInformerFactory) (*Master, error) {
	inner, err := stage3.CreateKubeAPIServer(kubeAPIServerConfig.Config, delegate)
	if err != nil {
		return nil, err
	}
	done := kubeAPIServerConfig.GenericConfig.Startup.Step("A3.12", "AddPostStartHook")
	kubeAPIServer := &Master{inner, server.New(inner.GenericAPIServer)}
	//step:4.1 the article's hook
	err = kubeAPIServer.GenericAPIServer.AddPostStartHook("start-kube-apiserver-informers", func(context server.PostStartHookContext) error {
		sharedInformers.Start(context.StopCh)
		return nil
	})
	//step:end
	err = errors.Join(err, kubeAPIServer.addControllers(kubeAPIServerConfig, sharedInformers))
	kubeAPIServer.GenericAPIServer.On(stage1server.Stopping, "wait for informers", func(context.Context) error {
		sharedInformers.Shutdown()
		return nil
	})
	kubeAPIServer.GenericAPIServer.On(stage1server.Stopped, "stop caches", func(context.Context) error {
		kubeAPIServerConfig.Cachers.Stop()
		return nil
	})
	kubeAPIServerConfig.Trace.Informers(sharedInformers, discovery.Supporting(kubeAPIServerConfig.Installed, "list", "watch"))
	done("start-kube-apiserver-informers and the controllers: nothing runs before the port is open")
	return kubeAPIServer, err
}

// addControllers adds the hooks that start what runs inside: what every cluster
// needs in any case, and the controllers.
func (m *Master) addControllers(c *Config, sharedInformers *informers.SharedInformerFactory) error {
	boot := &bootstrap.Controller{Client: c.Loopback, ServiceIP: c.APIServerServiceIP, Address: c.PublicAddress, Port: c.Port}
	return errors.Join(
		m.GenericAPIServer.AddPostStartHook("bootstrap-controller", boot.PostStartHook),
		controllers.AddHooks(m.GenericAPIServer, c.Controllers, controllers.Context{Client: c.Loopback, Installed: c.Installed, InformerFactory: sharedInformers}),
	)
}
