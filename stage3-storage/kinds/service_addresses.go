package kinds

import (
	"errors"
	"fmt"
	"slices"

	"example.com/kube-apiserver/stage3-storage/kinds/allocator"
	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/field"
	apistatus "example.com/kube-apiserver/stage3-storage/object/status"
)

// normaliseIPs keeps the old field for one address and the new one for several
// in step: old clients know one of them only.
//
// Now: pkg/registry/core/service/storage/storage.go normalizeClusterIPs
func normaliseIPs(s, was tree) {
	one, several := rules.Text(s, "clusterIP"), rules.List(s, "clusterIPs")
	if was == nil {
		if one != "" && len(several) == 0 {
			s["clusterIPs"] = []any{one}
		}
		return
	}
	before := rules.Text(was, "clusterIP")
	switch {
	case one == before:
		if len(several) == 0 {
			rules.Put(s, was, "clusterIPs")
		}
	case !rules.Same(several, was["clusterIPs"]):
	case one == "":
		delete(s, "clusterIPs")
	default:
		s["clusterIPs"] = []any{one}
	}
	if one == "" && before == "" {
		delete(s, "clusterIP")
	}
}

// families fills in which kinds of addresses the service has. This server has
// addresses of one kind; only a headless service without a selector, whose
// addresses others write, may have both.
//
// Now: pkg/registry/core/service/storage/alloc.go initIPFamilyFields
func (a serviceStrategy) families(s, was tree) field.Errors {
	if !needsIP(s) {
		return nil
	}
	free := s["clusterIP"] == "None" && len(rules.Map(s, "selector")) == 0
	if s["ipFamilyPolicy"] == nil {
		policy := "SingleStack"
		if before := rules.Text(was, "ipFamilyPolicy"); before != "" {
			policy = before
		} else if free {
			policy = "RequireDualStack"
		}
		s["ipFamilyPolicy"] = policy
	}
	if errs := checkIPs(s, was); len(errs) > 0 {
		return errs
	}
	single := s["ipFamilyPolicy"] == "SingleStack"
	if single && was != nil { // whoever says that he wants one gives up the second
		cutToOne(s, was, "clusterIPs")
		cutToOne(s, was, "ipFamilies")
	}
	if errs := a.inferFamilies(s, single); len(errs) > 0 {
		return errs
	}
	if free {
		if list := rules.List(s, "ipFamilies"); !single && len(list) == 1 {
			s["ipFamilies"] = append(list, otherFamily(list[0]))
		}
		return nil
	}
	return a.checkFamilies(s)
}

func cutToOne(s, was tree, name string) {
	if list := rules.List(s, name); len(list) > 1 && rules.Same(list, was[name]) {
		s[name] = list[:1]
	}
}

func otherFamily(f any) string {
	if f == "IPv4" {
		return "IPv6"
	}
	return "IPv4"
}

// inferFamilies: the addresses say it, or there is only one to choose.
func (a serviceStrategy) inferFamilies(s tree, single bool) (errs field.Errors) {
	ips, families := rules.Texts(s, "clusterIPs"), rules.List(s, "ipFamilies")
	const policy = "spec.ipFamilyPolicy"
	if single && len(ips) == 2 {
		errs = append(errs, field.Invalid(policy, s["ipFamilyPolicy"], "must be 'RequireDualStack' or 'PreferDualStack' when multiple cluster IPs are specified"))
	}
	if single && len(families) == 2 {
		errs = append(errs, field.Invalid(policy, s["ipFamilyPolicy"], "must be 'RequireDualStack' or 'PreferDualStack' when multiple IP families are specified"))
	}
	for i, ip := range ips {
		if ip == "None" || i < len(families) {
			continue
		}
		family := familyOf(ip)
		if family != a.allocator.family() {
			errs = append(errs, field.Invalid(rules.Index("spec.clusterIPs", i), s["clusterIPs"], family+" is not configured on this cluster"))
			continue
		}
		families = append(families, family)
	}
	if len(families) == 0 {
		families = []any{a.allocator.family()}
	}
	s["ipFamilies"] = families
	return errs
}

func (a serviceStrategy) checkFamilies(s tree) (errs field.Errors) {
	if s["ipFamilyPolicy"] == "RequireDualStack" {
		errs = append(errs, field.Invalid("spec.ipFamilyPolicy", s["ipFamilyPolicy"], "this cluster is not configured for dual-stack services"))
	}
	for i, f := range rules.Texts(s, "ipFamilies") {
		if f != a.allocator.family() {
			errs = append(errs, field.Invalid(rules.Index("spec.ipFamilies", i), f, "not configured on this cluster"))
		}
	}
	return errs
}

func familyOf(ip string) string {
	if addr, ok := rules.ParseIP(ip); ok && addr.Is6() {
		return "IPv6"
	}
	return "IPv4"
}

// address gives the service the address that it asks for, or a free one. One
// that had an address is left to the rules, which refuse another one.
func (a serviceStrategy) address(o *object.Object, s, was tree) error {
	if !needsIP(s) || s["clusterIP"] == "None" || was != nil && needsIP(was) && rules.Text(was, "clusterIP") != "" {
		return nil
	}
	if ip := rules.Text(s, "clusterIP"); ip != "" {
		if err := a.allocator.checkIP(o.Meta.UID, ip); err != nil {
			return apistatus.Invalid("", "Service", o.Meta.Name, field.Errors{
				field.Invalid("spec.clusterIPs", s["clusterIPs"], fmt.Sprintf("failed to allocate IP %s: %v", ip, err)),
			})
		}
		return nil
	}
	ip, err := a.allocator.pickIP()
	if errors.Is(err, allocator.ErrFull) {
		return apistatus.Internal(fmt.Errorf("failed to allocate a serviceIP for Service %q: %w", o.Meta.Name, err))
	}
	s["clusterIP"], s["clusterIPs"] = ip, []any{ip}
	return nil
}

// nodePorts gives the service the ports on all nodes that its type needs. Ports
// of the same number, of different protocols, share one.
//
// Upstream: pkg/registry/core/service/rest.go Create
// Now: pkg/registry/core/service/storage/alloc.go initNodePorts
func (a serviceStrategy) nodePorts(o *object.Object, s tree) error {
	byPort := map[int64]int64{}
	for _, p := range rules.Items(s, "ports") {
		if n := rules.Int(p, "nodePort"); n != 0 {
			byPort[rules.Int(p, "port")] = n
		}
	}
	for i, p := range rules.Items(s, "ports") {
		n := rules.Int(p, "nodePort")
		if n != 0 {
			if err := a.allocator.checkPort(o.Meta.UID, n); err != nil {
				at := rules.Index("spec.ports", i) + ".nodePort"
				return apistatus.Invalid("", "Service", o.Meta.Name, field.Errors{field.Invalid(at, n, err.Error())})
			}
			continue
		}
		if !needsPorts(s) {
			delete(p, "nodePort")
			continue
		}
		n = byPort[rules.Int(p, "port")]
		if n == 0 || sharesPort(s, p, n) {
			var err error
			if n, err = a.freshPort(s); err != nil {
				return apistatus.Internal(fmt.Errorf("failed to allocate a nodePort: %w", err))
			}
			byPort[rules.Int(p, "port")] = n
		}
		p["nodePort"] = rules.Number(n)
	}
	return a.healthPort(o, s)
}

// sharesPort: another port of the same protocol has the number already.
func sharesPort(s, p tree, n int64) bool {
	return slices.ContainsFunc(rules.List(s, "ports"), func(v any) bool {
		other, _ := v.(tree)
		return rules.Int(other, "nodePort") == n && rules.Same(other["protocol"], p["protocol"])
	})
}

// freshPort picks a port that the service itself does not ask for either.
func (a serviceStrategy) freshPort(s tree) (int64, error) {
	asked := []int64{rules.Int(s, "healthCheckNodePort")}
	for _, p := range rules.Items(s, "ports") {
		asked = append(asked, rules.Int(p, "nodePort"))
	}
	for range asked {
		n, err := a.allocator.pickPort()
		if err != nil || !slices.Contains(asked, n) {
			return n, err
		}
	}
	return a.allocator.pickPort() // every asked one has come by
}

func (a serviceStrategy) healthPort(o *object.Object, s tree) error {
	if !needsHealthPort(s) {
		return nil
	}
	if n := rules.Int(s, "healthCheckNodePort"); n != 0 {
		if err := a.allocator.checkPort(o.Meta.UID, n); err != nil {
			return apistatus.Internal(fmt.Errorf("failed to allocate requested HealthCheck NodePort %d: %w", n, err))
		}
		return nil
	}
	n, err := a.freshPort(s)
	if err != nil {
		return apistatus.Internal(fmt.Errorf("failed to allocate a HealthCheck NodePort: %w", err))
	}
	s["healthCheckNodePort"] = rules.Number(n)
	return nil
}
