package app

import (
	"context"
	"slices"

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
			if err := prepare(ctx, obj); err != nil {
				return err
			}
			spec := obj.Fields["spec"].(map[string]any)
			finalizers, _ := spec["finalizers"].([]any)
			if !slices.Contains(finalizers, any("kubernetes")) {
				spec["finalizers"] = append(finalizers, "kubernetes")
			}
			return nil
		}
	}
}
