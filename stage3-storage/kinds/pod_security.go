package kinds

import (
	"fmt"
	"math"
	"regexp"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object/field"
)

// podSecurity is the security context of a pod: what its containers have in common.
//
// Upstream: pkg/apis/core/validation/validation.go ValidatePodSecurityContext
var podSecurity = rules.Fields{
	{Name: "fsGroup", Check: id},
	{Name: "runAsUser", Check: id},
	{Name: "runAsGroup", Check: id},
	{Name: "supplementalGroups", Check: rules.Each(id)},
	{Name: "sysctls", Check: rules.All(rules.Each(rules.Fields{{Name: "name", Check: rules.Required(rules.Words(sysctl))}}.Check), rules.Unique("name"))},
	{Name: "fsGroupChangePolicy", Check: rules.OneOf("Always", "OnRootMismatch")},
	{Name: "seccompProfile", Check: seccomp},
	{Name: "appArmorProfile", Check: appArmor},
	{Name: "supplementalGroupsPolicy", Check: rules.OneOf("Merge", "Strict")},
	{Name: "seLinuxChangePolicy", Check: rules.OneOf("MountOption", "Recursive")},
}

// id is the number of a user or a group.
var id = rules.Between(0, math.MaxInt32)

const sysctlFmt = `^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$`

var isSysctl = regexp.MustCompile(sysctlFmt)

func sysctl(s string) []string {
	const most = 253
	if len(s) > most || !isSysctl.MatchString(s) {
		return []string{fmt.Sprintf("must have at most %d characters and match regex %s", most, sysctlFmt)}
	}
	return nil
}

// containerSecurity is the security context of one container.
//
// Upstream: pkg/apis/core/validation/validation.go ValidateSecurityContext
func (s *podSpec) containerSecurity(at string, v any) field.Errors {
	c, ok := v.(tree)
	if !ok {
		return nil
	}
	privileged := rules.Bool(c, "privileged")
	var errs field.Errors
	if privileged && !s.options.AllowPrivileged {
		errs = append(errs, field.Forbidden(at+".privileged", "disallowed by cluster policy"))
	}
	errs = append(errs, rules.Fields{
		{Name: "runAsUser", Check: id},
		{Name: "runAsGroup", Check: id},
		{Name: "procMount", Check: s.procMount},
		{Name: "seccompProfile", Check: seccomp},
		{Name: "appArmorProfile", Check: appArmor},
	}.Check(at, c)...)
	if c["allowPrivilegeEscalation"] == false {
		if privileged {
			errs = append(errs, field.Invalid(at, c, "cannot set `allowPrivilegeEscalation` to false and `privileged` to true"))
		}
		for _, name := range rules.Texts(c, "capabilities", "add") {
			if name == "CAP_SYS_ADMIN" {
				errs = append(errs, field.Invalid(at, c, "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN"))
			}
		}
	}
	return errs
}

func (s *podSpec) procMount(at string, v any) field.Errors {
	errs := rules.OneOf("Default", "Unmasked")(at, v)
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
		errs = append(errs, field.Invalid(at+".localhostProfile", t, "can only be set when seccomp type is Localhost"))
	}
	return errs
}

// appArmor says what a container may do with files.
func appArmor(at string, v any) field.Errors {
	t, ok := v.(tree)
	if !ok {
		return nil
	}
	errs := rules.RequiredAs("type is required when appArmorProfile is set", rules.OneOf("Localhost", "RuntimeDefault", "Unconfined"))(at+".type", t["type"])
	local := t["localhostProfile"]
	switch {
	case t["type"] == "Localhost":
		errs = append(errs, rules.RequiredAs("must be set when AppArmor type is Localhost", rules.Trimmed)(at+".localhostProfile", local)...)
	case local != nil:
		errs = append(errs, field.Invalid(at+".localhostProfile", local, "can only be set when AppArmor type is Localhost"))
	}
	return errs
}
