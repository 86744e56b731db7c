package plugins

import (
	"errors"

	"example.com/kube-apiserver/stage2-options/admission"
	"example.com/kube-apiserver/stage2-options/admission/configfile"
	"example.com/kube-apiserver/stage4-informers/client"
	"example.com/kube-apiserver/stage4-informers/informers"
	"example.com/kube-apiserver/stage4-informers/plugins/claimresize"
	"example.com/kube-apiserver/stage4-informers/plugins/execs"
	"example.com/kube-apiserver/stage4-informers/plugins/exists"
	"example.com/kube-apiserver/stage4-informers/plugins/lifecycle"
	"example.com/kube-apiserver/stage4-informers/plugins/limitranger"
	"example.com/kube-apiserver/stage4-informers/plugins/noderestriction"
	"example.com/kube-apiserver/stage4-informers/plugins/nodeselector"
	"example.com/kube-apiserver/stage4-informers/plugins/podsecurity"
	"example.com/kube-apiserver/stage4-informers/plugins/resourcequota"
	"example.com/kube-apiserver/stage4-informers/plugins/runtimeclass"
	"example.com/kube-apiserver/stage4-informers/plugins/serviceaccount"
	"example.com/kube-apiserver/stage4-informers/plugins/topologylabels"
)

var table = []struct {
	name    string
	factory admission.Factory
}{
	{claimresize.Name, configfile.Unconfigured(claimresize.New)},
	{execs.NameEscalating, configfile.Unconfigured(execs.NewEscalating)},
	{execs.NamePrivileged, configfile.Unconfigured(execs.NewPrivileged)},
	{exists.Name, configfile.Unconfigured(exists.New)},
	{exists.NameProvision, configfile.Unconfigured(exists.NewProvision)},
	{limitranger.Name, configfile.Unconfigured(limitranger.New)},
	{lifecycle.Name, configfile.Unconfigured(lifecycle.New)},
	{noderestriction.Name, configfile.Unconfigured(noderestriction.New)},
	{nodeselector.Name, nodeselector.New},
	{podsecurity.Name, podsecurity.New},
	{resourcequota.Name, resourcequota.New},
	{runtimeclass.Name, configfile.Unconfigured(runtimeclass.New)},
	{serviceaccount.Name, configfile.Unconfigured(serviceaccount.New)},
	{topologylabels.Name, configfile.Unconfigured(topologylabels.New)},
}

// Register adds the plugins of this stage to those of the stages before.
func Register(to *admission.Plugins) error {
	var errs []error
	for _, p := range table {
		errs = append(errs, to.Register(p.name, p.factory))
	}
	return errors.Join(errs...)
}

// Wants gives plugins the informers and the client that they ask for.
//
// Upstream: pkg/kubeapiserver/admission/initializer.go Initialize
func Wants(sharedInformers *informers.SharedInformerFactory, loopback *client.Client) admission.Initializer {
	return func(p admission.Interface) {
		if w, ok := p.(interface {
			SetInformers(*informers.SharedInformerFactory)
		}); ok {
			w.SetInformers(sharedInformers)
		}
		if w, ok := p.(interface{ SetLoopback(*client.Client) }); ok {
			w.SetLoopback(loopback)
		}
	}
}
