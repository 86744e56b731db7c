package kinds

import (
	"slices"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object/field"
)

const oneVolumeType = "may not specify more than 1 volume type"

// volumeSources are what a volume can be made of, in the order in which
// upstream looks for them. Those of single vendors are taken as they are.
//
// Upstream: pkg/apis/core/validation/validation.go validateVolumeSource
var volumeSources = rules.Fields{
	{Name: "emptyDir", Check: emptyDir},
	{Name: "hostPath", Check: hostPath.Check},
	{Name: "gitRepo", Check: rules.Fields{{Name: "repository", Check: rules.Required()}, {Name: "directory", Check: rules.Words(rules.VolumePath)}}.Check},
	{Name: "gcePersistentDisk", Check: rules.Anything},
	{Name: "awsElasticBlockStore", Check: rules.Anything},
	{Name: "secret", Check: filesOf("secretName").Check},
	{Name: "nfs", Check: nfs.Check},
	{Name: "iscsi", Check: rules.Anything},
	{Name: "glusterfs", Check: rules.Anything},
	{Name: "flocker", Check: rules.Anything},
	{Name: "persistentVolumeClaim", Check: rules.Fields{{Name: "claimName", Check: rules.Required()}}.Check},
	{Name: "rbd", Check: rules.Anything},
	{Name: "cinder", Check: rules.Anything},
	{Name: "cephfs", Check: rules.Anything},
	{Name: "quobyte", Check: rules.Anything},
	{Name: "downwardAPI", Check: downwardAPI},
	{Name: "fc", Check: rules.Anything},
	{Name: "flexVolume", Check: rules.Anything},
	{Name: "configMap", Check: filesOf("name").Check},
	{Name: "azureFile", Check: rules.Anything},
	{Name: "vsphereVolume", Check: rules.Anything},
	{Name: "photonPersistentDisk", Check: rules.Anything},
	{Name: "portworxVolume", Check: rules.Anything},
	{Name: "azureDisk", Check: rules.Anything},
	{Name: "storageos", Check: rules.Anything},
	{Name: "scaleIO", Check: rules.Anything},
	{Name: "projected", Check: projected},
	{Name: "csi", Check: rules.Fields{{Name: "driver", Check: rules.Required(rules.Subdomain)}}.Check},
	{Name: "ephemeral", Check: rules.Fields{{Name: "volumeClaimTemplate", Check: claimTemplate}}.Check},
	{Name: "image", Check: rules.Fields{{Name: "pullPolicy", Check: rules.OneOf("Always", "IfNotPresent", "Never")}}.Check},
}

// checkVolumes checks the volumes and remembers those that are right.
//
// Upstream: pkg/apis/core/validation/validation.go ValidateVolumes
func (s *podSpec) checkVolumes(at string) (errs field.Errors) {
	s.volumes = map[string]tree{}
	for i, v := range rules.Items(s.tree, "volumes") {
		path, name := rules.Index(at, i), rules.Text(v, "name")
		wrong, n := volumeSources.Only(path, v, oneVolumeType)
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
	}
	return errs
}

func emptyDir(at string, v any) field.Errors {
	t, _ := v.(tree)
	if limit, ok := rules.Quantity(t["sizeLimit"]); ok && limit.Sign() < 0 {
		return field.Errors{field.Forbidden(at+".sizeLimit", "SizeLimit field must be a valid resource quantity")}
	}
	return nil
}

var hostPath = rules.Fields{
	{Name: "path", Check: rules.Required(rules.Words(rules.NoBacksteps))},
	{Name: "type", Check: rules.OneOf("", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket")},
}

var nfs = rules.Fields{
	{Name: "server", Check: rules.Required()},
	{Name: "path", Check: rules.Required(rules.Words(rules.AbsolutePath))},
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

// projected is a volume of several sources.
//
// Upstream: pkg/apis/core/validation/validation.go validateProjectedVolumeSource
func projected(at string, v any) field.Errors {
	t, _ := v.(tree)
	errs := rules.FileMode(at+".defaultMode", t["defaultMode"])
	sources := rules.Fields{
		{Name: "secret", Check: filesOf("name").Check},
		{Name: "configMap", Check: filesOf("name").Check},
		{Name: "downwardAPI", Check: downwardAPI},
		{Name: "serviceAccountToken", Check: func(path string, v any) field.Errors { return projectedToken(at, path, v) }},
		{Name: "clusterTrustBundle", Check: rules.Anything},
		{Name: "podCertificate", Check: rules.Anything},
	}
	for i, s := range rules.Items(t, "sources") {
		path := rules.Index(at+".sources", i)
		wrong, n := sources.Only(path, s, oneVolumeType)
		if n == 0 {
			wrong = append(wrong, field.Required(path, "must specify a volume type"))
		}
		errs = append(errs, wrong...)
	}
	return errs
}

func projectedToken(volume, at string, v any) (errs field.Errors) {
	t, _ := v.(tree)
	switch n := rules.Int(t, "expirationSeconds"); {
	case t["expirationSeconds"] == nil:
		errs = append(errs, field.Required(at+".expirationSeconds", ""))
	case n < 600:
		errs = append(errs, field.Invalid(at+".expirationSeconds", n, "may not specify a duration less than 10 minutes"))
	case n > 1<<32:
		errs = append(errs, field.Invalid(at+".expirationSeconds", n, "may not specify a duration larger than 2^32 seconds"))
	}
	return append(errs, rules.Required(rules.Words(rules.VolumePath))(volume+".path", t["path"])...)
}

// checkMounts checks where a container sees volumes.
//
// Upstream: pkg/apis/core/validation/validation.go ValidateVolumeMounts
func (s *podSpec) checkMounts(at string, c tree) (errs field.Errors) {
	var seen []string
	for i, m := range rules.Items(c, "volumeMounts") {
		path, name, mount := rules.Index(at, i), rules.Text(m, "name"), rules.Text(m, "mountPath")
		errs = append(errs, rules.Required()(path+".name", m["name"])...)
		if s.volumes[name] == nil {
			errs = append(errs, field.NotFound(path+".name", name))
		}
		errs = append(errs, rules.Required()(path+".mountPath", m["mountPath"])...)
		if slices.Contains(seen, mount) {
			errs = append(errs, field.Invalid(path+".mountPath", mount, "must be unique"))
		}
		seen = append(seen, mount)
		for _, d := range rules.Items(c, "volumeDevices") {
			if d["name"] == name {
				errs = append(errs, field.Invalid(path+".name", name, "must not already exist in volumeDevices"))
			}
			if d["devicePath"] == mount {
				errs = append(errs, field.Invalid(path+".mountPath", mount, "must not already exist as a path in volumeDevices"))
			}
		}
		errs = append(errs, checkMount(at, path, m, rules.Bool(c, "securityContext", "privileged"))...)
	}
	return errs
}

// checkMount has the rules of one mount by itself. Some complain of the list:
// upstream's paths.
func checkMount(at, path string, m tree, privileged bool) field.Errors {
	errs := rules.Words(rules.RelativePath)(at+".subPath", m["subPath"])
	if expr := rules.Text(m, "subPathExpr"); expr != "" {
		if rules.Text(m, "subPath") != "" {
			errs = append(errs, field.Invalid(path+".subPathExpr", expr, "subPathExpr and subPath are mutually exclusive"))
		}
		errs = append(errs, rules.Words(rules.RelativePath)(at+".subPathExpr", expr)...)
	}
	propagation := m["mountPropagation"]
	errs = append(errs, rules.OneOf("Bidirectional", "HostToContainer", "None")(at+".mountPropagation", propagation)...)
	if propagation == "Bidirectional" && !privileged {
		errs = append(errs, field.Forbidden(at+".mountPropagation", "Bidirectional mount propagation is available only to privileged containers"))
	}
	recursive := m["recursiveReadOnly"]
	errs = append(errs, rules.OneOf("Disabled", "Enabled", "IfPossible")(at+".recursiveReadOnly", recursive)...)
	if recursive == "Enabled" || recursive == "IfPossible" {
		if !rules.Bool(m, "readOnly") {
			errs = append(errs, field.Forbidden(at+".recursiveReadOnly", "may only be specified when readOnly is true"))
		}
		if propagation != nil && propagation != "None" {
			errs = append(errs, field.Forbidden(at+".recursiveReadOnly", "may only be specified when mountPropagation is None or not specified"))
		}
	}
	return errs
}

// checkDevices checks where a container sees block devices.
//
// Upstream: pkg/apis/core/validation/validation.go ValidateVolumeDevices
func (s *podSpec) checkDevices(at string, c tree) (errs field.Errors) {
	var names, paths []string
	for i, d := range rules.Items(c, "volumeDevices") {
		path, name, device := rules.Index(at, i), rules.Text(d, "name"), rules.Text(d, "devicePath")
		errs = append(errs, rules.Required()(path+".name", d["name"])...)
		if name != "" && slices.Contains(names, name) {
			errs = append(errs, field.Invalid(path+".name", name, "must be unique"))
		}
		v := s.volumes[name]
		switch {
		case v == nil:
			errs = append(errs, field.NotFound(path+".name", name))
		case v["persistentVolumeClaim"] == nil && v["ephemeral"] == nil:
			errs = append(errs, field.Invalid(path+".name", name, "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode"))
		}
		errs = append(errs, rules.Required()(path+".devicePath", d["devicePath"])...)
		if slices.Contains(paths, device) {
			errs = append(errs, field.Invalid(path+".devicePath", device, "must be unique"))
		}
		if len(rules.NoBacksteps(device)) > 0 {
			errs = append(errs, field.Invalid(path+".devicePath", device, "can not contain backsteps ('..')"))
		}
		names, paths = append(names, name), append(paths, device)
	}
	return errs
}
