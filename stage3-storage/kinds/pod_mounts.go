package kinds

import (
	"slices"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object/field"
)

// checkMounts checks where a container sees volumes.
//
// Upstream: pkg/api/validation/validation.go ValidateVolumeMounts
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
// Now: pkg/apis/core/validation/validation.go ValidateVolumeDevices
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
		errs = append(errs, mountedToo(path, d, c)...)
	}
	return errs
}

// mountedToo: what is a block device is not a directory as well.
func mountedToo(at string, d, c tree) (errs field.Errors) {
	for _, m := range rules.Items(c, "volumeMounts") {
		if name := rules.Text(d, "name"); name == rules.Text(m, "name") {
			errs = append(errs, field.Invalid(at+".name", name, "must not already exist in volumeMounts"))
			break
		}
	}
	for _, m := range rules.Items(c, "volumeMounts") {
		if device := rules.Text(d, "devicePath"); device == rules.Text(m, "mountPath") {
			errs = append(errs, field.Invalid(at+".devicePath", device, "must not already exist as a path in volumeMounts"))
			break
		}
	}
	return errs
}
