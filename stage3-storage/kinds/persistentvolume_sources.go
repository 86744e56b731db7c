package kinds

import (
	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/field"
)

// storageSources are what a volume of the cluster can be made of: like those of
// a pod, without what only makes sense in one. Secrets have a namespace here.
func storageSources(name string) rules.Fields {
	return rules.Fields{
		{Name: "hostPath", Check: hostPath},
		{Name: "gcePersistentDisk", Check: asDisk(gcePersistentDisk.Check)},
		{Name: "awsElasticBlockStore", Check: awsElasticBlockStore.Check},
		{Name: "glusterfs", Check: rules.All(glusterfs.Check, rules.Fields{{Name: "endpointsNamespace", Check: endpointsNamespace}}.Check)},
		{Name: "flocker", Check: flocker},
		{Name: "nfs", Check: nfs.Check},
		{Name: "rbd", Check: rbd.Check},
		{Name: "quobyte", Check: quobyte},
		{Name: "cephfs", Check: cephfs.Check},
		{Name: "iscsi", Check: rules.All(targetOf(name), iscsi("must be valid format", mustBeNamed))},
		{Name: "cinder", Check: cinderOfCluster.Check},
		{Name: "fc", Check: fibreChannel},
		{Name: "flexVolume", Check: flexVolume.Check},
		{Name: "azureFile", Check: rules.All(azureFile.Check, rules.Fields{{Name: "secretNamespace", Check: rules.Given(rules.Required())}}.Check)},
		{Name: "vsphereVolume", Check: vsphereVolume.Check},
		{Name: "photonPersistentDisk", Check: photonPersistentDisk.Check},
		{Name: "portworxVolume", Check: portworxVolume.Check},
		{Name: "azureDisk", Check: azureDisk},
		{Name: "scaleIO", Check: scaleIO.Check},
		{Name: "local", Check: rules.Fields{{Name: "path", Check: rules.Required(rules.Words(rules.NoBacksteps))}}.Check},
		{Name: "storageos", Check: storageOSOfCluster.Check},
		{Name: "csi", Check: csiVolume.Check},
	}
}

// csiVolume is a volume that a driver has made.
//
// Now: pkg/apis/core/validation/validation.go validateCSIPersistentVolumeSource
var csiVolume = rules.Fields{
	{Name: "driver", Check: csiDriver},
	{Name: "volumeHandle", Check: rules.Required()},
	{Name: "controllerPublishSecretRef", Check: csiSecret.Check},
	{Name: "controllerExpandSecretRef", Check: csiSecret.Check},
	{Name: "nodePublishSecretRef", Check: csiSecret.Check},
	{Name: "nodeExpandSecretRef", Check: csiSecret.Check},
}

var csiSecret = rules.Fields{
	{Name: "name", Check: rules.Required(rules.Subdomain)},
	{Name: "namespace", Check: rules.Required(rules.Label)},
}

func endpointsNamespace(at string, v any) field.Errors {
	if v == "" {
		return field.Errors{field.Invalid(at, v, "if the endpointnamespace is set, it must be a valid namespace name")}
	}
	return rules.Label(at, v)
}

// targetOf: a connection is named after the volume and the place together.
func targetOf(name string) rules.Check {
	return func(at string, v any) field.Errors {
		t, _ := v.(tree)
		portal := rules.Text(t, "targetPortal")
		if t["initiatorName"] != nil && len(name)+len(":")+len(portal) > 64 {
			return field.Errors{field.Invalid(at+".targetportal", portal, longTarget)} // upstream's path
		}
		return nil
	}
}

// stableLabels are labels of nodes that were once preliminary, and their names today.
var stableLabels = map[any]any{
	"failure-domain.beta.kubernetes.io/zone":   "topology.kubernetes.io/zone",
	"failure-domain.beta.kubernetes.io/region": "topology.kubernetes.io/region",
	"beta.kubernetes.io/os":                    "kubernetes.io/os",
	"beta.kubernetes.io/arch":                  "kubernetes.io/arch",
	"beta.kubernetes.io/instance-type":         "node.kubernetes.io/instance-type",
}

// sameAffinity: where a volume is may be said later, and the same may be said
// with a label's new name.
//
// Now: pkg/apis/core/validation/validation.go validatePvNodeAffinity
func sameAffinity(is, was any) bool {
	if was == nil {
		return true
	}
	renamed := object.CopyTree(was)
	before, _ := renamed.(tree)
	now, _ := is.(tree)
	terms := rules.List(now, "required", "nodeSelectorTerms")
	for i, term := range rules.Items(before, "required", "nodeSelectorTerms") {
		for j, e := range rules.Items(term, "matchExpressions") {
			var key any
			if i < len(terms) {
				t, _ := terms[i].(tree)
				if list := rules.List(t, "matchExpressions"); j < len(list) {
					e, _ := list[j].(tree)
					key = e["key"]
				}
			}
			if stable := stableLabels[e["key"]]; stable != nil && stable == key {
				e["key"] = key
			}
		}
	}
	return rules.Same(is, renamed)
}

// mountable are the sources that know the annotation with options; none of
// those that came later does.
var mountable = []string{
	"awsElasticBlockStore", "azureDisk", "azureFile", "cephfs", "cinder", "gcePersistentDisk", "glusterfs", "iscsi",
	"nfs", "photonPersistentDisk", "quobyte", "rbd", "vsphereVolume",
}

// checkMountOptions checks the annotation that came before the field of the same name.
//
// Upstream: pkg/volume/validation/pv_validation.go checkMountOption
func checkMountOptions(o *object.Object) field.Errors {
	const annotation = "volume.beta.kubernetes.io/mount-options"
	if _, there := o.Meta.Annotations[annotation]; !there {
		return nil
	}
	for _, source := range mountable {
		if spec(o)[source] != nil {
			return nil
		}
	}
	return field.Errors{field.Forbidden("metadata.annotations."+annotation, "may not specify mount options for this volume type")}
}
