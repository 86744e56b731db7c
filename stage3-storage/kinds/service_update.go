package kinds

import (
	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/field"
)

// checkServiceUpdate: an address that was given stays.
//
// Upstream: pkg/api/validation/validation.go ValidateServiceUpdate
func checkServiceUpdate(o, old *object.Object) (errs field.Errors) {
	s, was := spec(o), spec(old)
	if needsIP(s) && needsIP(was) && !(headless(s) && headless(was)) {
		errs = append(errs, fixed("clusterIPs", "clusterIP", s, was)...)
		if headless(s) == headless(was) {
			errs = append(errs, fixed("ipFamilies", "ipFamily", s, was)...)
		}
	}
	if s["type"] == "LoadBalancer" && was["type"] == "LoadBalancer" && !rules.Same(s["loadBalancerClass"], was["loadBalancerClass"]) {
		errs = append(errs, field.Invalid("spec.loadBalancerClass", s["loadBalancerClass"], "may not change once set"))
	}
	if needsHealthPort(s) && needsHealthPort(was) && rules.Int(s, "healthCheckNodePort") != rules.Int(was, "healthCheckNodePort") {
		errs = append(errs, field.Forbidden("spec.healthCheckNodePort", "field is immutable"))
	}
	return append(errs, checkService(o)...)
}

// fixed: the first of a list stays, and the second goes only if the service says
// that it wants one.
//
// Now: pkg/apis/core/validation/validation.go validateUpgradeDowngradeClusterIPs
func fixed(name, one string, s, was tree) (errs field.Errors) {
	at, is, before := "spec."+name, rules.Texts(s, name), rules.Texts(was, name)
	if len(is) == 0 && len(before) > 0 {
		return field.Errors{field.Invalid(at+"[0]", s[name], "primary "+one+" can not be unset")}
	}
	for i := range min(len(is), len(before)) {
		if is[i] != before[i] {
			errs = append(errs, field.Invalid(rules.Index(at, i), s[name], "may not change once set"))
		}
	}
	if len(is) == 1 && len(before) == 2 && s["ipFamilyPolicy"] != "SingleStack" {
		errs = append(errs, field.Invalid("spec.ipFamilyPolicy", s["ipFamilyPolicy"], "must be set to 'SingleStack' when releasing the secondary "+one))
	}
	return errs
}

// checkBalancerStatus: where a load balancer listens is said of no other service.
//
// Upstream: pkg/api/validation/validation.go ValidateLoadBalancerStatus
func checkBalancerStatus(o *object.Object) (errs field.Errors) {
	const at = "status.loadBalancer.ingress"
	if rules.Text(o.Fields, "spec", "type") != "LoadBalancer" {
		if len(rules.List(o.Fields, "status", "loadBalancer", "ingress")) > 0 {
			errs = append(errs, field.Forbidden(at, "may only be used when `spec.type` is 'LoadBalancer'"))
		}
		return errs
	}
	for i, place := range rules.Items(o.Fields, "status", "loadBalancer", "ingress") {
		here, ip, host := rules.Index(at, i), rules.Text(place, "ip"), rules.Text(place, "hostname")
		errs = append(errs, rules.Words(rules.IP)(here+".ip", ip)...)
		switch mode := place["ipMode"]; {
		case mode == nil && ip != "":
			errs = append(errs, field.Required(here+".ipMode", "must be specified when `ip` is set"))
		case mode != nil && ip == "":
			errs = append(errs, field.Forbidden(here+".ipMode", "may not be specified when `ip` is not set"))
		case mode != nil:
			errs = append(errs, rules.MustBe("Proxy", "VIP")(here+".ipMode", mode)...)
		}
		errs = append(errs, rules.Subdomain(here+".hostname", host)...)
		if _, isIP := rules.ParseIP(host); isIP {
			errs = append(errs, field.Invalid(here+".hostname", host, "must be a DNS name, not an IP address"))
		}
	}
	return errs
}
