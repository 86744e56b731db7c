package app

import (
	"context"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/registry"
)

// withNamespaceFinalizer changes the row of namespaces: from this stage on, a
// namespace that is deleted stays until its content has gone. Stage 3 has
// nobody who would empty it.
//
// Upstream: pkg/registry/core/namespace/strategy.go PrepareForCreate
func withNamespaceFinalizer(kinds []registry.Kind) {
	for i := range kinds {
		if kinds[i].Resource.Name != "namespaces" {
			continue
		}
		s := &kinds[i].Strategy
		prepare := s.PrepareForCreate
		s.PrepareForCreate = func(ctx context.Context, obj *object.Object) error {
			obj.Fields["spec"] = map[string]any{"finalizers": []any{"kubernetes"}}
			if prepare == nil {
				return nil
			}
			return prepare(ctx, obj)
		}
		s.Keep = func(obj *object.Object) bool {
			spec, _ := obj.Fields["spec"].(map[string]any)
			finalizers, _ := spec["finalizers"].([]any)
			if len(finalizers) == 0 {
				return false
			}
			status, _ := obj.Fields["status"].(map[string]any)
			if status == nil {
				status = map[string]any{}
				obj.Fields["status"] = status
			}
			status["phase"] = "Terminating"
			return true
		}
		s.KeepOld = append(s.KeepOld, "spec")
		kinds[i].Sub = map[string]registry.Strategy{"finalize": {Schema: s.Schema, OnlyNew: []string{"spec"}}}
	}
}
