package plugins

import (
	"context"
	"fmt"
	"slices"

	"example.com/kube-apiserver/stage3-storage/admission"
	"example.com/kube-apiserver/stage3-storage/kinds/rules"
)

// This file has the plugins that only forbid the use of some fields.

// denyExternalIPs lets no service take an address that it was not given: it
// could take other people's traffic.
//
// Now: plugin/pkg/admission/network/denyserviceexternalips/admission.go externalIPsDenierPlugin
type denyExternalIPs struct{ admission.Handler }

func (denyExternalIPs) Validate(_ context.Context, a *admission.Attributes) error {
	if !a.Of("services") {
		return nil
	}
	var before []string
	if a.Old != nil {
		before = rules.Texts(a.Old.Fields, "spec", "externalIPs")
	}
	for _, ip := range rules.Texts(a.Object.Fields, "spec", "externalIPs") {
		if !slices.Contains(before, ip) {
			return admission.Forbidden(a, "Use of external IPs is denied by admission control.")
		}
	}
	return nil
}

// limitTopology lets pods keep others off their node, and not off a whole zone.
//
// Upstream: plugin/pkg/admission/antiaffinity/admission.go plugin
type limitTopology struct{ admission.Handler }

func (limitTopology) Validate(_ context.Context, a *admission.Attributes) error {
	const hostname = "kubernetes.io/hostname"
	if !a.Of("pods") {
		return nil
	}
	for _, term := range rules.Items(a.Object.Fields, "spec", "affinity", "podAntiAffinity", "requiredDuringSchedulingIgnoredDuringExecution") {
		if key := rules.Text(term, "topologyKey"); key != hostname {
			return admission.Forbidden(a, fmt.Sprintf("affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey %v but only key %v is allowed", key, hostname))
		}
	}
	return nil
}

// securityContextDeny forbids pods to choose who they run as. Today's clusters
// use PodSecurity instead.
//
// Upstream: plugin/pkg/admission/securitycontext/scdeny/admission.go plugin
type securityContextDeny struct{ admission.Handler }

// forbiddenSettings are fields of security contexts, as the messages name them.
var forbiddenSettings = []struct {
	field, name string
	podOnly     bool
}{
	{"supplementalGroups", "SupplementalGroups", true},
	{"seLinuxOptions", "SELinuxOptions", false},
	{"runAsUser", "RunAsUser", false},
	{"fsGroup", "FSGroup", true},
}

func (securityContextDeny) Validate(_ context.Context, a *admission.Attributes) error {
	if !a.Of("pods") {
		return nil
	}
	spec := rules.Map(a.Object.Fields, "spec")
	for _, s := range forbiddenSettings {
		if rules.Get(spec, "securityContext", s.field) != nil {
			return admission.Forbidden(a, "pod.Spec.SecurityContext."+s.name+" is forbidden")
		}
	}
	for c := range containers(spec) {
		for _, s := range forbiddenSettings {
			if !s.podOnly && rules.Get(c, "securityContext", s.field) != nil {
				return admission.Forbidden(a, "SecurityContext."+s.name+" is forbidden")
			}
		}
	}
	return nil
}
