package kinds

import (
	"regexp"
	"slices"
	"strings"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object/field"
	"example.com/kube-apiserver/stage3-storage/wire/metadata"
)

// envVar is a variable with a value, or with a place where to find it.
//
// Upstream: pkg/api/validation/validation.go ValidateEnv
func envVar(at string, v any) field.Errors {
	e, _ := v.(tree)
	errs := rules.Required(rules.Words(rules.EnvName))(at+".name", e["name"])
	from := rules.Map(e, "valueFrom")
	if from == nil {
		return errs
	}
	path := at + ".valueFrom"
	n := 0
	for _, source := range valueSources {
		if s := from[source.Name]; s != nil {
			n++
			errs = append(errs, source.Check(rules.Join(path, source.Name), s)...)
		}
	}
	switch {
	case n == 0:
		errs = append(errs, field.Invalid(path, "", "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`"))
	case rules.Text(e, "value") != "":
		errs = append(errs, field.Invalid(path, "", "may not be specified when `value` is not empty"))
	case n > 1:
		errs = append(errs, field.Invalid(path, "", "may not have more than one field specified at a time"))
	}
	return errs
}

var valueSources = rules.Fields{
	{Name: "fieldRef", Check: fieldRef(envFields)},
	{Name: "resourceFieldRef", Check: resourceRef(false)},
	{Name: "configMapKeyRef", Check: keyRef.Check},
	{Name: "secretKeyRef", Check: keyRef.Check},
	{Name: "fileKeyRef", Check: rules.Fields{
		{Name: "key", Check: rules.Required(rules.Words(rules.EnvName))},
		{Name: "volumeName", Check: rules.Required(rules.Label)},
		{Name: "path", Check: rules.Required(rules.Words(rules.NoBacksteps))},
	}.Check},
}

var keyRef = rules.Fields{
	{Name: "name", Check: rules.Strictly(metadata.DNSSubdomain)},
	{Name: "key", Check: rules.Required(rules.Words(rules.DataKey))},
}

var (
	envFields = []string{
		"metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName",
		"status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs",
	}
	volumeFields = []string{"metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid"}
	// podFieldPaths are those that exist, allowed or not.
	podFieldPaths = append(slices.Concat(envFields, volumeFields), "spec.restartPolicy", "spec.schedulerName", "status.phase", "spec.host")
	subscripted   = regexp.MustCompile(`^(.*)\['(.*)'\]$`)
)

// fieldRef points to a field of the pod itself.
//
// Upstream: pkg/api/validation/validation.go validateObjectFieldSelector
func fieldRef(allowed []string) rules.Check {
	return func(at string, v any) field.Errors {
		t, _ := v.(tree)
		path := rules.Text(t, "fieldPath")
		if rules.Text(t, "apiVersion") == "" {
			return field.Errors{field.Required(at+".apiVersion", "")}
		}
		if path == "" {
			return field.Errors{field.Required(at+".fieldPath", "")}
		}
		if version := rules.Text(t, "apiVersion"); version != "v1" {
			return field.Errors{field.Invalid(at+".fieldPath", path, "error converting fieldPath: unsupported pod version: "+version)}
		}
		if m := subscripted.FindStringSubmatch(path); m != nil {
			return subscript(at, path, m[1], m[2])
		}
		if !slices.Contains(podFieldPaths, path) {
			return field.Errors{field.Invalid(at+".fieldPath", path, "error converting fieldPath: field label not supported: "+path)}
		}
		if path == "spec.host" {
			path = "spec.nodeName" // its name in the first API
		}
		if !slices.Contains(allowed, path) {
			return field.Errors{field.NotSupported(at+".fieldPath", path, allowed...)}
		}
		return nil
	}
}

// subscript points to one label or one annotation.
func subscript(at, path, of, key string) field.Errors {
	switch of {
	case "metadata.labels":
		return rules.LabelKey(at, key)
	case "metadata.annotations":
		return rules.LabelKey(at, strings.ToLower(key))
	}
	return field.Errors{field.Invalid(at+".fieldPath", path, "error converting fieldPath: field label does not support subscript: "+path)}
}

var containerAmounts = []string{
	"limits.cpu", "limits.ephemeral-storage", "limits.memory",
	"requests.cpu", "requests.ephemeral-storage", "requests.memory",
}

// resourceRef points to what a container asks for; in a volume it has to say which.
//
// Upstream: pkg/api/validation/validation.go validateContainerResourceFieldSelector
func resourceRef(volume bool) rules.Check {
	return func(at string, v any) field.Errors {
		t, _ := v.(tree)
		name := rules.Text(t, "resource")
		huge := strings.HasPrefix(name, "limits.hugepages-") || strings.HasPrefix(name, "requests.hugepages-")
		var errs field.Errors
		switch {
		case volume && rules.Text(t, "containerName") == "":
			errs = append(errs, field.Required(at+".containerName", ""))
		case name == "":
			errs = append(errs, field.Required(at+".resource", ""))
		case !huge && !slices.Contains(containerAmounts, name):
			errs = append(errs, field.NotSupported(at+".resource", name, containerAmounts...))
		default:
			errs = divisor(at+".divisor", name, rules.Text(t, "divisor"))
		}
		return errs
	}
}

// units are what an amount of bytes may be counted in.
const units = "1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei"

func divisor(at, resource, by string) field.Errors {
	_, name, _ := strings.Cut(resource, ".")
	switch {
	case by == "" || by == "0":
	case name == "cpu":
		if by != "1" && by != "1m" {
			return field.Errors{field.Invalid(at, resource, "only divisor's values 1m and 1 are supported with the cpu resource")}
		}
	case !slices.Contains(strings.Split(units, ", "), by):
		if name == "ephemeral-storage" {
			name = "local ephemeral storage"
		} else if hugePages(name) {
			name = "hugepages"
		}
		return field.Errors{field.Invalid(at, resource, "only divisor's values "+units+" are supported with the "+name+" resource")}
	}
	return nil
}

// envFrom takes whole objects as variables. Upstream complains of the list
// where an entry names none.
func envFrom(at string, v any) (errs field.Errors) {
	object := rules.Fields{{Name: "name", Check: rules.Required(rules.Subdomain)}}
	sources := rules.Fields{{Name: "configMapRef", Check: object.Check}, {Name: "secretRef", Check: object.Check}}
	for i, e := range rules.Items(tree{"": v}, "") {
		here := rules.Index(at, i)
		errs = append(errs, rules.Words(rules.EnvName)(here+".prefix", e["prefix"])...)
		errs = append(errs, sources.Check(here, e)...)
		switch {
		case e["configMapRef"] == nil && e["secretRef"] == nil:
			errs = append(errs, field.Invalid(at, "", "must specify one of: `configMapRef` or `secretRef`"))
		case e["configMapRef"] != nil && e["secretRef"] != nil:
			errs = append(errs, field.Invalid(at, "", "may not have more than one field specified at a time"))
		}
	}
	return errs
}
