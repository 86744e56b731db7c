package plugins

import (
	optionsadmission "example.com/kube-apiserver/stage2-options/admission"
	"example.com/kube-apiserver/stage2-options/options"
)

// Wants gives plugins what they need of the command line.
func Wants(o *options.AdmissionOptions) optionsadmission.Initializer {
	return func(p optionsadmission.Interface) {
		if w, ok := p.(interface {
			SetTolerationSeconds(notReady, unreachable int64)
		}); ok {
			w.SetTolerationSeconds(o.NotReadySeconds, o.UnreachableSeconds)
		}
	}
}
