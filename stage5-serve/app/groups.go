package app

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"

	stage1server "example.com/kube-apiserver/stage1-main/server"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	stage3server "example.com/kube-apiserver/stage3-storage/server"
	"example.com/kube-apiserver/stage3-storage/wire/builtin"
	"example.com/kube-apiserver/stage3-storage/wire/tables"
	stage4 "example.com/kube-apiserver/stage4-informers/app"
	"example.com/kube-apiserver/stage4-informers/informers"
	stage4server "example.com/kube-apiserver/stage4-informers/server"
	"example.com/kube-apiserver/stage5-serve/groups"
	"example.com/kube-apiserver/stage5-serve/groups/events"
	"example.com/kube-apiserver/stage5-serve/groups/rbac"
	"example.com/kube-apiserver/stage5-serve/groups/reviews"
	"example.com/kube-apiserver/stage5-serve/groups/types"
)

// controllers are those of this stage, besides stage 4's.
var controllers = []stage4.Controller{
	{Name: "clusterrole-aggregation", Init: func(c stage4.ControllerContext) func(context.Context) {
		return rbac.NewAggregation(c.Client, c.InformerFactory).Run
	}},
}

// addGroups makes the table of named groups, and tells the endpoints of their
// kinds. Its order is that of the groups' priority in discovery.
func (c *Config) addGroups() {
	known := builtin.New(types.Groups...)
	event, _ := known.Kind("v1", "Event")
	c.Groups = &groups.Table{Known: known, Groups: []groups.Group{
		events.Group(func() rest.Storage { return c.storage("events") }, event),
		reviews.Authentication(c.Identity.Tokens, c.Identity.Accounts.Audiences),
		reviews.Authorization(c.Identity.Permissions, c.Identity.Permissions),
		rbac.Group(c.Identity.Guard),
	}}
	c.Identity.Accounts.Lookup = c.lookup
	c.Endpoints.Formats = tables.FormatsOf(c.Groups.Known)
	c.Endpoints.Views = c.Groups.Views(c.Endpoints.Views)
	c.Endpoints.Schema = tables.SchemaOf(c.Groups.Known)
	c.Subresources.Token = func(accounts, _, _ *registry.Store) rest.Storage {
		return reviews.TokenRequest{Accounts: accounts, Schema: c.Endpoints.Schema("authentication.k8s.io/v1", "TokenRequest"), Tokens: c.Identity.Accounts}
	}
}

// lookup finds an object of the core group, for those who recognise users by it.
func (c *Config) lookup(ctx context.Context, resource, namespace, name string) (*object.Object, error) {
	getter, ok := c.storage(resource).(rest.Getter)
	if !ok {
		return nil, fmt.Errorf("%s are not served", resource)
	}
	item, err := getter.Get(ctx, rest.Key{Namespace: namespace, Name: name}, rest.GetOptions{})
	if err != nil {
		return nil, err
	}
	return item.Object()
}

// storage is what serves a resource of the core group, nil where nothing does.
func (c *Config) storage(resource string) rest.Storage {
	for _, g := range c.Installed.List() {
		for _, r := range g.Resources {
			if g.Group == "" && r.Name == resource && r.Subresource == "" {
				return r.Storage
			}
		}
	}
	return nil
}

// CreateKubeAPIServer is stage 4's with the named groups.
//
// Upstream: cmd/kube-apiserver/app/server.go CreateKubeAPIServer
func CreateKubeAPIServer(kubeAPIServerConfig *Config, delegate *stage3server.GenericAPIServer, sharedInformers *informers.SharedInformerFactory) (*stage4.Master, error) {
	kubeAPIServer, err := stage4.CreateKubeAPIServer(kubeAPIServerConfig.Config, delegate, sharedInformers)
	if err != nil {
		return nil, err
	}
	host := net.JoinHostPort(kubeAPIServerConfig.PublicAddress.String(), strconv.Itoa(kubeAPIServerConfig.Port))
	if err := kubeAPIServerConfig.Identity.Accounts.Install(kubeAPIServer.GenericAPIServer.Mux.Handle, host); err != nil {
		return nil, err
	}
	kubeAPIServer.GenericAPIServer.On(stage1server.Stopped, "close connections to nodes", func(context.Context) error {
		kubeAPIServerConfig.Pipes.Close()
		return nil
	})
	kubeAPIServerConfig.installDiagnostics(kubeAPIServer.GenericAPIServer.GenericAPIServer)
	done := kubeAPIServerConfig.GenericConfig.Startup.Step("A3.10", "InstallAPIs")
	err = kubeAPIServerConfig.Groups.Install(kubeAPIServer.GenericAPIServer.GenericAPIServer, kubeAPIServerConfig.RESTOptionsGetter)
	if kubeAPIServerConfig.Identity.RBAC {
		err = errors.Join(err, kubeAPIServer.GenericAPIServer.AddPostStartHook("rbac/bootstrap-roles", func(context stage4server.PostStartHookContext) error {
			return rbac.EnsureRoles(context.LoopbackClient, context.StopCh)
		}))
	}
	done("%d named groups", len(kubeAPIServerConfig.Groups.Groups))
	return kubeAPIServer, err
}
