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

// choice is the rule for a name that has to be one of those here; some that
// are not are still to come.
func choice(flag, what, name string, here, toCome []string, remedy string) rule {
	says := "no such " + what
	if slices.Contains(toCome, name) {
		says = "this " + what + " is not built yet"
	}
	return rule{!slices.Contains(here, name), flag, name, says + "; " + remedy}
}

// Aggregate packs errors: none is nil, one is that one, several print as
// [a, b], a line each. errors.Is and errors.As look into it.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/util/errors/errors.go NewAggregate
func Aggregate(errs []error) error {
	var some []any
	for _, err := range errs {
		if err != nil {
			some = append(some, err)
		}
	}
	switch len(some) {
	case 0:
		return nil
	case 1:
		return some[0].(error)
	}
	return fmt.Errorf("[%w"+strings.Repeat(",\n %w", len(some)-1)+"]", some...)
}

// Validate returns everything that is wrong, so that nobody has to mend one
// flag to learn about the next.
//
// Upstream: cmd/kube-apiserver/app/options/validation.go Validate
func (s *ServerRunOptions) Validate() []error {
	var others []error
	if s.Others != nil {
		others = s.Others.Validate()
	}
	return slices.Concat(
		s.Etcd.Validate(),
		s.validateServices(),
		s.SecureServing.Validate(),
		s.InsecureServing.Validate(),
		s.Authorization.Validate(),
		s.Admission.Validate(),
		s.validateLoose(),
		others,
	)
}

// Validate returns everything that is wrong with the group, as those below do.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/options/etcd.go Validate
func (o *EtcdOptions) Validate() []error {
	return check(
		choice("storage-backend", "engine", o.StorageBackend, []string{"bbolt"}, []string{"etcd3"}, "use bbolt"),
		rule{o.StorageBackend == "bbolt" && o.BBoltFile == "", "bbolt-file", o.BBoltFile, "no file; give one such as state.db"},
		rule{o.HistoryAge <= 0, "history-age", o.HistoryAge, "no watch could ever go on; give a duration such as 5m"},
		rule{o.HistoryBytes <= 0, "history-bytes", o.HistoryBytes, "no watch could ever go on; give a number such as 67108864"},
		rule{o.DeleteCollectionWorkers < 1, "delete-collection-workers", o.DeleteCollectionWorkers, "nobody would delete; give 1 or more"},
	)
}

// Upstream: staging/src/k8s.io/apiserver/pkg/server/options/serving.go Validate
func (o *SecureServingOptions) Validate() []error {
	return check(
		rule{o.BindPort < 0 || o.BindPort > 65535, "secure-port", o.BindPort, "want a port from 1 to 65535, or 0 for any free one"},
		rule{o.CertFile != "" && o.KeyFile == "", "tls-cert-file", o.CertFile, "a certificate without its key; give --tls-private-key-file too"},
		rule{o.CertFile == "" && o.KeyFile != "", "tls-private-key-file", o.KeyFile, "a key without its certificate; give --tls-cert-file too"},
	)
}

// In 1.7 what is wrong with the modes comes out only when the authorizer is made.
//
// Upstream: pkg/kubeapiserver/authorizer/config.go New
func (o *AuthorizationOptions) Validate() []error {
	last := len(o.Known) - 1
	remedy := "use " + strings.Join(o.Known[:last], ", ") + " or " + o.Known[last]
	rules := []rule{{len(o.Modes) == 0, "authorization-mode", "", "nobody would decide; " + remedy}}
	for i, mode := range o.Modes {
		rules = append(rules,
			choice("authorization-mode", "mode", mode, o.Known, []string{"ABAC", "Webhook", "Node"}, remedy),
			rule{slices.Contains(o.Modes[:i], mode), "authorization-mode", mode, "given more than once; give it once"})
	}
	return check(rules...)
}

// validateServices is about the addresses that services get.
//
// Upstream: cmd/kube-apiserver/app/options/validation.go validateClusterIPFlags
func (s *ServerRunOptions) validateServices() []error {
	r := s.ServiceClusterIPRange
	if r.IP == nil {
		return []error{fmt.Errorf("no --service-cluster-ip-range specified (give one such as 10.0.0.0/24)")}
	}
	ones, bits := r.Mask.Size()
	return check(
		rule{bits-ones > 20, "service-cluster-ip-range", &r, fmt.Sprintf("too large; give a mask of /%d or longer", bits-20)},
		rule{bits-ones < 3, "service-cluster-ip-range", &r, fmt.Sprintf("fewer than 8 addresses; give a mask of /%d or shorter", bits-3)},
	)
}

// validateLoose is about the flags without a group, and those of two groups together.
func (s *ServerRunOptions) validateLoose() []error {
	secure, insecure := s.SecureServing.BindPort, s.InsecureServing.BindPort
	return check(
		rule{secure == insecure && secure > 0, "insecure-port", insecure, "--secure-port has this port; give one of them another"},
		rule{s.EventTTL < 0, "event-ttl", s.EventTTL, "negative; give a duration such as 1h, or 0 to keep events for ever"},
		rule{s.MasterCount < 1, "apiserver-count", s.MasterCount, "not a positive number; give 1 or more"},
		rule{s.SSHUser != "" && s.SSHKeyfile == "", "ssh-user", s.SSHUser, "no key to log in with; give --ssh-keyfile too"},
		rule{len(s.SSHUser) > 32, "ssh-user", s.SSHUser, "longer than the 32 letters that a user's name may have"},
	)
}
