package kinds

import (
	"fmt"
	"math"
	"regexp"
	"strings"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object/field"
)

// podSecurity is the security context of a pod: what its containers have in common.
//
// Upstream: pkg/api/validation/validation.go ValidatePodSecurityContext
// Now: pkg/apis/core/validation/validation.go validatePodSpecSecurityContext
func (s *podSpec) podSecurity(at string, v any) field.Errors {
	return rules.Fields{
		{Name: "fsGroup", Check: id},
		{Name: "runAsUser", Check: id},
		{Name: "runAsGroup", Check: id},
		{Name: "supplementalGroups", Check: rules.Each(id)},
		{Name: "shareProcessNamespace", Check: s.shared}, // upstream's path: the field is in the spec
		{Name: "sysctls", Check: s.sysctls},
		{Name: "fsGroupChangePolicy", Check: rules.Given(rules.MustBe("Always", "OnRootMismatch"))},
		{Name: "seccompProfile", Check: seccomp},
		{Name: "windowsOptions", Check: windowsOptions.Check},
		{Name: "appArmorProfile", Check: appArmor},
		{Name: "supplementalGroupsPolicy", Check: rules.Given(rules.MustBe("Merge", "Strict"))},
		{Name: "seLinuxChangePolicy", Check: rules.Given(rules.MustBe("MountOption", "Recursive"))},
	}.Check(at, v)
}

func (s *podSpec) shared(at string, _ any) field.Errors {
	if rules.Bool(s.tree, "shareProcessNamespace") && rules.Bool(s.tree, "hostPID") {
		return field.Errors{field.Invalid(at, true, "ShareProcessNamespace and HostPID cannot both be enabled")}
	}
	return nil
}

// id is the number of a user or a group.
var id = rules.Between(0, math.MaxInt32)

const sysctlFmt = `^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$`

var isSysctl = regexp.MustCompile(sysctlFmt)

// sysctls are parameters of the kernel. One that belongs to a namespace that
// the pod shares with its host is the host's.
//
// Upstream: pkg/api/validation/validation.go validateSysctls
func (s *podSpec) sysctls(at string, v any) (errs field.Errors) {
	const most = 253
	seen := map[string]bool{}
	list, _ := v.([]any)
	for i, e := range list {
		t, _ := e.(tree)
		here, name := rules.Index(at, i)+".name", rules.Text(t, "name")
		switch {
		case name == "":
			errs = append(errs, field.Required(here, ""))
		case len(name) > most || !isSysctl.MatchString(name):
			errs = append(errs, field.Invalid(here, name, fmt.Sprintf("must have at most %d characters and match regex %s", most, sysctlFmt)))
		case seen[name]:
			errs = append(errs, field.Duplicate(here, name))
		}
		seen[name] = true
		switch dotted := strings.ReplaceAll(name, "/", "."); {
		case rules.Bool(s.tree, "hostNetwork") && strings.HasPrefix(dotted, "net."):
			errs = append(errs, field.Invalid(here, name, "may not be specified when 'hostNetwork' is true"))
		case rules.Bool(s.tree, "hostIPC") && ofIPC(dotted):
			errs = append(errs, field.Invalid(here, name, "may not be specified when 'hostIPC' is true"))
		}
	}
	return errs
}

// ofIPC: message queues, semaphores and shared memory.
func ofIPC(sysctl string) bool {
	return sysctl == "kernel.sem" || strings.HasPrefix(sysctl, "kernel.shm") || strings.HasPrefix(sysctl, "kernel.msg") || strings.HasPrefix(sysctl, "fs.mqueue.")
}

// containerSecurity is the security context of one container.
//
// Upstream: pkg/api/validation/validation.go ValidateSecurityContext
func (s *podSpec) containerSecurity(at string, v any) field.Errors {
	c, ok := v.(tree)
	if !ok {
		return nil
	}
	privileged, shown := rules.Bool(c, "privileged"), s.options.asGo("SecurityContext", c)
	var errs field.Errors
	if privileged && !s.options.AllowPrivileged {
		errs = append(errs, field.Forbidden(at+".privileged", "disallowed by cluster policy"))
	}
	errs = append(errs, rules.Fields{
		{Name: "runAsUser", Check: id},
		{Name: "runAsGroup", Check: id},
		{Name: "procMount", Check: rules.Given(s.procMount)},
		{Name: "seccompProfile", Check: seccomp},
	}.Check(at, c)...)
	if c["allowPrivilegeEscalation"] == false {
		if privileged {
			errs = append(errs, field.Invalid(at, shown, "cannot set `allowPrivilegeEscalation` to false and `privileged` to true"))
		}
		for _, name := range rules.Texts(c, "capabilities", "add") {
			if name == "CAP_SYS_ADMIN" {
				errs = append(errs, field.Invalid(at, shown, "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN"))
			}
		}
	}
	errs = append(errs, windowsOptions.Check(at+".windowsOptions", c["windowsOptions"])...)
	return append(errs, appArmor(at+".appArmorProfile", c["appArmorProfile"])...)
}

func (s *podSpec) procMount(at string, v any) field.Errors {
	errs := rules.MustBe("Default", "Unmasked")(at, v)
	if v == "Unmasked" && s.tree["hostUsers"] != false {
		errs = append(errs, field.Invalid(at, v, "`hostUsers` must be false to use `Unmasked`"))
	}
	return errs
}

// seccomp says which system calls a container may use.
func seccomp(at string, v any) field.Errors {
	t, ok := v.(tree)
	if !ok {
		return nil
	}
	errs := rules.RequiredAs("type is required when seccompProfile is set", rules.OneOf("Localhost", "RuntimeDefault", "Unconfined"))(at+".type", t["type"])
	local := t["localhostProfile"]
	switch {
	case t["type"] == "Localhost" && local == nil:
		errs = append(errs, field.Required(at+".localhostProfile", "must be set when seccomp type is Localhost"))
	case t["type"] == "Localhost":
		errs = append(errs, rules.Words(rules.RelativePath)(at+".localhostProfile", local)...)
	case local != nil:
		shown := struct{ Type, LocalhostProfile any }{t["type"], local} // as upstream shows it
		errs = append(errs, field.Invalid(at+".localhostProfile", shown, "can only be set when seccomp type is Localhost"))
	}
	return errs
}

// appArmor says what a container may do with files.
//
// Now: pkg/apis/core/validation/validation.go ValidateAppArmorProfileField
func appArmor(at string, v any) (errs field.Errors) {
	const longest, missing = 4095, "must be set when AppArmor type is Localhost"
	t, ok := v.(tree)
	if !ok {
		return nil
	}
	at, kind, local := at+".localhostProfile", t["type"], t["localhostProfile"]
	file, _ := local.(string)
	switch {
	case kind != "Localhost":
		errs = rules.RequiredAs("type is required when appArmorProfile is set", rules.OneOf("Localhost", "RuntimeDefault", "Unconfined"))(rules.Beside(at, "type"), kind)
		if len(errs) == 0 && local != nil {
			errs = append(errs, field.Invalid(at, local, "can only be set when AppArmor type is Localhost"))
		}
	case strings.TrimSpace(file) != file:
		errs = append(errs, field.Invalid(at, file, "must not be padded with whitespace"))
	case file == "":
		errs = append(errs, field.Required(at, missing))
	}
	if kind == "Localhost" && len(file) > longest {
		errs = append(errs, field.TooLong(at, longest))
	}
	return errs
}
