package kinds

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object/field"
)

// This file has the rules about the operating system that a pod is for.

// checkOS: what the one system has, a pod for the other one cannot ask for.
//
// Now: pkg/apis/core/validation/validation.go validateOS
func (s *podSpec) checkOS(at string) (errs field.Errors) {
	os := rules.Map(s.tree, "os")
	switch name := rules.Text(os, "name"); {
	case os == nil:
	case name == "":
		errs = append(errs, field.Required(at+".os.name", "cannot be empty"))
	case name == "linux":
		errs = append(errs, s.without(at, nil, []string{"windowsOptions"}, []string{"windowsOptions"}, "windows options cannot be set for a linux pod")...)
	case name == "windows":
		errs = append(errs, s.without(at, notWindows, notWindowsPod, notWindowsContainer, "cannot be set for a windows pod")...)
	default:
		errs = append(errs, field.NotSupported(at+".os", name, "linux", "windows"))
	}
	return errs
}

var (
	notWindows    = []string{"hostUsers", "hostPID", "hostIPC", "shareProcessNamespace"}
	notWindowsPod = []string{
		"appArmorProfile", "seLinuxOptions", "seccompProfile", "fsGroup", "fsGroupChangePolicy", "sysctls",
		"runAsUser", "runAsGroup", "supplementalGroups", "supplementalGroupsPolicy", "seLinuxChangePolicy",
	}
	notWindowsContainer = []string{
		"appArmorProfile", "seLinuxOptions", "seccompProfile", "capabilities", "readOnlyRootFilesystem",
		"privileged", "allowPrivilegeEscalation", "procMount", "runAsUser", "runAsGroup",
	}
)

// without complains of fields of the spec, of its security context, and of
// those of its containers.
func (s *podSpec) without(at string, fields, ofPod, ofContainers []string, why string) (errs field.Errors) {
	forbid := func(at string, t tree, names []string) {
		for _, name := range names {
			if v := t[name]; v != nil && v != false {
				errs = append(errs, field.Forbidden(rules.Join(at, name), why))
			}
		}
	}
	forbid(at, s.tree, fields)
	forbid(at+".securityContext", rules.Map(s.tree, "securityContext"), ofPod)
	for path, c := range s.everyContainer(at) {
		forbid(path+".securityContext", rules.Map(c, "securityContext"), ofContainers)
	}
	return errs
}

// stopSignal depends on the system: each has its own.
//
// Now: pkg/apis/core/validation/validation.go validateStopSignal
func (s *podSpec) stopSignal(at string, v any) field.Errors {
	switch os := rules.Text(s.tree, "os", "name"); {
	case v == nil:
	case os == "":
		return field.Errors{field.Forbidden(at, "may not be set for containers with empty `spec.os.name`")}
	case os == "windows":
		return rules.MustBe("SIGKILL", "SIGTERM")(at, v)
	case os == "linux":
		return rules.MustBe(signals()...)(at, v)
	}
	return nil
}

// signals are those of Linux, the real-time ones among them.
func signals() []string {
	list := strings.Fields(`SIGABRT SIGALRM SIGBUS SIGCHLD SIGCLD SIGCONT SIGFPE SIGHUP SIGILL SIGINT SIGIO SIGIOT SIGKILL SIGPIPE
		SIGPOLL SIGPROF SIGPWR SIGQUIT SIGRTMAX SIGRTMIN SIGSEGV SIGSTKFLT SIGSTOP SIGSYS SIGTERM SIGTRAP SIGTSTP SIGTTIN SIGTTOU
		SIGURG SIGUSR1 SIGUSR2 SIGVTALRM SIGWINCH SIGXCPU SIGXFSZ`)
	for n := 1; n <= 15; n++ {
		list = append(list, fmt.Sprintf("SIGRTMIN+%d", n))
		if n <= 14 {
			list = append(list, fmt.Sprintf("SIGRTMAX-%d", n))
		}
	}
	slices.Sort(list)
	return list
}

// windowsOptions are the part of a security context that is for Windows.
//
// Now: pkg/apis/core/validation/validation.go validateWindowsSecurityContextOptions
var windowsOptions = rules.Fields{
	{Name: "gmsaCredentialSpecName", Check: rules.Subdomain},
	{Name: "gmsaCredentialSpec", Check: func(at string, v any) field.Errors {
		const most = 64
		switch spec, there := v.(string); {
		case there && spec == "":
			return field.Errors{field.Invalid(at, spec, "gmsaCredentialSpec cannot be an empty string")}
		case len(spec) > most<<10:
			return field.Errors{field.Invalid(at, spec, fmt.Sprintf("gmsaCredentialSpec size must be under %d KiB", most))}
		}
		return nil
	}},
	{Name: "runAsUserName", Check: func(at string, v any) (errs field.Errors) {
		if name, there := v.(string); there {
			for _, p := range windowsUser(name) {
				errs = append(errs, field.Invalid(at, name, p))
			}
		}
		return errs
	}},
}

var (
	netBIOSName = regexp.MustCompile(`^[^\\/:\*\?"<>|\.][^\\/:\*\?"<>|]{0,14}$`)
	windowsDNS  = regexp.MustCompile(`^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$`)
	controls    = regexp.MustCompile(`[[:cntrl:]]`)
)

// windowsUser is a user of Windows, perhaps with a domain and a backslash in front.
func windowsUser(s string) (problems []string) {
	domain, user, hasDomain := strings.Cut(s, `\`)
	if !hasDomain {
		domain, user = "", s
	}
	switch {
	case s == "":
		return []string{"runAsUserName cannot be an empty string"}
	case controls.MatchString(s):
		return []string{"runAsUserName cannot contain control characters"}
	case strings.Contains(user, `\`):
		return []string{"runAsUserName cannot contain more than one backslash"}
	}
	for _, rule := range []struct {
		broken bool
		text   string
	}{
		{len(domain) >= 256, "runAsUserName's Domain length must be under 256 characters"},
		{hasDomain && !netBIOSName.MatchString(domain) && !windowsDNS.MatchString(domain), "runAsUserName's Domain doesn't match the NetBios nor the DNS format"},
		{user == "", "runAsUserName's User cannot be empty"},
		{len(user) > 104, "runAsUserName's User length must not be longer than 104 characters"},
		{user != "" && strings.Trim(user, ". ") == "", "runAsUserName's User cannot contain only periods or spaces"},
		{strings.ContainsAny(user, `"/\:;|=,+*?<>@[]`), `runAsUserName's User cannot contain the following characters: "/\:;|=,+*?<>@[]`},
	} {
		if rule.broken {
			problems = append(problems, rule.text)
		}
	}
	return problems
}

// checkHostProcess: containers that are processes of a Windows node are so all
// together, and on its network.
//
// Now: pkg/apis/core/validation/validation.go validateWindowsHostProcessPod
func (s *podSpec) checkHostProcess(at string) (errs field.Errors) {
	ofPod := rules.Get(s.tree, "securityContext", "windowsOptions", "hostProcess")
	all, host := 0, 0
	for path, c := range s.everyContainer(at) {
		all++
		own := rules.Get(c, "securityContext", "windowsOptions", "hostProcess")
		if ofPod != nil && own != nil && own != ofPod {
			errs = append(errs, field.Invalid(path+".securityContext.windowsOptions.hostProcess", own, fmt.Sprintf("pod hostProcess value must be identical if both are specified, was %v", ofPod)))
		}
		if own == true || own == nil && ofPod == true {
			host++
		}
	}
	if host == 0 {
		return errs
	}
	if host != all {
		errs = append(errs, field.Invalid(at, "", "If pod contains any hostProcess containers then all containers must be HostProcess containers"))
	}
	if !rules.Bool(s.tree, "hostNetwork") {
		errs = append(errs, field.Invalid(at+".hostNetwork", false, "hostNetwork must be true if pod contains any hostProcess containers"))
	}
	if !s.options.AllowPrivileged {
		errs = append(errs, field.Forbidden(at, "hostProcess containers are disallowed by cluster policy"))
	}
	return errs
}
