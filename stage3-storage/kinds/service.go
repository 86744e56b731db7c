package kinds

import (
	"context"
	"fmt"
	"net"
	"strings"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/field"
	apistatus "example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/wire/printers"
)

func services(o Options) Kind {
	resource := row("services", "service", "Service", "services/specs", true, "svc")
	resource.Categories = []string{"all"}
	s := &serviceStrategy{o.Services}
	return Kind{registry.Kind{
		Resource: resource,
		Strategy: registry.Strategy{
			KeepOld:             []string{"status"},
			ValidateName:        serviceName,
			AllowCreateOnUpdate: true,
			ReturnDeleted:       true,
			Default:             defaultService,
			PrepareForCreate:    s.create,
			PrepareForUpdate:    s.update,
			Validate:            checkService,
			ValidateUpdate:      checkServiceUpdate,
			Begin:               s.begin,
			Field: func(o *object.Object, path string) (string, bool) {
				return asString(spec(o)[strings.TrimPrefix(path, "spec.")]), path == "spec.clusterIP" || path == "spec.type"
			},
		},
		Status: statusOnly(),
	}, serviceColumns()}
}

// defaultService fills in what a service's author left out.
//
// Upstream: pkg/apis/core/v1/defaults.go SetDefaults_Service
func defaultService(o *object.Object) {
	s := specOf(o)
	defaults(s, "sessionAffinity", "None", "type", "ClusterIP")
	if s["sessionAffinity"] == "ClientIP" && at(s, "sessionAffinityConfig", "clientIP", "timeoutSeconds") == nil {
		s["sessionAffinityConfig"] = tree{"clientIP": tree{"timeoutSeconds": number(10800)}}
	}
	each(s["ports"], func(_ int, p tree) {
		defaults(p, "protocol", "TCP")
		if t := p["targetPort"]; t == nil || t == "" || t == number(0) {
			p["targetPort"] = p["port"]
		}
	})
	if s["type"] != "ExternalName" {
		defaults(s, "internalTrafficPolicy", "Cluster")
	}
	if s["type"] == "NodePort" || s["type"] == "LoadBalancer" {
		defaults(s, "externalTrafficPolicy", "Cluster")
	}
	if s["type"] == "LoadBalancer" && s["allocateLoadBalancerNodePorts"] == nil {
		s["allocateLoadBalancerNodePorts"] = true
	}
	if o.Fields["status"] == nil {
		o.Fields["status"] = tree{"loadBalancer": tree{}}
	}
}

// serviceStrategy takes addresses and ports for services. Under which name: the
// UID. What a write took and did not keep is freed when the write has ended.
type serviceStrategy struct{ allocator *Allocator }

func (s *serviceStrategy) create(_ context.Context, o *object.Object) error {
	o.Fields["status"] = tree{"loadBalancer": tree{}}
	return s.allocate(o, nil)
}

func (s *serviceStrategy) update(_ context.Context, o, old *object.Object) error {
	sp, was := spec(o), spec(old)
	if sp["type"] != "ExternalName" && was["type"] != "ExternalName" {
		if asString(sp["clusterIP"]) == "" {
			sp["clusterIP"] = was["clusterIP"]
			if sp["clusterIPs"] == nil {
				sp["clusterIPs"] = was["clusterIPs"]
			}
		}
		for _, name := range []string{"ipFamilies", "ipFamilyPolicy"} {
			if sp[name] == nil && was[name] != nil {
				sp[name] = was[name]
			}
		}
	}
	return s.allocate(o, old)
}

// allocate takes what the service needs and does not have.
func (s *serviceStrategy) allocate(o, old *object.Object) error {
	sp, who := spec(o), o.Meta.UID
	if sp["type"] == "ExternalName" {
		for _, name := range []string{"clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy", "internalTrafficPolicy"} {
			delete(sp, name)
		}
		return nil
	}
	ip := asString(sp["clusterIP"])
	if list := asList(sp["clusterIPs"]); ip == "" && len(list) > 0 {
		ip = asString(list[0])
	}
	var errs field.Errors
	if ip != "None" {
		got, err := s.allocator.IP(ip, who)
		if err != nil {
			errs = append(errs, field.Invalid("spec.clusterIPs", []string{ip}, "failed to allocate IP "+ip+": "+err.Error()))
		}
		ip = got
	}
	sp["clusterIP"], sp["clusterIPs"] = ip, []any{ip}
	defaults(sp, "ipFamilies", []any{"IPv4"}, "ipFamilyPolicy", "SingleStack")
	errs = append(errs, s.allocatePorts(sp, who, old)...)
	if len(errs) > 0 {
		s.allocator.keep(who, old)
		return apistatus.Invalid("", "Service", o.Meta.Name, errs)
	}
	return nil
}

func (s *serviceStrategy) allocatePorts(sp tree, who string, old *object.Object) (errs field.Errors) {
	needs := sp["type"] == "NodePort" || sp["type"] == "LoadBalancer" && sp["allocateLoadBalancerNodePorts"] != false
	each(sp["ports"], func(i int, p tree) {
		asked := asInt(p["nodePort"])
		if !needs {
			if asked == 0 || old != nil && sp["type"] == "ClusterIP" {
				delete(p, "nodePort")
			}
			return
		}
		if asked == 0 && old != nil {
			each(spec(old)["ports"], func(_ int, was tree) {
				if was["port"] == p["port"] && was["protocol"] == p["protocol"] {
					asked = asInt(was["nodePort"])
				}
			})
		}
		got, err := s.allocator.Port(asked, who)
		if err != nil {
			errs = append(errs, field.Invalid(fmt.Sprintf("spec.ports[%d].nodePort", i), asked, err.Error()))
			return
		}
		p["nodePort"] = number(got)
	})
	return errs
}

// begin is called before the commit: its result frees what is not held after it.
func (s *serviceStrategy) begin(_ context.Context, o, old *object.Object) (done, undo func(), err error) {
	var who string
	if o != nil {
		who = o.Meta.UID
	} else {
		who = old.Meta.UID
	}
	return func() { s.allocator.keep(who, o) }, func() { s.allocator.keep(who, old) }, nil
}

func serviceName(name string) []string {
	problems := registry.DNSLabel(name)
	if name != "" && name[0] >= '0' && name[0] <= '9' && len(problems) == 0 || len(problems) > 0 {
		return []string{"a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"}
	}
	return nil
}

// checkService returns all that is wrong with a service.
//
// Upstream: pkg/apis/core/validation/validation.go ValidateService
func checkService(o *object.Object) (errs field.Errors) {
	s := spec(o)
	headless := s["clusterIP"] == "None"
	if len(asList(s["ports"])) == 0 && !headless && s["type"] != "ExternalName" {
		errs = append(errs, field.Required("spec.ports", ""))
	}
	errs = append(errs, checkEnums("spec", s, []oneOf{
		{"type", []string{"ClusterIP", "ExternalName", "LoadBalancer", "NodePort"}},
		{"sessionAffinity", []string{"ClientIP", "None"}},
	})...)
	if s["type"] == "ExternalName" && asString(s["externalName"]) == "" {
		errs = append(errs, field.Required("spec.externalName", ""))
	}
	names := map[string]bool{}
	several := len(asList(s["ports"])) > 1
	seen := map[string]bool{}
	each(s["ports"], func(i int, p tree) {
		at := fmt.Sprintf("spec.ports[%d]", i)
		name := asString(p["name"])
		if name == "" && several {
			errs = append(errs, field.Required(at+".name", ""))
		} else if names[name] {
			errs = append(errs, field.Duplicate(at+".name", name))
		}
		names[name] = true
		if n := asInt(p["port"]); n < 1 || n > 65535 {
			errs = append(errs, field.Invalid(at+".port", n, "must be between 1 and 65535, inclusive"))
		}
		errs = append(errs, checkEnums(at, p, []oneOf{{"protocol", []string{"SCTP", "TCP", "UDP"}}})...)
		if n, ok := p["targetPort"].(string); !ok {
			if t := asInt(p["targetPort"]); t < 1 || t > 65535 {
				errs = append(errs, field.Invalid(at+".targetPort", t, "must be between 1 and 65535, inclusive"))
			}
		} else if !portName.MatchString(n) || len(n) > 15 {
			errs = append(errs, field.Invalid(at+".targetPort", n, "must contain only alphanumeric characters (a-z, 0-9), and hyphens ('-')"))
		}
		id := fmt.Sprintf("%v/%v", p["protocol"], p["port"])
		if seen[id] {
			errs = append(errs, field.Duplicate(at, p))
		}
		seen[id] = true
	})
	if ip := asString(s["clusterIP"]); ip != "" && ip != "None" && net.ParseIP(ip) == nil {
		errs = append(errs, field.Invalid("spec.clusterIPs[0]", ip, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"))
	}
	return append(errs, registry.ValidateLabels("spec.selector", stringMap(asTree(s["selector"])))...)
}

func checkServiceUpdate(o, old *object.Object) (errs field.Errors) {
	ip, was := spec(o)["clusterIP"], spec(old)["clusterIP"]
	if was != nil && was != "" && ip != was && spec(o)["type"] != "ExternalName" && spec(old)["type"] != "ExternalName" {
		errs = append(errs, field.Invalid("spec.clusterIPs[0]", []any{ip}, "may not change once set"))
	}
	return append(errs, checkService(o)...)
}

func serviceColumns() []printers.Column {
	of := func(name string) func(*object.Object) any {
		return func(o *object.Object) any { return orNone(asString(spec(o)[name])) }
	}
	return []printers.Column{
		printers.Name,
		{Name: "Type", Type: "string", Of: "spec.type", Cell: of("type")},
		{Name: "Cluster-IP", Type: "string", Of: "spec.clusterIP", Cell: of("clusterIP")},
		{Name: "External-IP", Type: "string", Of: "spec.externalIPs", Cell: func(o *object.Object) any { return externalIP(o) }},
		{Name: "Port(s)", Type: "string", Of: "spec.ports", Cell: func(o *object.Object) any {
			var list []string
			each(spec(o)["ports"], func(_ int, p tree) {
				text := fmt.Sprintf("%d", asInt(p["port"]))
				if n := asInt(p["nodePort"]); n > 0 {
					text += fmt.Sprintf(":%d", n)
				}
				list = append(list, text+"/"+asString(p["protocol"]))
			})
			return orNone(strings.Join(list, ","))
		}},
		printers.Age,
		{Name: "Selector", Type: "string", Priority: 1, Of: "spec.selector", Cell: func(o *object.Object) any { return selectorText(asTree(spec(o)["selector"])) }},
	}
}

func externalIP(o *object.Object) string {
	var ips []string
	for _, ip := range asList(spec(o)["externalIPs"]) {
		ips = append(ips, asString(ip))
	}
	switch spec(o)["type"] {
	case "ExternalName":
		return asString(spec(o)["externalName"])
	case "LoadBalancer":
		each(at(status(o), "loadBalancer", "ingress"), func(_ int, i tree) {
			if ip := asString(i["ip"]); ip != "" {
				ips = append(ips, ip)
			} else {
				ips = append(ips, asString(i["hostname"]))
			}
		})
		if len(ips) == 0 {
			return "<pending>"
		}
	}
	return orNone(strings.Join(ips, ","))
}
