package kinds

import (
	"context"
	"maps"
	"slices"
	"strings"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/field"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/wire/printers"
)

func persistentVolumeClaims(options Options) Kind {
	return Kind{
		Kind: registry.Kind{
			Resource: row("persistentvolumeclaims", "persistentvolumeclaim", "PersistentVolumeClaim", "persistentvolumeclaims", true, "pvc"),
			Strategy: registry.Strategy{
				KeepOld:       []string{"status"},
				ReturnDeleted: true,
				Default:       defaultClaim,
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
				ValidateUpdate: func(o, old *object.Object) field.Errors { return checkClaimUpdate(o, old, options) },
				Warnings:       func(o, _ *object.Object) []string { return claimWarnings(o) },
			},
			Status: &registry.Strategy{
				OnlyNew:        []string{"status"},
				Default:        defaultClaim,
				ValidateUpdate: func(o, _ *object.Object) field.Errors { return checkClaimStatus(o) },
			},
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

func defaultClaim(o *object.Object) {
	rules.Fill(rules.Make(o.Fields, "spec"), "volumeMode", "Filesystem")
	rules.Drop(status(o), "healthStatus") // CSIVolumeHealth, a feature that is off
	resources := rules.Map(o.Fields, "spec", "resources")
	roundUp(rules.Map(resources, "limits"), rules.Map(resources, "requests"), rules.Map(o.Fields, "status", "capacity"), rules.Map(o.Fields, "status", "allocatedResources"))
}

// claimWarnings tell of what is old, and of bytes that cannot be halved.
//
// Now: pkg/api/persistentvolumeclaim/util.go GetWarningsForPersistentVolumeClaim
func claimWarnings(o *object.Object) (warnings []string) {
	if _, there := o.Meta.Annotations[oldStorageClass]; there {
		warnings = append(warnings, rules.Key("metadata.annotations", oldStorageClass)+`: deprecated since v1.8; use "storageClassName" attribute instead`)
	}
	return append(warnings, fractions("spec.resources", rules.Map(o.Fields, "spec", "resources"), []string{"requests", "limits"}, "storage")...)
}

const oldStorageClass = "volume.beta.kubernetes.io/storage-class"

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
// Now: pkg/api/persistentvolumeclaim/util.go NormalizeDataSources
func copySources(s, was tree) {
	if rules.Text(s, "dataSourceRef", "namespace") != "" && was["dataSourceRef"] == nil {
		delete(s, "dataSourceRef") // of another namespace: nobody grants that yet
	}
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
//
// Now: pkg/apis/core/validation/validation.go ValidatePersistentVolumeClaimTemplate
func claimTemplate(at string, v any) field.Errors {
	t, ok := v.(tree)
	if !ok {
		return field.Errors{field.Required(at, "")}
	}
	meta := rules.Map(t, "metadata")
	var errs field.Errors
	for _, k := range rules.Keys(rules.Map(meta, "annotations")) {
		errs = append(errs, rules.LabelKey(at+".metadata.annotations", strings.ToLower(k))...)
	}
	errs = append(errs, rules.Labels(at+".metadata.labels", meta["labels"])...)
	for _, k := range rules.Keys(meta) {
		if k != "annotations" && k != "labels" && !rules.Same(meta[k], nil) {
			errs = append(errs, field.Forbidden(rules.Join(at+".metadata", k), "cannot be set"))
		}
	}
	return append(errs, checkClaim(at+".spec", rules.Map(t, "spec"))...)
}

// checkClaim returns all that is wrong with the spec of a claim.
//
// Upstream: pkg/api/validation/validation.go ValidatePersistentVolumeClaimSpec
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

// checkClaimStatus returns all that is wrong with what is said of a claim's volume.
//
// Upstream: pkg/api/validation/validation.go ValidatePersistentVolumeClaimStatusUpdate
func checkClaimStatus(o *object.Object) (errs field.Errors) {
	capacity := rules.Map(o.Fields, "status", "capacity")
	for _, k := range rules.Keys(capacity) {
		errs = append(errs, notNegative(rules.Key("status.capacity", k), capacity[k])...)
	}
	const states = "status.allocatedResourceStatus" // upstream's path
	resizing := rules.Map(o.Fields, "status", "allocatedResourceStatuses")
	for _, k := range rules.Keys(resizing) {
		errs = append(errs, claimedResource(states, k)...)
		if !slices.Contains(resizeStates, rules.Text(resizing, k)) {
			errs = append(errs, field.NotSupported(states, k, resizeStates...))
		}
	}
	allocated := rules.Map(o.Fields, "status", "allocatedResources")
	for _, k := range rules.Keys(allocated) {
		if wrong := claimedResource("status.allocatedResources", k); len(wrong) > 0 {
			errs = append(errs, wrong...)
			continue
		}
		errs = append(errs, notNegative(rules.Key("status.allocatedResources", k), allocated[k])...)
	}
	return errs
}

var resizeStates = []string{"ControllerResizeInProgress", "ControllerResizeInfeasible", "NodeResizeInProgress", "NodeResizeInfeasible", "NodeResizePending"}

func claimedResource(at, name string) field.Errors {
	if errs := rules.LabelKey(at, name); len(errs) > 0 {
		return errs
	}
	if native(name) && name != "storage" {
		return field.Errors{field.NotSupported(at, name, "storage")}
	}
	return nil
}

// notNegative is an amount that can be: the complaint shows it as a number.
func notNegative(at string, v any) field.Errors {
	if n, ok := rules.Quantity(v); ok && n.Sign() < 0 {
		f, _ := n.Float64()
		return field.Errors{field.Invalid(at, int64(f), "must be a valid resource quantity")}
	}
	return nil
}

// checkClaimUpdate: a claim gets its volume once, and one that has it may grow.
//
// Upstream: pkg/api/validation/validation.go ValidatePersistentVolumeClaimUpdate
func checkClaimUpdate(o, old *object.Object, options Options) field.Errors {
	is, was := spec(o), spec(old)
	errs := checkClaim("spec", is)
	rest := object.CopyTree(is).(tree)
	if rules.Text(was, "volumeName") == "" {
		rules.Put(rest, was, "volumeName")
	}
	class, before := rules.Text(is, "storageClassName"), old.Meta.Annotations[oldStorageClass]
	if is["storageClassName"] != nil && was["storageClassName"] == nil && (before == "" || before == class) {
		delete(rest, "storageClassName") // the annotation's successor, or a default that is filled in later
	}
	if now, moved := o.Meta.Annotations[oldStorageClass]; now != before && (moved || before != class) {
		errs = append(errs, field.Invalid("metadata.annotations."+oldStorageClass, now, "field is immutable"))
	}
	if rules.Text(o.Fields, "status", "phase") == "Bound" {
		if rest["volumeAttributesClassName"] != nil {
			rules.Put(rest, was, "volumeAttributesClassName")
		}
		if requests := rules.Map(rest, "resources", "requests"); requests != nil {
			rules.Put(requests, rules.Map(was, "resources", "requests"), "storage")
		}
	}
	if !rules.Same(rest, was) {
		errs = append(errs, field.Forbidden("spec", "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n"+options.diff("PersistentVolumeClaimSpec", was, rest)))
	}
	return append(errs, checkGrowth(is, was, rules.Text(old.Fields, "status", "capacity", "storage"))...)
}

// checkGrowth: a claim shrinks only back to more than its volume has.
func checkGrowth(is, was tree, held string) (errs field.Errors) {
	now, ok := rules.Quantity(rules.Get(is, "resources", "requests", "storage"))
	before, ok2 := rules.Quantity(rules.Get(was, "resources", "requests", "storage"))
	if ok && ok2 && now.Cmp(before) < 0 {
		if least, ok := rules.Quantity(held); ok && now.Cmp(least) <= 0 {
			errs = append(errs, field.Forbidden("spec.resources.requests.storage", "field can not be less than status.capacity"))
		}
	}
	errs = append(errs, immutable("", is, was, "volumeMode")...) // upstream's path has no spec
	const at = "spec.volumeAttributesClassName"
	switch class, there := is["volumeAttributesClassName"]; {
	case was["volumeAttributesClassName"] == nil:
	case !there:
		errs = append(errs, field.Forbidden(at, "update from non-nil value to nil is forbidden"))
	case class == "":
		errs = append(errs, field.Forbidden(at, "update from non-nil value to an empty string is forbidden"))
	}
	return errs
}
