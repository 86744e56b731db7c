package app

import (
	"example.com/kube-apiserver/stage2-options/admission"
	"example.com/kube-apiserver/stage3-storage/plugins"
)

// RegisterAllAdmissionPlugins adds the plugins of this stage to those that
// stage 2 registers.
func RegisterAllAdmissionPlugins(to *admission.Plugins) error { return plugins.Register(to) }
