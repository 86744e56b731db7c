package kinds

import (
	"context"
	"slices"
	"strings"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/field"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/wire/metadata"
	"example.com/kube-apiserver/stage3-storage/wire/printers"
)

func namespaces(options Options) Kind {
	return Kind{
		Kind: registry.Kind{
			Resource: row("namespaces", "namespace", "Namespace", "namespaces", false, "ns"),
			Strategy: registry.Strategy{
				ValidateName: metadata.DNSLabel,
				Default:      defaultNamespace,
				PrepareForCreate: func(_ context.Context, o *object.Object) error {
					o.Fields["status"] = tree{"phase": "Active"}
					addFinalizer(o, options.NamespaceFinalizer)
					return nil
				},
				PrepareForUpdate: keepNamespace,
				Validate:         checkFinalizers("spec.finalizers", false),
				ValidateUpdate:   func(*object.Object, *object.Object) field.Errors { return nil },
				OneByOne:         true,
				ReturnDeleted:    true,
				Keep:             terminate,
				Field:            selectable(map[string]func(*object.Object) string{"status.phase": text("status", "phase")}),
			},
			Status: &registry.Strategy{OnlyNew: []string{"status"}, Default: defaultNamespace, ValidateUpdate: checkNamespaceStatus},
			Sub: map[string]registry.Strategy{"finalize": {
				OnlyNew: []string{"spec"},
				Default: defaultNamespace,
				ValidateUpdate: func(o, _ *object.Object) field.Errors {
					return checkFinalizers("spec.finalizers", true)(o)
				},
			}},
		},
		Columns: []printers.Column{
			printers.Name,
			{Name: "Status", Type: "string", Text: "The status of the namespace", Cell: textAt("", "status", "phase")},
			printers.Age,
		},
	}
}

// defaultNamespace gives every namespace a label by which it can be selected.
//
// Upstream: pkg/api/v1/defaults.go SetDefaults_NamespaceStatus
func defaultNamespace(o *object.Object) {
	rules.Make(o.Fields, "spec")
	if o.Meta.Name == "" {
		return
	}
	if o.Meta.Labels == nil {
		o.Meta.Labels = map[string]string{}
	}
	o.Meta.Labels["kubernetes.io/metadata.name"] = o.Meta.Name
}

func addFinalizer(o *object.Object, name string) {
	s := rules.Make(o.Fields, "spec")
	if name != "" && !slices.Contains(rules.Texts(s, "finalizers"), name) {
		s["finalizers"] = append(rules.List(s, "finalizers"), name)
	}
}

// keepNamespace: finalizers change under /finalize, the phase under /status.
func keepNamespace(_ context.Context, o, old *object.Object) error {
	rules.Put(rules.Make(o.Fields, "spec"), spec(old), "finalizers")
	rules.Put(o.Fields, old.Fields, "status")
	return nil
}

// terminate keeps a deleted namespace while it has finalizers in its spec.
// Others see at its phase that nothing new may be made in it.
//
// Upstream: pkg/registry/core/namespace/storage/storage.go Delete
// Now: pkg/registry/core/namespace/storage/storage.go ShouldDeleteNamespaceDuringUpdate
func terminate(o *object.Object) bool {
	if len(rules.List(o.Fields, "spec", "finalizers")) == 0 {
		return false
	}
	rules.Make(o.Fields, "status")["phase"] = "Terminating"
	o.Meta.DeletionGracePeriodSeconds = nil // a namespace has none, not even 0
	return true
}

// checkFinalizers: a finalizer is one that everybody knows or has its owner's
// domain in front. indexed says whether the path names the element.
func checkFinalizers(path string, indexed bool) func(*object.Object) field.Errors {
	known := []string{"kubernetes", "orphan", "foregroundDeletion"}
	return func(o *object.Object) (errs field.Errors) {
		for i, f := range rules.Texts(o.Fields, "spec", "finalizers") {
			at := path
			if indexed {
				at = rules.Index(path, i)
			}
			for _, p := range metadata.QualifiedName(f) {
				errs = append(errs, field.Invalid(at, f, p))
			}
			if !strings.Contains(f, "/") && !slices.Contains(known, f) {
				errs = append(errs, field.Invalid(at, f, "name is neither a standard finalizer name nor is it fully qualified"))
			}
		}
		return errs
	}
}

// checkNamespaceStatus: the phase says whether the namespace is being deleted,
// and nothing else.
//
// Upstream: pkg/api/validation/validation.go ValidateNamespaceStatusUpdate
func checkNamespaceStatus(o, _ *object.Object) field.Errors {
	phase := rules.Text(o.Fields, "status", "phase")
	switch {
	case o.Meta.DeletionTimestamp == "" && phase != "Active":
		return field.Errors{field.Invalid("status.Phase", phase, "may only be 'Active' if `deletionTimestamp` is empty")}
	case o.Meta.DeletionTimestamp != "" && phase != "Terminating":
		return field.Errors{field.Invalid("status.Phase", phase, "may only be 'Terminating' if `deletionTimestamp` is not empty")}
	}
	return nil
}
