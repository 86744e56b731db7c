package kinds

import (
	"fmt"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object/field"
	"example.com/kube-apiserver/stage3-storage/wire/metadata"
)

const oneVolumeType = "may not specify more than 1 volume type"

// sources are what a volume can be made of, in the order in which upstream
// looks for them.
//
// Upstream: pkg/api/validation/validation.go validateVolumeSource
func (s *podSpec) sources() rules.Fields {
	reference := rules.Anything
	if s.pod { // templates may leave it to whoever makes pods of them
		reference = rules.Required()
	}
	return rules.Fields{
		{Name: "emptyDir", Check: emptyDir},
		{Name: "hostPath", Check: hostPath},
		{Name: "gitRepo", Check: rules.Fields{{Name: "repository", Check: rules.Required()}, {Name: "directory", Check: rules.Words(rules.RelativePath)}}.Check},
		{Name: "gcePersistentDisk", Check: asDisk(gcePersistentDisk.Check)},
		{Name: "awsElasticBlockStore", Check: awsElasticBlockStore.Check},
		{Name: "secret", Check: filesOf("secretName").Check},
		{Name: "nfs", Check: nfs.Check},
		{Name: "iscsi", Check: iscsi("must be valid format starting with iqn, eui, or naa", nil)},
		{Name: "glusterfs", Check: glusterfs.Check},
		{Name: "flocker", Check: flocker},
		{Name: "persistentVolumeClaim", Check: rules.Fields{{Name: "claimName", Check: rules.Required()}}.Check},
		{Name: "rbd", Check: rbd.Check},
		{Name: "cinder", Check: cinder.Check},
		{Name: "cephfs", Check: cephfs.Check},
		{Name: "quobyte", Check: quobyte},
		{Name: "downwardAPI", Check: downwardAPI},
		{Name: "fc", Check: fibreChannel},
		{Name: "flexVolume", Check: flexVolume.Check},
		{Name: "configMap", Check: filesOf("name").Check},
		{Name: "azureFile", Check: azureFile.Check},
		{Name: "vsphereVolume", Check: vsphereVolume.Check},
		{Name: "photonPersistentDisk", Check: photonPersistentDisk.Check},
		{Name: "portworxVolume", Check: portworxVolume.Check},
		{Name: "azureDisk", Check: azureDisk},
		{Name: "storageos", Check: storageOS.Check},
		{Name: "projected", Check: projected},
		{Name: "scaleIO", Check: scaleIO.Check},
		{Name: "csi", Check: inlineCSI},
		{Name: "ephemeral", Check: rules.Fields{{Name: "volumeClaimTemplate", Check: claimTemplate}}.Check},
		{Name: "image", Check: rules.Fields{{Name: "reference", Check: reference}, {Name: "pullPolicy", Check: rules.Required(rules.OneOf("Always", "IfNotPresent", "Never"))}}.Check},
	}
}

// inlineCSI is a volume that a driver makes for one pod.
func inlineCSI(at string, v any) field.Errors {
	t, _ := v.(tree)
	errs := csiDriver(at+".driver", t["driver"])
	if secret := rules.Map(t, "nodePublishSecretRef"); secret != nil {
		name := rules.Text(secret, "name")
		if name == "" {
			return append(errs, field.Required(at+".nodePublishSecretRef.name", ""))
		}
		errs = append(errs, rules.Subdomain(at+".name", name)...) // upstream's path
	}
	return errs
}

// checkVolumes checks the volumes and remembers those that are right.
//
// Upstream: pkg/api/validation/validation.go ValidateVolumes
func (s *podSpec) checkVolumes(at string) (errs field.Errors) {
	s.volumes = map[string]tree{}
	made := map[string]bool{} // claims that the pod makes for itself
	for _, v := range rules.Items(s.tree, "volumes") {
		if v["ephemeral"] != nil && s.name != "" {
			made[s.name+"-"+rules.Text(v, "name")] = true
		}
	}
	sources := s.sources()
	for i, v := range rules.Items(s.tree, "volumes") {
		path, name := rules.Index(at, i), rules.Text(v, "name")
		wrong, n := sources.Only(path, v, oneVolumeType)
		wrong = append(wrong, s.checkDerived(path, name, v)...)
		if n == 0 {
			wrong = append(wrong, field.Required(path, "must specify a volume type"))
		}
		wrong = append(wrong, rules.Required(rules.Label)(path+".name", v["name"])...)
		if s.volumes[name] != nil {
			wrong = append(wrong, field.Duplicate(path+".name", name))
		}
		if len(wrong) == 0 {
			s.volumes[name] = v
		}
		errs = append(errs, wrong...)
		if claim := rules.Text(v, "persistentVolumeClaim", "claimName"); made[claim] {
			errs = append(errs, field.Invalid(path+".persistentVolumeClaim.claimName", claim, "must not reference a PVC that gets created for an ephemeral volume"))
		}
	}
	return errs
}

// checkDerived: names that are made of the volume's name have limits of their own.
func (s *podSpec) checkDerived(at, name string, v tree) (errs field.Errors) {
	if disk := rules.Map(v, "iscsi"); disk["initiatorName"] != nil && len(name)+len(":")+len(rules.Text(disk, "targetPortal")) > 64 {
		errs = append(errs, field.Invalid(at+".name", name, longTarget))
	}
	if v["ephemeral"] != nil && s.name != "" && name != "" {
		claim := s.name + "-" + name
		for _, p := range metadata.DNSSubdomain(claim) {
			errs = append(errs, field.Invalid(at+".name", name, fmt.Sprintf("PVC name %q: %s", claim, p)))
		}
	}
	return errs
}

const longTarget = "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified."

func emptyDir(at string, v any) field.Errors {
	t, _ := v.(tree)
	if limit, ok := rules.Quantity(t["sizeLimit"]); ok && limit.Sign() < 0 {
		return field.Errors{field.Forbidden(at+".sizeLimit", "SizeLimit field must be a valid resource quantity")}
	}
	return nil
}

// filesOf is a volume of the keys of an object; name is the field that names it.
func filesOf(name string) rules.Fields {
	return rules.Fields{
		{Name: name, Check: rules.Required()},
		{Name: "defaultMode", Check: rules.FileMode},
		{Name: "items", Check: rules.Each(keyToPath.Check)},
	}
}

var keyToPath = rules.Fields{
	{Name: "key", Check: rules.Required()},
	{Name: "path", Check: rules.Required(rules.Words(rules.VolumePath))},
	{Name: "mode", Check: rules.FileMode},
}

// downwardAPI is a volume of the pod's own fields. The paths of complaints do
// not say which file it is; upstream's do not either.
func downwardAPI(at string, v any) field.Errors {
	t, _ := v.(tree)
	errs := rules.FileMode(at+".defaultMode", t["defaultMode"])
	for _, file := range rules.Items(t, "items") {
		errs = append(errs, downwardFile(at, file)...)
	}
	return errs
}

func downwardFile(at string, file tree) field.Errors {
	errs := rules.Required(rules.Words(rules.VolumePath))(at+".path", file["path"])
	ref, resource := file["fieldRef"], file["resourceFieldRef"]
	switch {
	case ref != nil:
		errs = append(errs, fieldRef(volumeFields)(at+".fieldRef", ref)...)
		if resource != nil {
			errs = append(errs, field.Invalid(at, "resource", "fieldRef and resourceFieldRef can not be specified simultaneously"))
		}
	case resource != nil:
		errs = append(errs, resourceRef(true)(at+".resourceFieldRef", resource)...)
	default:
		errs = append(errs, field.Required(at, "one of fieldRef and resourceFieldRef is required"))
	}
	return append(errs, rules.FileMode(at+".mode", file["mode"])...)
}
