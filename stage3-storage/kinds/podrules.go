package kinds

import (
	"fmt"
	"regexp"
	"slices"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/field"
	"example.com/kube-apiserver/stage3-storage/registry"
)

// checkPod returns all that is wrong with a pod.
//
// Upstream: pkg/apis/core/validation/validation.go ValidatePod
func checkPod(o *object.Object, allowPrivileged bool) field.Errors {
	return checkPodSpec("spec", spec(o), allowPrivileged)
}

// oneOf is a rule for a field that has one of a few values.
type oneOf struct {
	name    string
	allowed []string
}

var podEnums = []oneOf{
	{"restartPolicy", []string{"Always", "OnFailure", "Never"}},
	{"dnsPolicy", []string{"ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"}},
}

var containerEnums = []oneOf{
	{"terminationMessagePolicy", []string{"FallbackToLogsOnError", "File"}},
	{"imagePullPolicy", []string{"Always", "IfNotPresent", "Never"}},
}

func checkEnums(path string, t tree, rules []oneOf) (errs field.Errors) {
	for _, r := range rules {
		if v := asString(t[r.name]); v != "" && !slices.Contains(r.allowed, v) {
			sorted := slices.Sorted(slices.Values(r.allowed))
			errs = append(errs, field.NotSupported(path+"."+r.name, v, sorted...))
		}
	}
	return errs
}

func checkPodSpec(path string, s tree, allowPrivileged bool) (errs field.Errors) {
	volumes := map[string]bool{}
	each(s["volumes"], func(i int, v tree) {
		at := fmt.Sprintf("%s.volumes[%d]", path, i)
		name := asString(v["name"])
		errs = append(errs, checkLabelName(at+".name", name)...)
		if volumes[name] && name != "" {
			errs = append(errs, field.Duplicate(at+".name", name))
		}
		volumes[name] = true
	})
	names := map[string]bool{}
	if len(asList(s["containers"])) == 0 {
		errs = append(errs, field.Required(path+".containers", ""))
	}
	each(s["containers"], func(i int, c tree) {
		errs = append(errs, checkContainer(fmt.Sprintf("%s.containers[%d]", path, i), c, names, volumes, allowPrivileged)...)
	})
	each(s["initContainers"], func(i int, c tree) {
		errs = append(errs, checkContainer(fmt.Sprintf("%s.initContainers[%d]", path, i), c, names, volumes, allowPrivileged)...)
	})
	errs = append(errs, checkEnums(path, s, podEnums)...)
	if n := asInt(s["terminationGracePeriodSeconds"]); n < 0 {
		errs = append(errs, field.Invalid(path+".terminationGracePeriodSeconds", n, "must be greater than or equal to 0"))
	}
	if d := s["activeDeadlineSeconds"]; d != nil && asInt(d) < 1 {
		errs = append(errs, field.Invalid(path+".activeDeadlineSeconds", d, "must be between 1 and 2147483647, inclusive"))
	}
	for _, name := range []string{"serviceAccountName", "nodeName"} {
		if v := asString(s[name]); v != "" {
			for _, p := range registry.DNSSubdomain(v) {
				errs = append(errs, field.Invalid(path+"."+name, v, p))
			}
		}
	}
	return append(errs, registry.ValidateLabels(path+".nodeSelector", stringMap(asTree(s["nodeSelector"])))...)
}

func checkLabelName(path, name string) (errs field.Errors) {
	if name == "" {
		return field.Errors{field.Required(path, "")}
	}
	for _, p := range registry.DNSLabel(name) {
		errs = append(errs, field.Invalid(path, name, p))
	}
	return errs
}

func checkContainer(path string, c tree, names, volumes map[string]bool, allowPrivileged bool) (errs field.Errors) {
	name := asString(c["name"])
	errs = append(errs, checkLabelName(path+".name", name)...)
	if names[name] && name != "" {
		errs = append(errs, field.Duplicate(path+".name", name))
	}
	names[name] = true
	if asString(c["image"]) == "" {
		errs = append(errs, field.Required(path+".image", ""))
	}
	errs = append(errs, checkPorts(path+".ports", c["ports"])...)
	errs = append(errs, checkEnv(path+".env", c["env"])...)
	mounted := map[string]bool{}
	each(c["volumeMounts"], func(i int, m tree) {
		at := fmt.Sprintf("%s.volumeMounts[%d]", path, i)
		switch v := asString(m["name"]); {
		case v == "":
			errs = append(errs, field.Required(at+".name", ""))
		case !volumes[v]:
			errs = append(errs, field.NotFound(at+".name", v))
		}
		p := asString(m["mountPath"])
		if p == "" {
			errs = append(errs, field.Required(at+".mountPath", ""))
		} else if mounted[p] {
			errs = append(errs, field.Invalid(at+".mountPath", p, "must be unique"))
		}
		mounted[p] = true
	})
	errs = append(errs, checkEnums(path, c, containerEnums)...)
	if asBool(at(c, "securityContext", "privileged")) && !allowPrivileged {
		errs = append(errs, field.Forbidden(path+".securityContext.privileged", "disallowed by cluster policy"))
	}
	return errs
}

var portName = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`)

func checkPorts(path string, list any) (errs field.Errors) {
	names := map[string]bool{}
	each(list, func(i int, p tree) {
		at := fmt.Sprintf("%s[%d]", path, i)
		if name := asString(p["name"]); name != "" {
			if len(name) > 15 || !portName.MatchString(name) {
				errs = append(errs, field.Invalid(at+".name", name, "must be no more than 15 characters"))
			}
			if names[name] {
				errs = append(errs, field.Duplicate(at+".name", name))
			}
			names[name] = true
		}
		switch n := asInt(p["containerPort"]); {
		case n == 0:
			errs = append(errs, field.Required(at+".containerPort", ""))
		case n < 1 || n > 65535:
			errs = append(errs, field.Invalid(at+".containerPort", n, "must be between 1 and 65535, inclusive"))
		}
		if n := asInt(p["hostPort"]); n < 0 || n > 65535 {
			errs = append(errs, field.Invalid(at+".hostPort", n, "must be between 1 and 65535, inclusive"))
		}
		errs = append(errs, checkEnums(at, p, []oneOf{{"protocol", []string{"SCTP", "TCP", "UDP"}}})...)
	})
	return errs
}

func checkEnv(path string, list any) (errs field.Errors) {
	each(list, func(i int, e tree) {
		at := fmt.Sprintf("%s[%d]", path, i)
		if asString(e["name"]) == "" {
			errs = append(errs, field.Required(at+".name", ""))
		}
		if e["valueFrom"] != nil && asString(e["value"]) != "" {
			errs = append(errs, field.Invalid(at+".valueFrom", "", "may not be specified when `value` is not empty"))
		}
	})
	return errs
}

// checkPodUpdate refuses changes of what a running pod cannot change.
//
// Upstream: pkg/apis/core/validation/validation.go ValidatePodUpdate
func checkPodUpdate(o, old *object.Object) (errs field.Errors) {
	now, before := o.DeepCopy(), old.DeepCopy()
	for _, list := range []string{"containers", "initContainers"} {
		were := asList(spec(before)[list])
		each(spec(now)[list], func(i int, c tree) {
			if asString(c["image"]) == "" {
				errs = append(errs, field.Required(fmt.Sprintf("spec.%s[%d].image", list, i), ""))
			}
			if i < len(were) {
				c["image"] = asTree(were[i])["image"]
			}
		})
	}
	for _, name := range []string{"activeDeadlineSeconds", "tolerations", "terminationGracePeriodSeconds", "schedulingGates"} {
		if v, ok := spec(before)[name]; ok {
			spec(now)[name] = v
		} else {
			delete(spec(now), name)
		}
	}
	if len(asList(spec(o)["containers"])) != len(asList(spec(old)["containers"])) {
		return append(errs, field.Forbidden("spec.containers", "pod updates may not add or remove containers"))
	}
	if !sameJSON(now.Fields["spec"], before.Fields["spec"]) {
		errs = append(errs, field.Forbidden("spec", "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)"))
	}
	return errs
}
