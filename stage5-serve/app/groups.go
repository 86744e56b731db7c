package app

import (
	"errors"

	stage3 "example.com/kube-apiserver/stage3-storage/app"
	stage3server "example.com/kube-apiserver/stage3-storage/server"
	"example.com/kube-apiserver/stage3-storage/wire/builtin"
	stage4 "example.com/kube-apiserver/stage4-informers/app"
	"example.com/kube-apiserver/stage4-informers/informers"
	stage4server "example.com/kube-apiserver/stage4-informers/server"
	"example.com/kube-apiserver/stage5-serve/groups"
	"example.com/kube-apiserver/stage5-serve/groups/rbac"
	"example.com/kube-apiserver/stage5-serve/groups/reviews"
	"example.com/kube-apiserver/stage5-serve/groups/types"
)

// addGroups makes the table of named groups, and tells the endpoints of their
// kinds. Its order is that of the groups' priority in discovery.
func (c *Config) addGroups() {
	c.Groups = &groups.Table{Known: builtin.New(types.Groups...), Groups: []groups.Group{
		reviews.Authentication(c.Identity.tokens, nil),
		reviews.Authorization(c.Identity.permissions, c.Identity.permissions),
		rbac.Group(c.Identity.guard),
	}}
	c.Endpoints.Formats = stage3.FormatsOf(c.Groups.Known)
	c.Endpoints.Views = c.Groups.Views(c.Endpoints.Views)
	c.Endpoints.Schema = stage3.SchemaOf(c.Groups.Known)
}

// CreateKubeAPIServer is stage 4's with the named groups.
//
// Upstream: cmd/kube-apiserver/app/server.go CreateKubeAPIServer
func CreateKubeAPIServer(kubeAPIServerConfig *Config, delegate *stage3server.GenericAPIServer, sharedInformers *informers.SharedInformerFactory) (*stage4.Master, error) {
	kubeAPIServer, err := stage4.CreateKubeAPIServer(kubeAPIServerConfig.Config, delegate, sharedInformers)
	if err != nil {
		return nil, err
	}
	done := kubeAPIServerConfig.GenericConfig.Startup.Step("A3.10", "InstallAPIs")
	err = kubeAPIServerConfig.Groups.Install(kubeAPIServer.GenericAPIServer.GenericAPIServer, kubeAPIServerConfig.RESTOptionsGetter)
	if kubeAPIServerConfig.Identity.rbac {
		err = errors.Join(err, kubeAPIServer.GenericAPIServer.AddPostStartHook("rbac/bootstrap-roles", func(context stage4server.PostStartHookContext) error {
			return rbac.EnsureRoles(context.LoopbackClient, context.StopCh)
		}))
	}
	done("%d named groups", len(kubeAPIServerConfig.Groups.Groups))
	return kubeAPIServer, err
}
