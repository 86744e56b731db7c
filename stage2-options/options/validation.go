package options

import (
	"fmt"
	"slices"
	"strings"
)

// rule is one thing that can be wrong with a flag.
type rule struct {
	broken bool
	flag   string
	value  any
	says   string // what is wrong; what to do about it
}

// check returns an error for each broken rule.
func check(rules ...rule) (errs []error) {
	for _, r := range rules {
		if r.broken {
			errs = append(errs, fmt.Errorf("--%s=%v: %s", r.flag, r.value, r.says))
		}
	}
	return errs
}

// Validate returns everything that is wrong, so that nobody has to mend one
// flag to learn about the next.
//
// Upstream: cmd/kube-apiserver/app/options/validation.go Validate
func (s *ServerRunOptions) Validate() []error {
	var inert []error
	if s.Inert != nil {
		inert = s.Inert.Validate()
	}
	return slices.Concat(
		s.GenericServerRunOptions.Validate(),
		s.Etcd.Validate(),
		s.validateServices(),
		s.SecureServing.Validate(),
		s.InsecureServing.Validate(),
		s.Authorization.Validate(),
		s.Admission.Validate(),
		s.validateLoose(),
		s.validateControllers(),
		inert,
	)
}

// validateServices is about the addresses and ports that services get.
//
// Upstream: cmd/kube-apiserver/app/options/validation.go validateClusterIPFlags
func (s *ServerRunOptions) validateServices() []error {
	r, port := s.ServiceClusterIPRange, s.KubernetesServiceNodePort
	if r.IP == nil {
		return []error{fmt.Errorf("no --service-cluster-ip-range specified (give one such as 10.0.0.0/24)")}
	}
	ones, bits := r.Mask.Size()
	inRange := port >= 0 && port <= 65535
	return check(
		rule{bits-ones > 20, "service-cluster-ip-range", &r, fmt.Sprintf("too large; give a mask of /%d or longer", bits-20)},
		rule{bits-ones < 3, "service-cluster-ip-range", &r, fmt.Sprintf("fewer than 8 addresses; give a mask of /%d or shorter", bits-3)},
		rule{!inRange, "kubernetes-service-node-port", port, "want a port from 1 to 65535, or 0 for none"},
		rule{inRange && port > 0 && !s.ServiceNodePortRange.Contains(port), "kubernetes-service-node-port", port,
			fmt.Sprintf("not in --service-node-port-range; give one of %s", s.ServiceNodePortRange)},
	)
}

// validateLoose is about the flags without a group, and those of two groups together.
func (s *ServerRunOptions) validateLoose() []error {
	secure, insecure := s.SecureServing.BindPort, s.InsecureServing.BindPort
	chosen := s.isSet("enable-admission-plugins") || s.isSet("disable-admission-plugins")
	return check(
		rule{secure == insecure && secure > 0, "insecure-port", insecure, "--secure-port has this port; give one of them another"},
		rule{chosen && s.isSet("admission-control"), "admission-control", strings.Join(s.Admission.PluginNames, ","),
			"names the whole chain; give either it or --enable-admission-plugins and --disable-admission-plugins"},
		rule{s.EventTTL < 0, "event-ttl", s.EventTTL, "negative; give a duration such as 1h, or 0 to keep events for ever"},
		rule{s.MasterCount < 1, "apiserver-count", s.MasterCount, "not a positive number; give 1 or more"},
		rule{s.SSHUser != "" && s.SSHKeyfile == "", "ssh-user", s.SSHUser, "no key to log in with; give --ssh-keyfile too"},
		rule{len(s.SSHUser) > 32, "ssh-user", s.SSHUser, "longer than the 32 letters that a user's name may have"},
		rule{s.DryRunOutput != "table" && s.DryRunOutput != "json", "output", s.DryRunOutput, "no such format; use table or json"},
	)
}

func (s *ServerRunOptions) validateControllers() (errs []error) {
	for _, entry := range s.Controllers {
		name := strings.TrimPrefix(entry, "-")
		known := s.KnownControllers == nil || name == "*" || slices.Contains(s.KnownControllers, name)
		errs = append(errs, check(
			rule{name == "", "controllers", entry, "no name; give * for all, names, or nothing at all for none"},
			rule{name != "" && !known, "controllers", entry, "no such controller; there are " + strings.Join(s.KnownControllers, ", ")},
		)...)
	}
	return errs
}
