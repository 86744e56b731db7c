package app

import (
	"strings"

	stage3server "example.com/kube-apiserver/stage3-storage/server"
	"example.com/kube-apiserver/stage4-informers/app"
	"example.com/kube-apiserver/stage4-informers/informers"
	stage4server "example.com/kube-apiserver/stage4-informers/server"
	"example.com/kube-apiserver/stage5-serve/server"
)

// Aggregator is the outermost server: the only one that is run, and whose
// filters every request meets.
//
// Upstream: staging/src/k8s.io/kube-aggregator/pkg/apiserver/apiserver.go APIAggregator
type Aggregator struct {
	GenericAPIServer *server.GenericAPIServer
}

// CreateServerChain makes the three servers from the inside out. What one has
// no route for, the next one answers.
//
// Upstream: cmd/kube-apiserver/app/server.go Run
// Now: cmd/kube-apiserver/app/server.go CreateServerChain
func CreateServerChain(kubeAPIServerConfig *Config, sharedInformers *informers.SharedInformerFactory) (*Aggregator, error) {
	apiExtensionsServer := createAPIExtensionsServer(kubeAPIServerConfig)
	kubeAPIServer, err := CreateKubeAPIServer(kubeAPIServerConfig, apiExtensionsServer, sharedInformers)
	if err != nil {
		return nil, err
	}
	return createAggregatorServer(kubeAPIServerConfig, kubeAPIServer)
}

// createAPIExtensionsServer makes the innermost server.
//
// Simplified: no custom resources are served here yet, so it has no API.
//
// Upstream: cmd/kube-apiserver/app/apiextensions.go createAPIExtensionsServer
func createAPIExtensionsServer(c *Config) *stage3server.GenericAPIServer {
	generic := c.GenericConfig
	generic.Name = "apiextensions-apiserver"
	return stage3server.New(generic, c.Endpoints, c.Installed, nil)
}

// createAggregatorServer makes the outermost server and gives it the secure port.
//
// Simplified: it proxies to no other API servers yet.
//
// Upstream: cmd/kube-apiserver/app/aggregator.go createAggregatorServer
func createAggregatorServer(c *Config, kubeAPIServer *app.Master) (*Aggregator, error) {
	done := c.GenericConfig.Startup.Step("A4.1", "CreateServerChain")
	generic := c.GenericConfig
	generic.Name = "kube-aggregator"
	outer := stage3server.New(generic, c.Endpoints, c.Installed, kubeAPIServer.GenericAPIServer.GenericAPIServer)
	aggregatorServer := &Aggregator{server.New(stage4server.New(outer), c.SecureServing)}
	aggregatorServer.GenericAPIServer.ShutdownDelayDuration = c.ShutdownDelay
	// Who works inside has stopped by then; a connection that lies idle would hold up the end by a second.
	err := aggregatorServer.GenericAPIServer.AddPreShutdownHook("close-loopback-connections", func() error {
		c.Loopback.HTTP.CloseIdleConnections()
		return nil
	})
	var names []string
	for _, each := range outer.Delegation() {
		names = append(names, each.Name)
	}
	done("%s", strings.Join(names, " → "))
	return aggregatorServer, err
}
