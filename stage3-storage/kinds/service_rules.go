package kinds

import (
	"fmt"
	"slices"
	"strings"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/field"
)

// checkService returns all that is wrong with a service.
//
// Upstream: pkg/api/validation/validation.go ValidateService
func checkService(o *object.Object) field.Errors {
	s := spec(o)
	kind := rules.Text(s, "type")
	errs := checkTopology(o.Meta.Annotations)
	if len(rules.List(s, "ports")) == 0 && !headless(s) && kind != "ExternalName" {
		errs = append(errs, field.Required("spec.ports", ""))
	}
	errs = append(errs, checkServiceType(kind, s)...)
	errs = append(errs, rules.All(rules.Each(servicePort(len(rules.List(s, "ports")) > 1).Check), rules.Unique("name"))("spec.ports", s["ports"])...)
	errs = append(errs, rules.Labels("spec.selector", s["selector"])...)
	errs = append(errs, checkAffinity(s)...)
	errs = append(errs, checkIPs(s, nil)...)
	errs = append(errs, rules.Each(rules.All(rules.Words(rules.IP), func(at string, v any) field.Errors {
		if ip, _ := v.(string); len(rules.IP(ip)) == 0 {
			return rules.Words(rules.EndpointIP)(at, v)
		}
		return nil
	}))("spec.externalIPs", s["externalIPs"])...)
	errs = append(errs, rules.Required(rules.OneOf("ClusterIP", "ExternalName", "LoadBalancer", "NodePort"))("spec.type", s["type"])...)
	errs = append(errs, checkPortNumbers(kind, s)...)
	errs = append(errs, checkSourceRanges(kind, s, o.Meta.Annotations)...)
	errs = append(errs, checkBalancer(kind, s)...)
	return append(errs, checkTraffic(s)...)
}

// checkServiceType: each type has what the others must not have.
func checkServiceType(kind string, s tree) (errs field.Errors) {
	switch kind {
	case "LoadBalancer", "NodePort":
		if s["clusterIP"] == "None" {
			errs = append(errs, field.Invalid("spec.clusterIPs[0]", "None", "may not be set to 'None' for "+kind+" services"))
		}
	case "ExternalName":
		for _, name := range []string{"clusterIPs", "ipFamilies"} {
			if len(rules.List(s, name)) > 0 {
				errs = append(errs, field.Forbidden("spec."+name, "may not be set for ExternalName services"))
			}
		}
		errs = append(errs, rules.Never("may not be set for ExternalName services")("spec.ipFamilyPolicy", s["ipFamilyPolicy"])...)
		errs = append(errs, rules.Required(rules.Subdomain)("spec.externalName", strings.TrimSuffix(rules.Text(s, "externalName"), "."))...)
	}
	return errs
}

// servicePort: where there are several, each needs a name.
func servicePort(several bool) rules.Fields {
	name := rules.Label
	if several {
		name = rules.Required(rules.Label)
	}
	return rules.Fields{
		{Name: "name", Check: name},
		{Name: "port", Check: portNumber},
		{Name: "protocol", Check: rules.Required(protocol)},
		{Name: "targetPort", Check: rules.PortOrName},
		{Name: "appProtocol", Check: rules.Given(rules.LabelKey)},
	}
}

func checkAffinity(s tree) field.Errors {
	const at, longest = "spec.sessionAffinityConfig", 86400
	errs := rules.Required(rules.OneOf("ClientIP", "None"))("spec.sessionAffinity", s["sessionAffinity"])
	config := s["sessionAffinityConfig"]
	switch n := rules.Int(s, "sessionAffinityConfig", "clientIP", "timeoutSeconds"); {
	case s["sessionAffinity"] == "None" && config != nil:
		errs = append(errs, field.Forbidden(at, "must not be set when session affinity is None"))
	case s["sessionAffinity"] == "ClientIP" && (n <= 0 || n > longest):
		errs = append(errs, field.Invalid(at+".clientIP.timeoutSeconds", n, fmt.Sprintf("must be greater than 0 and less than %d", longest)))
	}
	return errs
}

// checkIPs has the rules of the four fields about addresses. was is the spec
// before; what was right once stays right.
//
// Now: pkg/apis/core/validation/validation.go ValidateServiceClusterIPsRelatedFields
func checkIPs(s, was tree) (errs field.Errors) {
	if !needsIP(s) {
		return nil
	}
	const at = "spec.clusterIPs"
	one, several := rules.Text(s, "clusterIP"), rules.Texts(s, "clusterIPs")
	switch {
	case one != "" && len(several) == 0:
		errs = append(errs, field.Required(at, ""))
	case one != "" && several[0] != one:
		errs = append(errs, field.Invalid(at, s["clusterIPs"], "first value must match `clusterIP`"))
	case one == "" && len(several) > 0:
		errs = append(errs, field.Invalid(at, s["clusterIPs"], "must be empty when `clusterIP` is not specified"))
	}
	errs = append(errs, checkFamilyNames(s)...)
	right := true
	for i, ip := range several {
		if i == 0 && ip == "None" {
			if len(several) > 1 {
				errs = append(errs, field.Invalid(at, s["clusterIPs"], "'None' must be the first and only value"))
				right = false
			}
			continue
		}
		if slices.Contains(rules.Texts(was, "clusterIPs"), ip) {
			continue
		}
		wrong := rules.Required(rules.Words(rules.IP))(rules.Index(at, i), ip)
		errs = append(errs, wrong...)
		right = right && len(wrong) == 0
	}
	if len(several) > 2 {
		errs = append(errs, field.Invalid(at, s["clusterIPs"], "may only hold up to 2 values"))
	}
	if right && one != "None" {
		errs = append(errs, checkIPFamilies(s, several)...)
	}
	return errs
}

func checkFamilyNames(s tree) (errs field.Errors) {
	var seen []string
	for i, f := range rules.Texts(s, "ipFamilies") {
		at := rules.Index("spec.ipFamilies", i)
		errs = append(errs, rules.OneOf("IPv4", "IPv6")(at, f)...)
		if slices.Contains(seen, f) {
			errs = append(errs, field.Duplicate(at, f))
		}
		seen = append(seen, f)
	}
	return append(errs, rules.OneOf("PreferDualStack", "RequireDualStack", "SingleStack")("spec.ipFamilyPolicy", s["ipFamilyPolicy"])...)
}

func checkIPFamilies(s tree, ips []string) (errs field.Errors) {
	if len(ips) == 2 && familyOf(ips[0]) == familyOf(ips[1]) {
		errs = append(errs, field.Invalid("spec.clusterIPs", s["clusterIPs"], "may specify no more than one IP for each IP family"))
	}
	families := rules.Texts(s, "ipFamilies")
	for i, ip := range ips {
		if i < len(families) && slices.Contains([]string{"IPv4", "IPv6"}, families[i]) && familyOf(ip) != families[i] {
			errs = append(errs, field.Invalid(rules.Index("spec.clusterIPs", i), ip, fmt.Sprintf("expected an %s value as indicated by `ipFamilies[%d]`", families[i], i)))
		}
	}
	return errs
}

// checkPortNumbers: no number twice for one protocol, inside or outside.
func checkPortNumbers(kind string, s tree) (errs field.Errors) {
	var twice field.Errors
	inside, outside := map[string]bool{}, map[string]bool{}
	for i, p := range rules.Items(s, "ports") {
		at := rules.Index("spec.ports", i)
		protocol, node := rules.Text(p, "protocol"), rules.Int(p, "nodePort")
		if node != 0 {
			if kind == "ClusterIP" {
				errs = append(errs, field.Forbidden(at+".nodePort", "may not be used when `type` is 'ClusterIP'"))
			}
			id := fmt.Sprint(protocol, node)
			if outside[id] {
				errs = append(errs, field.Duplicate(at+".nodePort", node))
			}
			outside[id] = true
		}
		id := fmt.Sprint(protocol, rules.Int(p, "port"))
		if inside[id] {
			twice = append(twice, field.Duplicate(at, shownPort(protocol, p["port"])))
		}
		inside[id] = true
	}
	return append(errs, twice...)
}

// shownPort is what makes a port the same as another one, as upstream shows it.
func shownPort(protocol string, port any) any {
	return struct {
		Name, Protocol       string
		AppProtocol, Port    any
		TargetPort, NodePort int
	}{Protocol: protocol, Port: port}
}

// checkSourceRanges: only a load balancer can be told whom to let in. Before
// there was a field, an annotation did.
func checkSourceRanges(kind string, s tree, annotations map[string]string) (errs field.Errors) {
	const at, old = "spec.LoadBalancerSourceRanges", "service.beta.kubernetes.io/load-balancer-source-ranges" // upstream's path
	why := "may only be used when `type` is 'LoadBalancer'"
	if ranges := rules.Texts(s, "loadBalancerSourceRanges"); len(ranges) > 0 {
		if kind != "LoadBalancer" {
			errs = append(errs, field.Forbidden(at, why))
		}
		for i, r := range ranges {
			errs = append(errs, rules.Strictly(rules.CIDR)(rules.Index(at, i), strings.TrimSpace(r))...)
		}
		return errs
	}
	text, there := annotations[old]
	path := rules.Key("metadata.annotations", old)
	if there && kind != "LoadBalancer" {
		errs = append(errs, field.Forbidden(path, why))
	}
	if text = strings.TrimSpace(text); text != "" {
		for r := range strings.SplitSeq(text, ",") {
			errs = append(errs, rules.Strictly(rules.CIDR)(path, strings.TrimSpace(r))...)
		}
	}
	return errs
}

const topologyHints, topologyMode = "service.kubernetes.io/topology-aware-hints", "service.kubernetes.io/topology-mode"

// checkTopology: two names of one annotation have to agree.
func checkTopology(annotations map[string]string) field.Errors {
	hints, old := annotations[topologyHints]
	mode, given := annotations[topologyMode]
	if old && given && hints != mode {
		return field.Errors{field.Invalid(rules.Key("metadata.annotations", topologyMode), mode, "must match annotations["+topologyHints+"] when both are specified")}
	}
	return nil
}

func checkBalancer(kind string, s tree) (errs field.Errors) {
	if kind != "LoadBalancer" {
		why := rules.Never("may only be used when `type` is 'LoadBalancer'")
		errs = append(errs, why("spec.allocateLoadBalancerNodePorts", s["allocateLoadBalancerNodePorts"])...)
		return append(errs, why("spec.loadBalancerClass", s["loadBalancerClass"])...)
	}
	return rules.Given(rules.LabelKey)("spec.loadBalancerClass", s["loadBalancerClass"])
}

// checkTraffic has the rules about where traffic may go.
//
// Upstream: pkg/api/validation/validation.go validateServiceExternalTrafficFieldsValue
func checkTraffic(s tree) (errs field.Errors) {
	external := s["externalTrafficPolicy"]
	if reachable(s) {
		errs = rules.Required(rules.OneOf("Cluster", "Local"))("spec.externalTrafficPolicy", external)
	} else if external != nil {
		errs = field.Errors{field.Invalid("spec.externalTrafficPolicy", external, "may only be set for externally-accessible services")}
	}
	const health = "spec.healthCheckNodePort"
	switch n := s["healthCheckNodePort"]; {
	case needsHealthPort(s):
		errs = append(errs, rules.NotZero(rules.Port)(health, n)...)
	case rules.Int(s, "healthCheckNodePort") != 0:
		errs = append(errs, field.Invalid(health, n, "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'"))
	}
	errs = append(errs, rules.OneOf("Cluster", "Local")("spec.internalTrafficPolicy", s["internalTrafficPolicy"])...)
	return append(errs, rules.Given(rules.MustBe("PreferClose", "PreferSameZone", "PreferSameNode"))("spec.trafficDistribution", s["trafficDistribution"])...)
}
