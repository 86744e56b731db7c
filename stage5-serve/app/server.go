package app

import (
	"context"
	"fmt"
	"os"

	stage1 "example.com/kube-apiserver/stage1-main/app"
	stage1server "example.com/kube-apiserver/stage1-main/server"
	stage2 "example.com/kube-apiserver/stage2-options/app"
	"example.com/kube-apiserver/stage2-options/options/flagtable"
	"example.com/kube-apiserver/stage3-storage/wire/documents"
	"example.com/kube-apiserver/stage5-serve/flags"
)

// Run serves until stopCh is closed.
//
// Differs: CreateKubeAPIServerConfig returns no versionedInformers, because sharedInformers have the only form that an object has here.
// Simplified: and no serviceResolver, which finds the address of another API server behind a service; none is proxied to yet.
//
// Upstream: cmd/kube-apiserver/app/server.go Run
func Run(runOptions *flags.ServerRunOptions, stopCh <-chan struct{}) error {
	runOptions.StopCh = stopCh
	nodeTunneler, proxyTransport, err := stage2.CreateNodeDialer(runOptions.ServerRunOptions) // [A3.2]
	if err != nil {
		return err
	}
	kubeAPIServerConfig, sharedInformers, insecureServingOptions, err := CreateKubeAPIServerConfig(runOptions, nodeTunneler, proxyTransport) // [A3.3]
	if err != nil {
		return err
	}
	if runOptions.DryRun {
		return flagtable.WriteConfiguration(runOptions.ServerRunOptions, os.Stdout)
	}
	aggregatorServer, err := CreateServerChain(kubeAPIServerConfig, sharedInformers) // [A3.9], [A3.12], [A4.1]
	if err != nil {
		return err
	}
	plain := aggregatorServer.GenericAPIServer.GenericAPIServer.GenericAPIServer.GenericAPIServer // stage 1's
	if _, err := stage1.ServeInsecurely(insecureServingOptions, plain, kubeAPIServerConfig.InsecureChain); err != nil {
		return err
	}
	plain.On(stage1server.Listening, "first screen", firstScreen(runOptions, kubeAPIServerConfig, aggregatorServer))
	return aggregatorServer.GenericAPIServer.PrepareRun().Run(stopCh)
}

// firstScreen prints where the server is and what to try.
func firstScreen(s *flags.ServerRunOptions, c *Config, a *Aggregator) func(context.Context) error {
	return func(context.Context) error {
		s.Startup.Print(
			fmt.Sprintf("serving https://%s    data kept in %s (FRESH=1 starts empty)    Ctrl-C stops", a.GenericAPIServer.SecureServingInfo.Listener.Addr(), s.Etcd.BBoltFile),
			"  second terminal:  "+documents.Export(c.Kubeconfig),
			"                    kubectl create configmap hello --from-literal=k=v && kubectl get configmap hello",
			"                    kubectl get namespaces",
			"  not here yet: deployments and other named groups, custom resources",
		)
		return nil
	}
}

// NewServerRunOptions are stage 2's with the defaults of a server that one may
// leave running: no plain HTTP, RBAC, and today's default plugins.
//
// Upstream: cmd/kube-apiserver/app/options/options.go NewServerRunOptions
func NewServerRunOptions() *flags.ServerRunOptions {
	s := flags.NewServerRunOptions()
	s.InsecureServing.BindPort = 0
	s.Authorization.Modes = []string{"RBAC"}
	s.Authorization.Known = append(s.Authorization.Known, "ABAC")
	s.Admission.PluginNames = []string{
		"NamespaceLifecycle", "LimitRanger", "ServiceAccount", "TaintNodesByCondition", "PodSecurity", "Priority",
		"DefaultTolerationSeconds", "StorageObjectInUseProtection", "PersistentVolumeClaimResize", "RuntimeClass",
		"PodTopologyLabels", "ResourceQuota",
	}
	return s
}
