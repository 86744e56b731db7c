package app

import (
	"context"
	"errors"
	"net/http"
	"os"
	"slices"

	stage1 "example.com/kube-apiserver/stage1-main/app"
	stage1options "example.com/kube-apiserver/stage1-main/options"
	"example.com/kube-apiserver/stage1-main/process/filters"
	stage1server "example.com/kube-apiserver/stage1-main/server"
	optionsadmission "example.com/kube-apiserver/stage2-options/admission"
	stage2 "example.com/kube-apiserver/stage2-options/app"
	stage2master "example.com/kube-apiserver/stage2-options/master"
	"example.com/kube-apiserver/stage2-options/options"
	"example.com/kube-apiserver/stage2-options/options/flagtable"
	"example.com/kube-apiserver/stage3-storage/endpoints"
	"example.com/kube-apiserver/stage3-storage/kinds"
	"example.com/kube-apiserver/stage3-storage/kinds/subresources"
	"example.com/kube-apiserver/stage3-storage/kv"
	"example.com/kube-apiserver/stage3-storage/master"
	"example.com/kube-apiserver/stage3-storage/plugins"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/server"
	"example.com/kube-apiserver/stage3-storage/storage"
	"example.com/kube-apiserver/stage3-storage/wire/builtin"
	"example.com/kube-apiserver/stage3-storage/wire/collection"
	"example.com/kube-apiserver/stage3-storage/wire/connect"
	"example.com/kube-apiserver/stage3-storage/wire/documents"
	"example.com/kube-apiserver/stage3-storage/wire/metadata"
	"example.com/kube-apiserver/stage3-storage/wire/negotiation"
	"example.com/kube-apiserver/stage3-storage/wire/requests"
	"example.com/kube-apiserver/stage3-storage/wire/tables"
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
	kubeAPIServerConfig, insecureServingOptions, err := CreateKubeAPIServerConfig(runOptions, nodeTunneler, proxyTransport, kinds.Options{}) // [A3.3]
	if err != nil {
		return err
	}
	if runOptions.DryRun {
		return flagtable.WriteConfiguration(runOptions, os.Stdout)
	}
	kubeAPIServer, err := CreateKubeAPIServer(kubeAPIServerConfig, nil) // [A3.9]
	if err != nil {
		return err
	}
	// stage 4: AddPostStartHook("start-kube-apiserver-informers") [A3.12]
	// stage 5: CreateServerChain, serveSecurely [A4.1]
	url, err := stage1.ServeInsecurely(insecureServingOptions, kubeAPIServer.GenericAPIServer.GenericAPIServer, Chain)
	if err != nil {
		return err
	}
	kubeAPIServer.GenericAPIServer.On(stage1server.Listening, "first screen", documents.FirstScreen(runOptions, url, tries))
	return kubeAPIServer.GenericAPIServer.PrepareRun().Run(stopCh)
}

// Chain is what every request goes through: stage 1's, and who reads from the
// path what it is about.
var Chain = filters.After(stage1.Chain, "panic-recovery", stage1server.Filter{Name: "request-info", Wrap: endpoints.WithRequestInfo})

// CreateKubeAPIServerConfig is stage 2's with the socket opened (who finds the
// port in use must not touch the data) and the tables filled. No store is open
// yet: as in 1.7, that comes with the storages.
func CreateKubeAPIServerConfig(s *options.ServerRunOptions, nodeTunneler stage2master.Tunneler, proxyTransport *http.Transport, about kinds.Options, initializers ...optionsadmission.Initializer) (*master.Config, *stage1options.InsecureServingOptions, error) {
	if err := plugins.Register(s.Admission.Plugins); err != nil { // besides those that stage 2 registers
		return nil, nil, err
	}
	config, insecureServingOptions, err := stage2.CreateKubeAPIServerConfig(s, nodeTunneler, proxyTransport, append(initializers, plugins.Wants(s.Admission))...)
	if err != nil || s.DryRun {
		return &master.Config{Config: config}, insecureServingOptions, err
	}
	if _, err := insecureServingOptions.Listen(); err != nil {
		return nil, nil, err
	}
	core := tables.Core(config, s, about)
	installed := &server.Inventory{}
	getter := &registry.StorageFactory{RESTOptions: registry.RESTOptions{
		Prefix: s.Etcd.Prefix, Admission: config.AdmissionControl, Rules: metadata.Rules{},
	}}
	rows := &negotiation.Tables{Formats: tables.Formats, Views: core.Views, Patches: tables.Patches, Schema: tables.SchemaOf(builtin.Own())}
	return &master.Config{
		Config:            config,
		RESTOptionsGetter: getter,
		OpenBackend:       func(ctx context.Context) (kv.Store, error) { return openBackend(ctx, s) },
		Endpoints: &endpoints.Config{
			Verbs:   slices.Concat(endpoints.Verbs, connect.Verbs, []endpoints.Verb{collection.Verb(s.Etcd.DeleteCollectionWorkers)}),
			Decoder: requests.Decoder{Tables: rows}, Encoder: negotiation.Encoder{Tables: rows}, Others: documents.Version,
		},
		Installed:    installed,
		Kinds:        core.Kinds,
		Subresources: subresources.New(subresources.OptionsOf(getter, installed)),
		Repair:       core.Repair,
	}, insecureServingOptions, nil
}

// CreateKubeAPIServer completes the config and makes the server.
//
// Upstream: cmd/kube-apiserver/app/server.go CreateKubeAPIServer
func CreateKubeAPIServer(kubeAPIServerConfig *master.Config, delegate *server.GenericAPIServer) (*master.Master, error) {
	store, err := kubeAPIServerConfig.OpenBackend(context.Background())
	if err != nil {
		return nil, err
	}
	kubeAPIServerConfig.RESTOptionsGetter.Storage = storage.New(store)
	done := kubeAPIServerConfig.GenericConfig.Startup.Step("A3.9", "CreateKubeAPIServer")
	completed, filled := kubeAPIServerConfig.Complete()
	done("config completed: %d fields filled in", len(filled))
	kubeAPIServer, err := completed.New(delegate, store)
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	documents.Install(kubeAPIServer.GenericAPIServer)
	return kubeAPIServer, nil
}
