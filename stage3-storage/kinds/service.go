package kinds

import (
	"context"
	"slices"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/field"
	apistatus "example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/wire/metadata"
)

func services(options Options) Kind {
	s := serviceStrategy{options.Services}
	return Kind{
		Kind: registry.Kind{
			Resource: all(row("services", "service", "Service", "services/specs", true, "svc")),
			Strategy: registry.Strategy{
				KeepOld:             []string{"status"},
				ValidateName:        metadata.DNSLabel,
				AllowCreateOnUpdate: true,
				ReturnDeleted:       true,
				Default:             defaultService,
				PrepareForCreate: func(_ context.Context, o *object.Object) error {
					o.Fields["status"] = tree{"loadBalancer": tree{}}
					return s.allocate(o, nil)
				},
				PrepareForUpdate: func(_ context.Context, o, old *object.Object) error { return s.allocate(o, old) },
				Validate:         func(o *object.Object) field.Errors { return checkService(o) },
				ValidateUpdate:   checkServiceUpdate,
				Warnings:         func(o, _ *object.Object) []string { return serviceWarnings(o) },
				Begin:            options.Services.begin,
				Field: selectable(map[string]func(*object.Object) string{
					"spec.clusterIP": text("spec", "clusterIP"),
					"spec.type":      text("spec", "type"),
				}),
			},
			Status: &registry.Strategy{
				OnlyNew: []string{"status"},
				Default: defaultService,
				ValidateUpdate: func(o, _ *object.Object) field.Errors {
					return checkBalancerStatus(o)
				},
			},
		},
		Columns: serviceColumns(),
	}
}

// defaultService fills in what a service's author left out.
//
// Upstream: pkg/api/v1/defaults.go SetDefaults_Service
func defaultService(o *object.Object) {
	s := rules.Make(o.Fields, "spec")
	rules.Fill(s, "sessionAffinity", "None")
	rules.Fill(s, "type", "ClusterIP")
	switch s["sessionAffinity"] {
	case "None":
		delete(s, "sessionAffinityConfig")
	case "ClientIP":
		rules.Fill(rules.Make(s, "sessionAffinityConfig", "clientIP"), "timeoutSeconds", rules.Number(10800))
	}
	for _, p := range rules.Items(s, "ports") {
		rules.Fill(p, "protocol", "TCP")
		if t := p["targetPort"]; (t == nil || t == "" || t == rules.Number(0)) && p["port"] != nil {
			p["targetPort"] = p["port"]
		}
	}
	if reachable(s) {
		rules.Fill(s, "externalTrafficPolicy", "Cluster")
	}
	if slices.Contains([]string{"ClusterIP", "NodePort", "LoadBalancer"}, rules.Text(s, "type")) {
		rules.Fill(s, "internalTrafficPolicy", "Cluster")
	}
	if s["type"] == "LoadBalancer" {
		rules.Fill(s, "allocateLoadBalancerNodePorts", true)
		for _, i := range rules.Items(o.Fields, "status", "loadBalancer", "ingress") {
			if rules.Text(i, "ip") != "" {
				rules.Fill(i, "ipMode", "VIP")
			}
		}
	}
}

// reachable services can be reached from outside of the cluster.
func reachable(s tree) bool {
	return s["type"] == "LoadBalancer" || s["type"] == "NodePort" || s["type"] == "ClusterIP" && len(rules.List(s, "externalIPs")) > 0
}

func headless(s tree) bool { return s["type"] == "ClusterIP" && s["clusterIP"] == "None" }

func needsIP(s tree) bool { return s["type"] != "ExternalName" }

func needsPorts(s tree) bool {
	return s["type"] == "NodePort" || s["type"] == "LoadBalancer" && s["allocateLoadBalancerNodePorts"] != false
}

// needsHealthPort: a load balancer that sends traffic only to nodes that have
// the service has to ask them somewhere.
func needsHealthPort(s tree) bool {
	return s["type"] == "LoadBalancer" && s["externalTrafficPolicy"] == "Local"
}

// serviceStrategy gives services their addresses and ports.
type serviceStrategy struct{ allocator *Allocator }

// allocate finds what the service needs and does not have. Nothing is taken
// yet: that is for Begin, right before the commit.
//
// Upstream: pkg/registry/core/service/rest.go Create
// Now: pkg/registry/core/service/storage/storage.go beginCreate
func (a serviceStrategy) allocate(o, old *object.Object) error {
	s, was := rules.Make(o.Fields, "spec"), tree(nil)
	if old != nil {
		was = spec(old)
		dropByType(s, was)
		takeOver(s, was)
	}
	normaliseIPs(s, was)
	if errs := a.families(s, was); len(errs) > 0 {
		return apistatus.Invalid("", "Service", o.Meta.Name, errs)
	}
	if err := a.address(o, s, was); err != nil {
		return err
	}
	return a.nodePorts(o, s)
}

// dropByType forgets what the service had for being of a type that it no longer
// is, if the client sends it back unchanged.
//
// Now: pkg/registry/core/service/strategy.go dropTypeDependentFields
func dropByType(s, was tree) {
	drop := func(names ...string) {
		for _, name := range names {
			if rules.Same(s[name], was[name]) {
				delete(s, name)
			}
		}
	}
	if needsIP(was) && !needsIP(s) {
		drop("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy")
	}
	if needsPorts(was) && !needsPorts(s) && samePorts(s, was) {
		for _, p := range rules.Items(s, "ports") {
			delete(p, "nodePort")
		}
	}
	if needsHealthPort(was) && !needsHealthPort(s) {
		drop("healthCheckNodePort")
	}
	if was["type"] == "LoadBalancer" && s["type"] != "LoadBalancer" {
		drop("allocateLoadBalancerNodePorts", "loadBalancerClass")
	}
	if reachable(was) && !reachable(s) {
		drop("externalTrafficPolicy")
	}
}

func samePorts(s, was tree) bool {
	numbers := func(t tree) (list []int64) {
		for _, p := range rules.Items(t, "ports") {
			list = append(list, rules.Int(p, "nodePort"))
		}
		return list
	}
	return slices.Equal(numbers(s), numbers(was))
}

// takeOver fills in what was allocated before and the client left out.
//
// Now: pkg/registry/core/service/storage/storage.go patchAllocatedValues
func takeOver(s, was tree) {
	if needsIP(was) && needsIP(s) {
		if rules.Text(s, "clusterIP") == "" {
			rules.Put(s, was, "clusterIP")
		}
		if len(rules.List(s, "clusterIPs")) == 0 && rules.Same(s["clusterIP"], was["clusterIP"]) {
			rules.Put(s, was, "clusterIPs")
		}
	}
	if needsPorts(was) && needsPorts(s) {
		takeOverPorts(s, was)
	}
	if needsHealthPort(was) && needsHealthPort(s) && rules.Int(s, "healthCheckNodePort") == 0 {
		rules.Put(s, was, "healthCheckNodePort")
	}
}

func takeOverPorts(s, was tree) {
	used := map[int64]bool{}
	for _, p := range rules.Items(s, "ports") {
		used[rules.Int(p, "nodePort")] = true
	}
	byName := map[string]int64{}
	for _, p := range rules.Items(was, "ports") {
		byName[rules.Text(p, "name")] = rules.Int(p, "nodePort")
	}
	for _, p := range rules.Items(s, "ports") {
		n := byName[rules.Text(p, "name")]
		if rules.Int(p, "nodePort") == 0 && n != 0 && !used[n] {
			p["nodePort"] = rules.Number(n)
			used[n] = true
		}
	}
}

// serviceWarnings tell the author of a service what has no effect, or is old.
//
// Now: pkg/api/service/warnings.go GetWarningsForService
func serviceWarnings(o *object.Object) (warnings []string) {
	s := spec(o)
	say := func(given bool, text string) {
		if given {
			warnings = append(warnings, text)
		}
	}
	_, hints := o.Meta.Annotations[topologyHints]
	external, kind, none := len(rules.List(s, "externalIPs")) > 0, rules.Text(s, "type"), headless(s)
	say(hints, "annotation "+topologyHints+" is deprecated, please use "+topologyMode+" instead")
	warnings = append(warnings, addressWarnings(s, "clusterIPs")...)
	say(none && rules.Text(s, "loadBalancerIP") != "", "spec.loadBalancerIP is ignored for headless services")
	say(none && external, "spec.externalIPs is ignored for headless services")
	say(none && s["sessionAffinity"] != "None", "spec.SessionAffinity is ignored for headless services")
	warnings = append(warnings, addressWarnings(s, "externalIPs")...)
	say(external && !none && kind != "ExternalName", "spec.externalIPs is deprecated and may no longer be implemented in some clusters")
	balancer := rules.AddressWarning("spec.loadBalancerIP", rules.Text(s, "loadBalancerIP"))
	say(balancer != "", balancer)
	for i, r := range rules.Texts(s, "loadBalancerSourceRanges") {
		w := rules.NetworkWarning(rules.Index("spec.loadBalancerSourceRanges", i), r)
		say(w != "", w)
	}
	say(external && kind == "ExternalName", `spec.externalIPs is ignored when spec.type is "ExternalName"`)
	say(kind != "ExternalName" && rules.Text(s, "externalName") != "", `spec.externalName is ignored when spec.type is not "ExternalName"`)
	say(s["trafficDistribution"] == "PreferClose", `spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"`)
	return warnings
}

func addressWarnings(s tree, name string) (warnings []string) {
	for i, ip := range rules.Texts(s, name) {
		if w := rules.AddressWarning(rules.Index("spec."+name, i), ip); w != "" {
			warnings = append(warnings, w)
		}
	}
	return warnings
}
