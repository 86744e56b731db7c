package kinds

import (
	"context"
	"path"
	"slices"
	"strings"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/field"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/wire/printers"
)

func persistentVolumes(options Options) Kind {
	return Kind{
		Kind: registry.Kind{
			Resource: row("persistentvolumes", "persistentvolume", "PersistentVolume", "persistentvolumes", false, "pv"),
			Strategy: registry.Strategy{
				KeepOld:       []string{"status"},
				ReturnDeleted: true,
				Default:       defaultVolumeOfCluster,
				PrepareForCreate: func(_ context.Context, o *object.Object) error {
					o.Fields["status"] = tree{"phase": "Pending", "lastPhaseTransitionTime": object.Now()}
					return nil
				},
				Validate:       checkVolume,
				ValidateUpdate: func(o, old *object.Object) field.Errors { return checkVolumeUpdate(o, old, options) },
				Warnings:       volumeOfClusterWarnings,
			},
			Status: &registry.Strategy{OnlyNew: []string{"status"}, PrepareForUpdate: stampPhase},
		},
		Columns: volumeColumns(),
	}
}

// volumeDefaults are of the sources too: those of pods have the same.
//
// Upstream: pkg/api/v1/defaults.go SetDefaults_PersistentVolume
var volumeDefaults = rules.Defaults{
	{Path: "spec.persistentVolumeReclaimPolicy", Value: "Retain"},
	{Path: "spec.volumeMode", Value: "Filesystem"},
	{Path: "spec.hostPath.type", Value: ""},
	{Path: "spec.iscsi.iscsiInterface", Value: "default"},
	{Path: "spec.rbd.pool", Value: "rbd"},
	{Path: "spec.rbd.user", Value: "admin"},
	{Path: "spec.rbd.keyring", Value: "/etc/ceph/keyring"},
	{Path: "spec.azureDisk.cachingMode", Value: "ReadWrite"},
	{Path: "spec.azureDisk.fsType", Value: "ext4"},
	{Path: "spec.azureDisk.kind", Value: "Shared"},
	{Path: "spec.azureDisk.readOnly", Value: false},
	{Path: "spec.scaleIO.storageMode", Value: "ThinProvisioned"},
	{Path: "spec.scaleIO.fsType", Value: "xfs"},
}

func defaultVolumeOfCluster(o *object.Object) {
	volumeDefaults.Apply(o.Fields)
	roundUp(rules.Map(o.Fields, "spec", "capacity"))
}

// stampPhase notes when a volume came into its phase, unless the client did.
//
// Upstream: pkg/registry/core/persistentvolume/strategy.go persistentvolumeStatusStrategy
func stampPhase(_ context.Context, o, old *object.Object) error {
	const stamp = "lastPhaseTransitionTime"
	is, was := rules.Make(o.Fields, "status"), status(old)
	same := rules.Same(is["phase"], was["phase"])
	switch {
	case !same && (is[stamp] == nil || rules.Same(is[stamp], was[stamp])):
		is[stamp] = object.Now()
	case same && is[stamp] == nil:
		rules.Put(is, was, stamp)
	}
	return nil
}

// checkVolume returns all that is wrong with a volume of the cluster.
//
// Upstream: pkg/api/validation/validation.go ValidatePersistentVolume
// Now: pkg/apis/core/validation/validation.go ValidatePersistentVolumeSpec
func checkVolume(o *object.Object) field.Errors {
	s := spec(o)
	errs := rules.Required(accessModes)("spec.accessModes", s["accessModes"])
	errs = append(errs, checkCapacity("spec.capacity", rules.Map(s, "capacity"))...)
	errs = append(errs, rules.OneOf("Delete", "Recycle", "Retain")("spec.persistentVolumeReclaimPolicy", s["persistentVolumeReclaimPolicy"])...)
	affinity := rules.Map(s, "nodeAffinity")
	if affinity != nil {
		errs = append(errs, rules.RequiredAs("must specify required node constraints", nodeSelector)("spec.nodeAffinity.required", affinity["required"])...)
	}
	wrong, n := storageSources(o.Meta.Name).Only("spec", s, oneVolumeType)
	errs = append(errs, wrong...)
	if affinity == nil && s["local"] != nil {
		errs = append(errs, field.Required("spec.nodeAffinity", "Local volume requires node affinity"))
	}
	if n == 0 {
		errs = append(errs, field.Required("spec", "must specify a volume type"))
	}
	if root := rules.Text(s, "hostPath", "path"); root != "" && path.Clean(root) == "/" && s["persistentVolumeReclaimPolicy"] == "Recycle" {
		errs = append(errs, field.Forbidden("spec.persistentVolumeReclaimPolicy", "may not be 'recycle' for a hostPath mount of '/'"))
	}
	errs = append(errs, rules.Fields{
		{Name: "storageClassName", Check: rules.Subdomain},
		{Name: "volumeMode", Check: rules.OneOf("Block", "Filesystem")},
		{Name: "volumeAttributesClassName", Check: rules.Given(rules.RequiredAs("an empty string is disallowed", rules.Subdomain))},
	}.Check("spec", s)...)
	if s["volumeAttributesClassName"] != nil && s["csi"] == nil {
		errs = append(errs, field.Required("spec.csi", "has to be specified when using volumeAttributesClassName"))
	}
	return append(errs, checkMountOptions(o)...)
}

// accessModes say who may use a volume at the same time.
func accessModes(at string, v any) (errs field.Errors) {
	supported := []string{"ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"}
	modes := rules.Texts(tree{"": v}, "")
	others := 0
	for _, m := range modes {
		if !slices.Contains(supported, m) {
			errs = append(errs, field.NotSupported(at, m, supported...))
		} else if m != "ReadWriteOncePod" {
			others++
		}
	}
	if others > 0 && slices.Contains(modes, "ReadWriteOncePod") {
		errs = append(errs, field.Forbidden(at, "may not use ReadWriteOncePod with other access modes"))
	}
	return errs
}

func checkCapacity(at string, capacity tree) (errs field.Errors) {
	if len(capacity) == 0 {
		errs = append(errs, field.Required(at, ""))
	}
	if capacity["storage"] == nil || len(capacity) > 1 {
		var shown any
		if capacity != nil {
			shown = capacity
		}
		errs = append(errs, field.NotSupported(at, shown, "storage"))
	}
	for _, k := range rules.Keys(capacity) {
		errs = append(errs, notNegative(rules.Key(at, k), capacity[k])...)
		n, ok := rules.Quantity(capacity[k])
		if ok && n.Sign() <= 0 {
			errs = append(errs, field.Invalid(rules.Key(at, k), capacity[k], "must be greater than zero"))
		}
	}
	return errs
}

// checkVolumeUpdate: where the data is does not change.
//
// Upstream: pkg/api/validation/validation.go ValidatePersistentVolumeUpdate
func checkVolumeUpdate(o, old *object.Object, options Options) field.Errors {
	errs := checkVolume(o)
	is, was := spec(o), spec(old)
	before, now := tree{}, tree{}
	for _, source := range storageSources("") {
		rules.Put(before, was, source.Name)
		rules.Put(now, is, source.Name)
	}
	if csi := rules.Map(now, "csi"); csi != nil && rules.Get(was, "csi", "controllerExpandSecretRef") == nil {
		delete(csi, "controllerExpandSecretRef") // may be given later
	}
	if !rules.Same(before, now) {
		why := "spec.persistentvolumesource is immutable after creation\n" + options.diff("PersistentVolumeSource", before, now)
		errs = append(errs, field.Forbidden("spec.persistentvolumesource", why))
	}
	errs = append(errs, immutable("", is, was, "volumeMode")...) // upstream's path has no spec
	if !sameAffinity(is["nodeAffinity"], was["nodeAffinity"]) {
		errs = append(errs, field.Invalid("nodeAffinity", options.asGo("VolumeNodeAffinity", is["nodeAffinity"]), "field is immutable, except for updating from beta label to GA"))
	}
	if was["volumeAttributesClassName"] != nil && is["volumeAttributesClassName"] == nil {
		errs = append(errs, field.Forbidden("spec.volumeAttributesClassName", "update from non-nil value to nil is forbidden"))
	}
	return errs
}

// volumeOfClusterWarnings tell of what is old.
//
// Now: pkg/api/persistentvolume/util.go GetWarningsForPersistentVolume
func volumeOfClusterWarnings(o, _ *object.Object) (warnings []string) {
	s := spec(o)
	if _, there := o.Meta.Annotations[oldStorageClass]; there {
		warnings = append(warnings, rules.Key("metadata.annotations", oldStorageClass)+`: deprecated since v1.8; use "storageClassName" attribute instead`)
	}
	if s["persistentVolumeReclaimPolicy"] == "Recycle" {
		warnings = append(warnings, "spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.")
	}
	for i, term := range rules.Items(s, "nodeAffinity", "required", "nodeSelectorTerms") {
		warnings = append(warnings, termWarnings(rules.Index("spec.nodeAffinity.required.nodeSelectorTerms", i), false, term)...)
	}
	for _, old := range oldVolumes {
		if s[old.name] != nil {
			warnings = append(warnings, "spec."+old.path+": "+old.text)
		}
	}
	return warnings
}

func volumeColumns() []printers.Column {
	return []printers.Column{
		printers.Name,
		{Name: "Capacity", Type: "string", Of: "spec.capacity", Cell: textAt("0", "spec", "capacity", "storage")},
		{Name: "Access Modes", Type: "string", Of: "spec.accessModes", Cell: func(o *object.Object) any { return modesText(rules.Texts(o.Fields, "spec", "accessModes")) }},
		{Name: "Reclaim Policy", Type: "string", Of: "spec.persistentVolumeReclaimPolicy", Cell: textAt("", "spec", "persistentVolumeReclaimPolicy")},
		{Name: "Status", Type: "string", Of: "status.phase", Cell: phaseOrTerminating},
		{Name: "Claim", Type: "string", Of: "spec.claimRef", Cell: func(o *object.Object) any {
			if ref := rules.Map(o.Fields, "spec", "claimRef"); ref != nil {
				return rules.Text(ref, "namespace") + "/" + rules.Text(ref, "name")
			}
			return ""
		}},
		{Name: "StorageClass", Type: "string", Text: "StorageClass of the pv", Cell: storageClass},
		{Name: "VolumeAttributesClass", Type: "string", Text: "VolumeAttributesClass of the pv", Cell: textAt("<unset>", "spec", "volumeAttributesClassName")},
		{Name: "Reason", Type: "string", Of: "status.reason", Cell: textAt("", "status", "reason")},
		printers.Age,
		{Name: "VolumeMode", Type: "string", Priority: 1, Of: "spec.volumeMode", Cell: textAt("<unset>", "spec", "volumeMode")},
	}
}

func phaseOrTerminating(o *object.Object) any {
	if o.Meta.DeletionTimestamp != "" {
		return "Terminating"
	}
	return rules.Text(o.Fields, "status", "phase")
}

// storageClass: the annotation is older than the field.
func storageClass(o *object.Object) any {
	if class, there := o.Meta.Annotations[oldStorageClass]; there {
		return class
	}
	return rules.Text(o.Fields, "spec", "storageClassName")
}

// modesText abbreviates access modes, in a fixed order.
func modesText(modes []string) string {
	var short []string
	for _, m := range []struct{ mode, short string }{
		{"ReadWriteOnce", "RWO"}, {"ReadOnlyMany", "ROX"}, {"ReadWriteMany", "RWX"}, {"ReadWriteOncePod", "RWOP"},
	} {
		if slices.Contains(modes, m.mode) {
			short = append(short, m.short)
		}
	}
	return strings.Join(short, ",")
}
