package app

import (
	"example.com/kube-apiserver/stage1-main/options"
	"example.com/kube-apiserver/stage1-main/process/drain"
	"example.com/kube-apiserver/stage1-main/process/filters"
	"example.com/kube-apiserver/stage1-main/process/logs"
	"example.com/kube-apiserver/stage1-main/process/routes"
	"example.com/kube-apiserver/stage1-main/process/screen"
	"example.com/kube-apiserver/stage1-main/process/version"
	"example.com/kube-apiserver/stage1-main/server"
	"example.com/kube-apiserver/stage1-main/startup"
)

// Run serves until stopCh is closed.
//
// Upstream: cmd/kube-apiserver/app/server.go Run
func Run(s *options.ServerRunOptions, stopCh <-chan struct{}) error {
	logs.V(1).Infof("Version: %s", version.Get().GitVersion) // the first line of every log
	// stage 2: CreateNodeDialer [A3.2]
	// stage 2: CreateKubeAPIServerConfig [A3.3]
	// stage 3: CreateKubeAPIServer [A3.9]
	genericAPIServer, err := CreateGenericAPIServer(s)
	if err != nil {
		return err
	}
	// stage 4: AddPostStartHook("start-kube-apiserver-informers") [A3.12]
	// stage 5: CreateServerChain, serveSecurely [A4.1]
	return genericAPIServer.PrepareRun().Run(stopCh)
}

// Chain is what every request goes through in stage 1; later stages put more behind it.
var Chain = server.Chain{filters.PanicRecovery}

// CreateGenericAPIServer makes a server that knows nothing but itself.
func CreateGenericAPIServer(s *options.ServerRunOptions) (*server.GenericAPIServer, error) {
	if errs := s.InsecureServing.Validate(); len(errs) > 0 {
		return nil, errs[0]
	}
	done := s.Startup.Step("A3.1", "GenericAPIServer")
	genericAPIServer := server.New(GenericConfig(s.Startup), nil)
	url, err := ServeInsecurely(s.InsecureServing, genericAPIServer, Chain)
	if err != nil {
		return nil, err
	}
	genericAPIServer.On(server.Listening, "first screen", screen.First(s.Startup, url))
	done("chain: %s", Chain)
	return genericAPIServer, nil
}

// GenericConfig is the part of the configuration that every server has.
func GenericConfig(log *startup.Log) server.Config {
	return server.Config{Name: "kube-apiserver", Startup: log, Install: routes.Install, Drain: drain.Attach}
}

// ServeInsecurely lets a server accept plain HTTP, if a port is asked for, and
// returns where that is.
//
// Upstream: pkg/kubeapiserver/server/insecure_handler.go NonBlockingRun
func ServeInsecurely(o *options.InsecureServingOptions, to *server.GenericAPIServer, chain server.Chain) (url string, err error) {
	ln, err := o.Listen()
	if err != nil || ln == nil {
		return "", err
	}
	to.AddEndpoint("http", ln, chain)
	return "http://" + ln.Addr().String(), nil
}
