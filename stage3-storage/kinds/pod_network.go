package kinds

import (
	"fmt"
	"strings"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object/field"
	"example.com/kube-apiserver/stage3-storage/wire/metadata"
)

// This file has the rules of what a pod shares with its host, and of its names.

// dnsConfig adds to, or is in the place of, what the DNS policy gives.
//
// Now: pkg/apis/core/validation/validation.go validatePodDNSConfig
func (s *podSpec) dnsConfig(at string, v any) (errs field.Errors) {
	t, given := v.(tree)
	if rules.Text(s.tree, "dnsPolicy") == "None" {
		if !given {
			return field.Errors{field.Required(at, "must provide `dnsConfig` when `dnsPolicy` is None")}
		}
		if len(rules.List(t, "nameservers")) == 0 {
			return field.Errors{field.Required(at+".nameservers", "must provide at least one DNS nameserver when `dnsPolicy` is None")}
		}
	}
	return dnsRules.Check(at, v)
}

var dnsRules = rules.Fields{
	{Name: "nameservers", Check: rules.All(atMostItems(3, "nameservers"), rules.Each(rules.Strictly(rules.IP)))},
	{Name: "searches", Check: rules.All(atMostItems(32, "search paths"), searchLength, rules.Each(searchPath))},
	{Name: "options", Check: rules.Each(func(at string, v any) field.Errors {
		if t, _ := v.(tree); rules.Text(t, "name") == "" {
			return field.Errors{field.Required(at, "must not be empty")}
		}
		return nil
	})},
}

func atMostItems(n int, what string) rules.Check {
	return func(at string, v any) field.Errors {
		if l, _ := v.([]any); len(l) > n {
			return field.Errors{field.Invalid(at, v, fmt.Sprintf("must not have more than %d %s", n, what))}
		}
		return nil
	}
}

// searchLength is what resolvers can hold, the spaces between the domains included.
func searchLength(at string, v any) field.Errors {
	const most = 2048
	if len(strings.Join(rules.Texts(tree{"": v}, ""), " ")) > most {
		return field.Errors{field.Invalid(at, v, fmt.Sprintf("must not have more than %d characters (including spaces) in the search list", most))}
	}
	return nil
}

// searchPath is a domain, which may have underscores; "." is the root. The dot
// at the end is not shown.
func searchPath(at string, v any) field.Errors {
	if v == "." {
		return nil
	}
	s, _ := v.(string)
	return rules.Strictly(rules.ServiceDomain)(at, strings.TrimSuffix(s, "."))
}

// checkHostNetwork: on the host's network a container has no ports of its own.
//
// Now: pkg/apis/core/validation/validation.go validatePodHostNetworkDeps
func (s *podSpec) checkHostNetwork(at string) (errs field.Errors) {
	if !rules.Bool(s.tree, "hostNetwork") {
		return nil
	}
	for i, c := range rules.Items(s.tree, "containers") {
		for j, p := range rules.Items(c, "ports") {
			host := rules.Int(p, "hostPort")
			if (s.pod || host != 0) && host != rules.Int(p, "containerPort") {
				path := rules.Index(rules.Index(at+".containers", i)+".ports", j) + ".hostPort"
				errs = append(errs, field.Invalid(path, host, "must match `containerPort` when `hostNetwork` is true"))
			}
		}
	}
	return errs
}

// checkHostUsers: a pod with users of its own shares nothing else with its host.
//
// Now: pkg/apis/core/validation/validation.go validateHostUsers
func (s *podSpec) checkHostUsers(at string) (errs field.Errors) {
	const why = "when `hostUsers` is false"
	if s.tree["hostUsers"] != false {
		return nil
	}
	for _, shared := range []struct{ name, path string }{{"hostNetwork", "hostNetwork"}, {"hostPID", "HostPID"}, {"hostIPC", "HostIPC"}} {
		if rules.Bool(s.tree, shared.name) {
			errs = append(errs, field.Forbidden(rules.Join(at, shared.path), why)) // upstream's paths
		}
	}
	for path, c := range s.everyContainer(at) {
		if len(rules.List(c, "volumeDevices")) > 0 {
			errs = append(errs, field.Forbidden(path+".volumeDevices", why))
		}
	}
	return errs
}

// checkHostname has the rules of the name that a pod has for itself.
//
// Now: pkg/apis/core/validation/validation.go validatePodHostName
func (s *podSpec) checkHostname(at string) (errs field.Errors) {
	const longest = 64
	name, given := s.tree["hostnameOverride"].(string)
	if !given {
		return nil
	}
	at = rules.Join(at, "hostnameOverride")
	for _, other := range []string{"setHostnameAsFQDN", "hostNetwork"} {
		if rules.Bool(s.tree, other) {
			errs = append(errs, field.Forbidden(at, "may not be specified when "+other+" is true"))
		}
	}
	if len(name) > longest {
		errs = append(errs, field.TooLong(at, longest))
	}
	return append(errs, rules.Strictly(metadata.DNSSubdomain)(at, name)...)
}

// checkFiles: variables from files are read from a directory that the pod's
// other containers write to.
//
// Now: pkg/apis/core/validation/validation.go validateFileKeyRefVolumes
func (s *podSpec) checkFiles(at string) (errs field.Errors) {
	all := map[string]tree{}
	for _, v := range rules.Items(s.tree, "volumes") {
		all[rules.Text(v, "name")] = v
	}
	for path, c := range s.everyContainer(at) {
		for j, e := range rules.Items(c, "env") {
			ref := rules.Map(e, "valueFrom", "fileKeyRef")
			if ref == nil {
				continue
			}
			here, name := rules.Index(path+".env", j)+".valueFrom.fileKeyRef.volumeName", rules.Text(ref, "volumeName")
			if v := all[name]; v == nil {
				errs = append(errs, field.NotFound(here, name))
			} else if v["emptyDir"] == nil {
				errs = append(errs, field.Invalid(here, name, "referenced volume must be of type emptyDir"))
			}
		}
	}
	return errs
}
