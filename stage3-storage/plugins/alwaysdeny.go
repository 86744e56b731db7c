package plugins

import (
	"context"

	"example.com/kube-apiserver/stage3-storage/admission"
)

// alwaysDeny refuses every write. Reads still work: they never come here.
//
// Upstream: plugin/pkg/admission/deny/admission.go alwaysDeny
type alwaysDeny struct{ admission.Handler }

const denied = "admission control is denying all modifications"

func (alwaysDeny) Admit(_ context.Context, a *admission.Attributes) error {
	return admission.Forbidden(a, denied)
}

func (alwaysDeny) Validate(_ context.Context, a *admission.Attributes) error {
	return admission.Forbidden(a, denied)
}
