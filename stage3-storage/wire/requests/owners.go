package requests

import (
	"context"
	"reflect"
	"slices"
	"strings"

	"example.com/kube-apiserver/stage3-storage/registry/request"
)

// withoutTwins takes out owners that stand twice in an object, and says so.
//
// Now: staging/src/k8s.io/apiserver/pkg/endpoints/handlers/rest.go dedupOwnerReferencesAndAddWarning
func withoutTwins(ctx context.Context, tree map[string]any) {
	meta, _ := tree["metadata"].(map[string]any)
	owners, _ := meta["ownerReferences"].([]any)
	var once []any
	var twins []string
	for _, owner := range owners {
		if !slices.ContainsFunc(once, func(o any) bool { return reflect.DeepEqual(o, owner) }) {
			once = append(once, owner)
		} else if o, ok := owner.(map[string]any); ok {
			uid, _ := o["uid"].(string)
			twins = append(twins, uid)
		}
	}
	if twins == nil {
		return
	}
	meta["ownerReferences"] = once
	request.Warn(ctx, ".metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; "+
		"please fix your requests; duplicate UID(s) observed: "+strings.Join(twins, ", "))
}
