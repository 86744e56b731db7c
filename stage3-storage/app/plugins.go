package app

import (
	"example.com/kube-apiserver/stage2-options/admission"
	"example.com/kube-apiserver/stage2-options/options"
	"example.com/kube-apiserver/stage3-storage/plugins"
)

// RegisterAllAdmissionPlugins adds the plugins of this stage to those that
// stage 2 registers.
func RegisterAllAdmissionPlugins(to *admission.Plugins) error { return plugins.Register(to) }

// wants gives plugins what they need of the command line.
func wants(o *options.AdmissionOptions) admission.Initializer {
	return func(p admission.Interface) {
		if w, ok := p.(interface {
			SetTolerationSeconds(notReady, unreachable int64)
		}); ok {
			w.SetTolerationSeconds(o.NotReadySeconds, o.UnreachableSeconds)
		}
	}
}
