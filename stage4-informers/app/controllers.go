package app

import (
	"errors"
	"slices"

	"example.com/kube-apiserver/stage4-informers/controllers/bootstrap"
	"example.com/kube-apiserver/stage4-informers/controllers/namespace"
	"example.com/kube-apiserver/stage4-informers/informers"
	"example.com/kube-apiserver/stage4-informers/server"
)

// enabled reads --controllers: names, "*" for all, "-name" for all but this one.
func enabled(list []string) func(name string) bool {
	return func(name string) bool {
		if slices.Contains(list, "-"+name) {
			return false
		}
		return slices.Contains(list, name) || slices.Contains(list, "*")
	}
}

// addControllers registers the hooks that start what runs inside: what every
// cluster needs in any case, and the controllers of --controllers.
func addControllers(c *Config, s *server.GenericAPIServer, sharedInformers *informers.SharedInformerFactory) error {
	boot := &bootstrap.Controller{
		Client: c.Loopback, ServiceIP: c.APIServerServiceIP, Address: c.PublicAddress, PortName: "https", Port: c.Port, Namespaces: bootstrap.SystemNamespaces,
	}
	err := s.AddPostStartHook("bootstrap-controller", func(context server.PostStartHookContext) error {
		return boot.Start(context.Go, context.StopCh)
	})
	if !c.Controllers("namespace") {
		return err
	}
	controller := namespace.New(c.Loopback, c.Installed, sharedInformers)
	return errors.Join(err, s.AddPostStartHook("start-namespace-controller", func(context server.PostStartHookContext) error {
		context.Go(controller.Run)
		return nil
	}))
}
