package plugins

import (
	"errors"

	optionsadmission "example.com/kube-apiserver/stage2-options/admission"
	"example.com/kube-apiserver/stage2-options/admission/configfile"
	"example.com/kube-apiserver/stage3-storage/admission"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
)

var (
	creates = admission.Handler{rest.Create}
	writes  = admission.Handler{rest.Create, rest.Update}
	all     = admission.Handler{rest.Create, rest.Update, rest.Delete, rest.Connect}
)

// table has a row for every plugin: its name on the command line, and how it is made.
var table = []struct {
	name   string
	plugin func() optionsadmission.Interface
}{
	{"AlwaysDeny", func() optionsadmission.Interface { return alwaysDeny{all} }},
	{"AlwaysPullImages", func() optionsadmission.Interface { return alwaysPullImages{writes} }},
	{"DefaultTolerationSeconds", func() optionsadmission.Interface { return &defaultTolerationSeconds{Handler: writes} }},
	{"DenyServiceExternalIPs", func() optionsadmission.Interface { return denyExternalIPs{writes} }},
	{"ExampleDenyUser", func() optionsadmission.Interface { return exampleDenyUser{all} }},
	{"ExampleSetReplicas", func() optionsadmission.Interface { return exampleSetReplicas{creates} }},
	{"ExtendedResourceToleration", func() optionsadmission.Interface { return extendedResourceToleration{writes} }},
	{"LimitPodHardAntiAffinityTopology", func() optionsadmission.Interface { return limitTopology{writes} }},
	{"Priority", func() optionsadmission.Interface { return &priority{Handler: writes} }},
	{"SecurityContextDeny", func() optionsadmission.Interface { return securityContextDeny{writes} }},
	{"StorageObjectInUseProtection", func() optionsadmission.Interface { return storageInUse{creates} }},
	{"TaintNodesByCondition", func() optionsadmission.Interface { return taintNodes{creates} }},
}

// Register adds the plugins of this package.
//
// Upstream: cmd/kube-apiserver/app/plugins.go registerAllAdmissionPlugins
func Register(to *optionsadmission.Plugins) error {
	var errs []error
	for _, p := range table {
		errs = append(errs, to.Register(p.name, configfile.Unconfigured(p.plugin)))
	}
	return errors.Join(errs...)
}
