package kinds

import (
	"context"
	"maps"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/field"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/wire/printers"
)

func persistentVolumeClaims() Kind {
	return Kind{
		Kind: registry.Kind{
			Resource: row("persistentvolumeclaims", "persistentvolumeclaim", "PersistentVolumeClaim", "persistentvolumeclaims", true, "pvc"),
			Strategy: registry.Strategy{
				KeepOld:       []string{"status"},
				ReturnDeleted: true,
				Default:       defaulted(rules.Defaults{{Path: "spec.volumeMode", Value: "Filesystem"}}),
				PrepareForCreate: func(_ context.Context, o *object.Object) error {
					o.Fields["status"] = tree{"phase": "Pending"}
					copySources(rules.Make(o.Fields, "spec"), nil)
					return nil
				},
				PrepareForUpdate: func(_ context.Context, o, old *object.Object) error {
					copySources(rules.Make(o.Fields, "spec"), spec(old))
					return nil
				},
				Validate:       func(o *object.Object) field.Errors { return checkClaim("spec", spec(o)) },
				ValidateUpdate: checkClaimUpdate,
			},
			Status: statusOnly(func(o, _ *object.Object) field.Errors {
				return checkAmounts("status.capacity", rules.Map(o.Fields, "status", "capacity"))
			}),
		},
		Columns: []printers.Column{
			printers.Name,
			{Name: "Status", Type: "string", Of: "status.phase", Cell: phaseOrTerminating},
			{Name: "Volume", Type: "string", Of: "spec.volumeName", Cell: textAt("", "spec", "volumeName")},
			{Name: "Capacity", Type: "string", Of: "status.capacity", Cell: ifBound(func(o *object.Object) string { return or(rules.Text(o.Fields, "status", "capacity", "storage"), "0") })},
			{Name: "Access Modes", Type: "string", Of: "status.accessModes", Cell: ifBound(func(o *object.Object) string { return modesText(rules.Texts(o.Fields, "status", "accessModes")) })},
			{Name: "StorageClass", Type: "string", Text: "StorageClass of the pvc", Cell: storageClass},
			{Name: "VolumeAttributesClass", Type: "string", Text: "VolumeAttributesClass of the pvc", Cell: textAt("<unset>", "spec", "volumeAttributesClassName")},
			printers.Age,
			{Name: "VolumeMode", Type: "string", Priority: 1, Of: "spec.volumeMode", Cell: textAt("<unset>", "spec", "volumeMode")},
		},
	}
}

func ifBound(f func(*object.Object) string) func(*object.Object) any {
	return func(o *object.Object) any {
		if rules.Text(o.Fields, "spec", "volumeName") == "" {
			return ""
		}
		return f(o)
	}
}

// copySources keeps the old field for the source of the data and the new one in
// step. What the old field never understood is forgotten, as it always was.
//
// Upstream: pkg/api/persistentvolumeclaim/util.go NormalizeDataSources
func copySources(s, was tree) {
	source, ref := rules.Map(s, "dataSource"), rules.Map(s, "dataSourceRef")
	if source != nil && ref == nil && was["dataSource"] == nil && was["dataSourceRef"] == nil {
		group, kind := rules.Text(source, "apiGroup"), rules.Text(source, "kind")
		claim := group == "" && kind == "PersistentVolumeClaim"
		if !claim && !(group == "snapshot.storage.k8s.io" && kind == "VolumeSnapshot") {
			delete(s, "dataSource")
			return
		}
	}
	switch {
	case source != nil && ref == nil:
		s["dataSourceRef"] = object.CopyTree(source)
	case ref != nil && source == nil && rules.Text(ref, "namespace") == "":
		both := tree{}
		maps.Copy(both, ref)
		delete(both, "namespace")
		s["dataSource"] = both
	}
}

// claimTemplate is the claim that a pod makes for itself.
func claimTemplate(at string, v any) field.Errors {
	t, ok := v.(tree)
	if !ok {
		return field.Errors{field.Required(at, "")}
	}
	errs := rules.Labels(at+".metadata.labels", rules.Get(t, "metadata", "labels"))
	return append(errs, checkClaim(at+".spec", rules.Map(t, "spec"))...)
}

// checkClaim returns all that is wrong with the spec of a claim.
//
// Upstream: pkg/apis/core/validation/validation.go ValidatePersistentVolumeClaimSpec
func checkClaim(at string, s tree) field.Errors {
	errs := rules.RequiredAs("at least 1 access mode is required", accessModes)(at+".accessModes", s["accessModes"])
	errs = append(errs, rules.LabelSelector(at+".selector", s["selector"])...)
	path := rules.Key(at+".resources", "storage")
	asked := rules.Get(s, "resources", "requests", "storage")
	if n, ok := rules.Quantity(asked); asked == nil {
		errs = append(errs, field.Required(path, ""))
	} else if ok && n.Sign() <= 0 {
		errs = append(errs, field.Invalid(path, asked, "must be greater than zero"))
	}
	errs = append(errs, claimRules.Check(at, s)...)
	source, ref := rules.Map(s, "dataSource"), rules.Map(s, "dataSourceRef")
	if source == nil || ref == nil {
		return errs
	}
	if rules.Text(ref, "namespace") != "" {
		return append(errs, field.Invalid(at, at+".dataSource", "may not be specified when dataSourceRef.namespace is specified"))
	}
	if !rules.Same(source, ref) {
		errs = append(errs, field.Invalid(at, at+".dataSource", "must match dataSourceRef"))
	}
	return errs
}

var claimRules = rules.Fields{
	{Name: "storageClassName", Check: rules.Subdomain},
	{Name: "volumeMode", Check: rules.OneOf("Block", "Filesystem")},
	{Name: "dataSource", Check: dataSource},
	{Name: "dataSourceRef", Check: dataSource},
	{Name: "volumeAttributesClassName", Check: rules.Subdomain},
}

// dataSource is an object that the new volume is filled from.
func dataSource(at string, v any) field.Errors {
	t, ok := v.(tree)
	if !ok {
		return nil
	}
	errs := rules.Fields{{Name: "name", Check: rules.Required()}, {Name: "kind", Check: rules.Required()}}.Check(at, t)
	if kind := rules.Text(t, "kind"); rules.Text(t, "apiGroup") == "" && kind != "PersistentVolumeClaim" {
		errs = append(errs, field.Invalid(at, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup"))
	}
	return append(errs, rules.Fields{{Name: "apiGroup", Check: rules.Subdomain}, {Name: "namespace", Check: rules.Label}}.Check(at, t)...)
}

func checkAmounts(at string, list tree) (errs field.Errors) {
	for _, k := range rules.Keys(list) {
		if n, ok := rules.Quantity(list[k]); ok && n.Sign() < 0 {
			errs = append(errs, field.Invalid(rules.Key(at, k), list[k], "must be a valid resource quantity"))
		}
	}
	return errs
}

// checkClaimUpdate: a claim gets its volume once, and one that has it may grow.
//
// Upstream: pkg/apis/core/validation/validation.go ValidatePersistentVolumeClaimUpdate
func checkClaimUpdate(o, old *object.Object) field.Errors {
	is, was := spec(o), spec(old)
	errs := checkClaim("spec", is)
	rest := object.CopyTree(is).(tree)
	if rules.Text(was, "volumeName") == "" {
		rules.Put(rest, was, "volumeName")
	}
	if was["storageClassName"] == nil && is["storageClassName"] != nil {
		delete(rest, "storageClassName") // a default class may be filled in later
	}
	if rules.Text(o.Fields, "status", "phase") == "Bound" {
		rules.Put(rest, was, "volumeAttributesClassName")
		if requests := rules.Map(rest, "resources", "requests"); requests != nil {
			rules.Put(requests, rules.Map(was, "resources", "requests"), "storage")
		}
	}
	if !rules.Same(rest, was) {
		errs = append(errs, field.Forbidden("spec", "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims"))
	}
	now, ok := rules.Quantity(rules.Get(is, "resources", "requests", "storage"))
	before, ok2 := rules.Quantity(rules.Get(was, "resources", "requests", "storage"))
	if ok && ok2 && now.Cmp(before) < 0 {
		if held, ok := rules.Quantity(rules.Get(old.Fields, "status", "capacity", "storage")); ok && now.Cmp(held) <= 0 {
			errs = append(errs, field.Forbidden("spec.resources.requests.storage", "field can not be less than status.capacity"))
		}
	}
	return append(errs, immutable("", is, was, "volumeMode")...) // upstream's path has no spec
}
