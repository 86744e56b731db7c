package app

import (
	"context"
	"errors"
	"net"
	"strconv"

	stage1server "example.com/kube-apiserver/stage1-main/server"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	stage3server "example.com/kube-apiserver/stage3-storage/server"
	"example.com/kube-apiserver/stage3-storage/wire/builtin"
	"example.com/kube-apiserver/stage3-storage/wire/negotiation"
	"example.com/kube-apiserver/stage3-storage/wire/tables"
	stage4 "example.com/kube-apiserver/stage4-informers/app"
	"example.com/kube-apiserver/stage4-informers/controllers"
	"example.com/kube-apiserver/stage4-informers/informers"
	stage4server "example.com/kube-apiserver/stage4-informers/server"
	"example.com/kube-apiserver/stage5-serve/groups"
	"example.com/kube-apiserver/stage5-serve/groups/events"
	"example.com/kube-apiserver/stage5-serve/groups/rbac"
	"example.com/kube-apiserver/stage5-serve/groups/reviews"
	"example.com/kube-apiserver/stage5-serve/groups/types"
)

// ownControllers are those of this stage, besides stage 4's.
var ownControllers = []controllers.Controller{
	{Name: "clusterrole-aggregation", Init: func(c controllers.Context) func(context.Context) {
		return rbac.NewAggregation(c.Client, c.InformerFactory).Run
	}},
}

// addGroups makes the table of named groups, and tells the endpoints of their
// kinds. Its order is that of the groups' priority in discovery.
func (c *Config) addGroups() {
	known, core := builtin.New(types.Groups...), groups.Core{Installed: c.Installed}
	event, _ := known.Kind("v1", "Event")
	c.Groups = &groups.Table{Known: known, Groups: []groups.Group{
		events.Group(func() rest.Storage { return core.Storage("events") }, event),
		reviews.Authentication(c.Identity.Tokens, c.Identity.Accounts.Audiences),
		reviews.Authorization(c.Identity.Permissions, c.Identity.Permissions),
		rbac.Group(c.Identity.Guard),
	}}
	c.Identity.Accounts.Lookup = core.Get
	rows := negotiation.TablesOf(c.Endpoints)
	rows.Formats, rows.Views, rows.Schema = tables.FormatsOf(c.Groups.Known), c.Groups.Views(rows.Views), tables.SchemaOf(c.Groups.Known)
	if c.Audit != nil {
		c.Audit.Formats = rows.Formats
	}
	c.Subresources.Token = func(accounts, _, _ *registry.Store) rest.Storage {
		return reviews.TokenRequest{Accounts: accounts, Schema: rows.Schema("authentication.k8s.io/v1", "TokenRequest"), Tokens: c.Identity.Accounts}
	}
}

// CreateKubeAPIServer is stage 4's with the named groups.
//
// Upstream: cmd/kube-apiserver/app/server.go CreateKubeAPIServer
func CreateKubeAPIServer(c *Config, delegate *stage3server.GenericAPIServer, sharedInformers *informers.SharedInformerFactory) (*stage4.Master, error) {
	kubeAPIServer, err := stage4.CreateKubeAPIServer(c.Config, delegate, sharedInformers)
	if err != nil {
		return nil, err
	}
	server := kubeAPIServer.GenericAPIServer
	c.installDiagnostics(server.GenericAPIServer)
	server.On(stage1server.Stopped, "close connections to nodes", func(context.Context) error { c.Pipes.Close(); return nil })
	done := c.GenericConfig.Startup.Step("A3.10", "InstallAPIs")
	host := net.JoinHostPort(c.PublicAddress.String(), strconv.Itoa(c.Port))
	err = errors.Join(
		c.Identity.Accounts.Install(server.Mux.Handle, host),
		c.Groups.Install(server.GenericAPIServer, c.RESTOptionsGetter),
	)
	if c.Identity.RBAC {
		err = errors.Join(err, server.AddPostStartHook("rbac/bootstrap-roles", func(context stage4server.PostStartHookContext) error {
			return rbac.EnsureRoles(c.Loopback, context.StopCh)
		}))
	}
	done("%d named groups", len(c.Groups.Groups))
	return kubeAPIServer, err
}
