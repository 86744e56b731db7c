package app

import (
	"net/http"

	"example.com/kube-apiserver/stage2-options/options"
	stage3 "example.com/kube-apiserver/stage3-storage/app"
	"example.com/kube-apiserver/stage3-storage/kinds/subresources"
	"example.com/kube-apiserver/stage5-serve/identity/filters"
	"example.com/kube-apiserver/stage5-serve/kubelet"
)

// addPipes makes the subresources anew, with what stage 3 did not have:
// connections to nodes, on the way that CreateNodeDialer has chosen.
func (c *Config) addPipes(s *options.ServerRunOptions, proxyTransport *http.Transport) (err error) {
	if c.Pipes, err = kubelet.New(s.KubeletConfig, proxyTransport); err != nil {
		return err
	}
	o := stage3.SubresourceOptions(s, c.RESTOptionsGetter, c.Installed)
	o.Transport, o.Permit = c.Pipes, filters.MayAlso(c.Identity.Permissions)
	c.Subresources = subresources.New(o)
	return nil
}
