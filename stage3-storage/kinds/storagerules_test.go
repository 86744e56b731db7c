package kinds_test

import (
	"strings"
	"testing"
)

var long = strings.Repeat("a", 70)

func TestEveryKindOfPersistentVolumeHasItsRules(t *testing.T) {
	pv := func(more string) string {
		return `{"spec":{"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"],` + more + `}}`
	}
	wrong{
		"a disk of Google's":      {pv(`"gcePersistentDisk":{"partition":256}`), at("spec.persistentDisk.", "pdName Required", "partition Invalid")},
		"a disk of Amazon's":      {pv(`"awsElasticBlockStore":{"partition":256}`), at("spec.awsElasticBlockStore.", "volumeID Required", "partition Invalid")},
		"GlusterFS":               {pv(`"glusterfs":{"endpointsNamespace":"A"}`), at("spec.glusterfs.", "endpoints Required", "path Required", "endpointsNamespace Invalid")},
		"Flocker":                 {pv(`"flocker":{}`), at("spec.", "flocker Required")},
		"NFS":                     {pv(`"nfs":{"path":"a"}`), at("spec.nfs.", "server Required", "path Invalid")},
		"RBD":                     {pv(`"rbd":{}`), at("spec.rbd.", "monitors Required", "image Required")},
		"Quobyte":                 {pv(`"quobyte":{"registry":"a:1","tenant":"` + long + `"}`), at("spec.quobyte.", "tenant Required", "volume Required")},
		"CephFS":                  {pv(`"cephfs":{}`), at("spec.cephfs.", "monitors Required")},
		"an iSCSI target":         {pv(`"iscsi":{"lun":-1}`), at("spec.iscsi.", "targetPortal Required", "iqn Required", "lun Invalid")},
		"Cinder":                  {pv(`"cinder":{"secretRef":{"name":"a"}}`), at("spec.cinder.", "volumeID Required", "secretRef.namespace Required")},
		"fibre channel":           {pv(`"fc":{"targetWWNs":["a"],"lun":256}`), at("spec.fc.", "lun Invalid")},
		"a flex volume":           {pv(`"flexVolume":{}`), at("spec.flexVolume.", "driver Required")},
		"a file share":            {pv(`"azureFile":{"secretNamespace":""}`), at("spec.azureFile.", "secretName Required", "shareName Required", "secretNamespace Required")},
		"a disk of Microsoft's":   {pv(`"azureDisk":{"kind":"Managed","diskURI":"https://a"}`), at("spec.azureDisk.", "diskName Required", "diskURI NotSupported")},
		"vSphere":                 {pv(`"vsphereVolume":{}`), at("spec.vsphereVolume.", "volumePath Required")},
		"Photon":                  {pv(`"photonPersistentDisk":{}`), at("spec.photonPersistentDisk.", "pdID Required")},
		"Portworx":                {pv(`"portworxVolume":{}`), at("spec.portworxVolume.", "volumeID Required")},
		"ScaleIO":                 {pv(`"scaleIO":{}`), at("spec.scaleIO.", "gateway Required", "system Required", "volumeName Required")},
		"StorageOS":               {pv(`"storageos":{"secretRef":{}}`), at("spec.storageos.", "volumeName Required", "secretRef.name Required", "secretRef.namespace Required")},
		"CSI":                     {pv(`"csi":{"controllerPublishSecretRef":{"name":"a"},"nodeStageSecretRef":{}}`), at("spec.csi.", "driver Required", "driver Invalid", "volumeHandle Required", "controllerPublishSecretRef.namespace Required")},
		"a local path":            {pv(`"local":{"path":"../a"}`), at("spec.", "local.path Invalid", "nodeAffinity Required")},
		"a path of all disks":     {pv(`"hostPath":{"path":"/"},"persistentVolumeReclaimPolicy":"Recycle"`), at("spec.", "persistentVolumeReclaimPolicy Forbidden")},
		"a mode":                  {pv(`"hostPath":{"path":"/x"},"volumeMode":"Tape"`), at("spec.", "volumeMode NotSupported")},
		"a class":                 {pv(`"hostPath":{"path":"/x"},"storageClassName":"A"`), at("spec.", "storageClassName Invalid")},
		"a class's attributes":    {pv(`"hostPath":{"path":"/x"},"volumeAttributesClassName":""`), at("spec.", "volumeAttributesClassName Required", "csi Required")},
		"what it mounts with":     {`{"metadata":{"annotations":{"volume.beta.kubernetes.io/mount-options":"ro"}},` + pv(`"hostPath":{"path":"/x"}`)[1:], at("metadata.annotations.", "volume.beta.kubernetes.io/mount-options Forbidden")},
		"nodes that are none":     {pv(`"hostPath":{"path":"/x"},"nodeAffinity":{"required":{"nodeSelectorTerms":[]}}`), at("spec.nodeAffinity.required.", "nodeSelectorTerms Required")},
		"nodes of nothing at all": {pv(`"hostPath":{"path":"/x"},"nodeAffinity":{}`), at("spec.nodeAffinity.", "required Required")},
	}.run(t, "PersistentVolume")
}

func TestNodesAsAWholeHaveTheirRules(t *testing.T) {
	const annotations = "metadata.annotations."
	annotated := func(key, value string) string { return `{"metadata":{"annotations":{"` + key + `":"` + value + `"}}}` }
	const avoid, taints = "scheduler.alpha.kubernetes.io/preferAvoidPods", "scheduler.alpha.kubernetes.io/taints"
	wrong{
		"pods to avoid":         {annotated(avoid, `{\"preferAvoidPods\":[{},{\"podSignature\":{\"podController\":{}}}]}`), at(annotations+avoid, "[0].PodSignature Required", "[1].PodSignature.PodController.Controller Invalid")},
		"pods in no words":      {annotated(avoid, "x"), at(annotations, "AvoidPods Invalid")},
		"taints":                {annotated(taints, `[{\"key\":\"a\",\"effect\":\"Never\"}]`), at(annotations+taints, "[0].effect NotSupported")},
		"taints in no words":    {annotated(taints, "x"), at("metadata.", "annotations Invalid")},
		"features out of order": {`{"status":{"declaredFeatures":["B","A/b","A/b","c"]}}`, at("status.declaredFeatures", "[1] Invalid", "[2] Duplicate", "[3] Invalid")},
		"swap of no size":       {`{"status":{"nodeInfo":{"swap":{"capacity":0}}}}`, at("metadata.nodeSwapStatus.", "capacity Invalid")},
		"networks of one kind":  {`{"spec":{"podCIDRs":["2001:db8::/64","2001:db9::/64"]}}`, at("spec.", "podCIDRs Invalid")},
	}.run(t, "Node")
}
