package controllers

import (
	"context"
	"errors"
	"slices"

	stage3 "example.com/kube-apiserver/stage3-storage/server"
	"example.com/kube-apiserver/stage4-informers/client"
	"example.com/kube-apiserver/stage4-informers/controllers/garbagecollector"
	"example.com/kube-apiserver/stage4-informers/controllers/namespace"
	"example.com/kube-apiserver/stage4-informers/controllers/replication"
	"example.com/kube-apiserver/stage4-informers/controllers/resourcequota"
	"example.com/kube-apiserver/stage4-informers/controllers/serviceaccount"
	"example.com/kube-apiserver/stage4-informers/informers"
	"example.com/kube-apiserver/stage4-informers/server"
)

// Controller is a row of the table.
type Controller struct {
	Name string // what --controllers calls it
	// Init asks for informers. What it returns works until its context ends,
	// from when the informers have been started.
	Init func(Context) (run func(context.Context))
}

// Context is what a controller works with.
//
// Upstream: cmd/kube-controller-manager/app/controllermanager.go ControllerContext
type Context struct {
	Client          *client.Client // the server's client of itself
	Installed       *stage3.Inventory
	InformerFactory *informers.SharedInformerFactory
}

// Table is that of this stage.
var Table = []Controller{
	{"garbagecollector", func(c Context) func(context.Context) {
		return garbagecollector.New(c.Client, c.Installed).Run
	}},
	{"namespace", func(c Context) func(context.Context) {
		return namespace.New(c.Client, c.Installed, c.InformerFactory).Run
	}},
	{"replicationcontroller", func(c Context) func(context.Context) {
		return replication.New(c.Client, c.InformerFactory).Run
	}},
	{"resourcequota", func(c Context) func(context.Context) {
		return resourcequota.New(c.Client, c.Installed, c.InformerFactory).Run
	}},
	{"serviceaccount", func(c Context) func(context.Context) {
		return serviceaccount.New(c.Client, c.InformerFactory).Run
	}},
}

// Names are what --controllers may say.
func Names(rows []Controller) []string {
	list := make([]string, len(rows))
	for i, row := range rows {
		list[i] = row.Name
	}
	return list
}

// Enabled keeps the rows that --controllers asks for: names, "*" for all,
// "-name" for all but this one.
//
// Upstream: cmd/kube-controller-manager/app/controllermanager.go IsControllerEnabled
func Enabled(rows []Controller, list []string) []Controller {
	return slices.DeleteFunc(slices.Clone(rows), func(row Controller) bool {
		wanted := slices.Contains(list, row.Name) || slices.Contains(list, "*")
		return !wanted || slices.Contains(list, "-"+row.Name)
	})
}

// AddHooks registers for each row the hook that starts it.
//
// Upstream: cmd/kube-controller-manager/app/controllermanager.go StartControllers
func AddHooks(s *server.GenericAPIServer, rows []Controller, c Context) error {
	var errs []error
	for _, row := range rows {
		run := row.Init(c)
		errs = append(errs, s.AddPostStartHook("start-"+row.Name+"-controller", func(context server.PostStartHookContext) error {
			context.Go(run)
			return nil
		}))
	}
	return errors.Join(errs...)
}
