package app

import (
	"context"
	"errors"
	"slices"

	stage3server "example.com/kube-apiserver/stage3-storage/server"
	"example.com/kube-apiserver/stage4-informers/client"
	"example.com/kube-apiserver/stage4-informers/controllers/bootstrap"
	"example.com/kube-apiserver/stage4-informers/controllers/garbagecollector"
	"example.com/kube-apiserver/stage4-informers/controllers/namespace"
	"example.com/kube-apiserver/stage4-informers/controllers/replication"
	"example.com/kube-apiserver/stage4-informers/controllers/resourcequota"
	"example.com/kube-apiserver/stage4-informers/controllers/serviceaccount"
	"example.com/kube-apiserver/stage4-informers/informers"
	"example.com/kube-apiserver/stage4-informers/server"
)

// Controller is a row of what may run inside. A controller watches the API
// through informers and acts through the API, as one in a program of its own
// would; upstream has them in kube-controller-manager.
type Controller struct {
	Name string // what --controllers calls it
	// Init asks for informers. What it returns works until its context ends,
	// from when the informers have been started.
	Init func(ControllerContext) (run func(context.Context))
}

// ControllerContext is what a controller works with.
//
// Upstream: cmd/kube-controller-manager/app/controllermanager.go ControllerContext
type ControllerContext struct {
	Client          *client.Client // the server's client of itself
	Installed       *stage3server.Inventory
	InformerFactory *informers.SharedInformerFactory
}

// controllers are those of this stage.
//
// Upstream: cmd/kube-controller-manager/app/controllermanager.go NewControllerInitializers
var controllers = []Controller{
	{"garbagecollector", func(c ControllerContext) func(context.Context) {
		return garbagecollector.New(c.Client, c.Installed).Run
	}},
	{"namespace", func(c ControllerContext) func(context.Context) {
		return namespace.New(c.Client, c.Installed, c.InformerFactory).Run
	}},
	{"replicationcontroller", func(c ControllerContext) func(context.Context) {
		return replication.New(c.Client, c.InformerFactory).Run
	}},
	{"resourcequota", func(c ControllerContext) func(context.Context) {
		return resourcequota.New(c.Client, c.Installed, c.InformerFactory).Run
	}},
	{"serviceaccount", func(c ControllerContext) func(context.Context) {
		return serviceaccount.New(c.Client, c.InformerFactory).Run
	}},
}

// names are what --controllers may say.
func names(rows []Controller) []string {
	list := make([]string, len(rows))
	for i, row := range rows {
		list[i] = row.Name
	}
	return list
}

// enabled keeps the rows that --controllers asks for: names, "*" for all,
// "-name" for all but this one.
//
// Upstream: cmd/kube-controller-manager/app/controllermanager.go IsControllerEnabled
func enabled(rows []Controller, list []string) []Controller {
	return slices.DeleteFunc(slices.Clone(rows), func(row Controller) bool {
		wanted := slices.Contains(list, row.Name) || slices.Contains(list, "*")
		return !wanted || slices.Contains(list, "-"+row.Name)
	})
}

// addControllers registers the hooks that start what runs inside: what every
// cluster needs in any case, and the controllers.
func addControllers(c *Config, s *server.GenericAPIServer, sharedInformers *informers.SharedInformerFactory) error {
	boot := &bootstrap.Controller{
		Client: c.Loopback, ServiceIP: c.APIServerServiceIP, Address: c.PublicAddress, PortName: "https", Port: c.Port, Namespaces: bootstrap.SystemNamespaces,
	}
	err := s.AddPostStartHook("bootstrap-controller", func(context server.PostStartHookContext) error {
		return boot.Start(context.Go, context.StopCh)
	})
	for _, row := range c.Controllers {
		run := row.Init(ControllerContext{c.Loopback, c.Installed, sharedInformers})
		err = errors.Join(err, s.AddPostStartHook("start-"+row.Name+"-controller", func(context server.PostStartHookContext) error {
			context.Go(run)
			return nil
		}))
	}
	return err
}
