package kinds

import (
	"fmt"
	"slices"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object/field"
)

// checkContainers checks the three lists of containers, whose names must all
// be different.
//
// Upstream: pkg/apis/core/validation/validation.go validateContainers
func (s *podSpec) checkContainers(at string) (errs field.Errors) {
	if len(rules.List(s.tree, "containers")) == 0 {
		errs = append(errs, field.Required(at+".containers", ""))
	}
	var names []string
	for _, list := range []string{"containers", "initContainers", "ephemeralContainers"} {
		path := rules.Join(at, list)
		for i, c := range rules.Items(s.tree, list) {
			here, name := rules.Index(path, i), rules.Text(c, "name")
			errs = append(errs, s.container(c).Check(here, c)...)
			if name != "" && slices.Contains(names, name) {
				errs = append(errs, field.Duplicate(here+".name", name))
			}
			names = append(names, name)
			errs = append(errs, s.checkPlace(list, here, c)...)
		}
	}
	return append(errs, hostPorts(at+".containers", s.tree)...)
}

// container is what all containers have to be.
//
// Upstream: pkg/apis/core/validation/validation.go validateContainerCommon
func (s *podSpec) container(c tree) rules.Fields {
	return rules.Fields{
		{Name: "name", Check: rules.Required(rules.Label)},
		{Name: "image", Check: rules.Required()},
		{Name: "terminationMessagePolicy", Check: rules.Required(rules.OneOf("File", "FallbackToLogsOnError"))},
		{Name: "ports", Check: rules.All(rules.Each(containerPort.Check), rules.Unique("name"))},
		{Name: "env", Check: rules.Each(envVar)},
		{Name: "envFrom", Check: envFrom},
		{Name: "volumeMounts", Check: func(at string, _ any) field.Errors { return s.checkMounts(at, c) }},
		{Name: "volumeDevices", Check: func(at string, _ any) field.Errors { return s.checkDevices(at, c) }},
		{Name: "imagePullPolicy", Check: rules.Required(rules.OneOf("Always", "IfNotPresent", "Never"))},
		{Name: "resources", Check: requirements},
		{Name: "securityContext", Check: s.containerSecurity},
	}
}

var containerPort = rules.Fields{
	{Name: "name", Check: rules.Words(rules.PortName)},
	{Name: "containerPort", Check: rules.NotZero(rules.Port)},
	{Name: "hostPort", Check: rules.Between(0, 65535)},
	{Name: "protocol", Check: rules.Required(protocol)},
}

// checkPlace has the rules that hold in one of the three lists only.
func (s *podSpec) checkPlace(list, at string, c tree) field.Errors {
	grace := rules.Int(s.tree, "terminationGracePeriodSeconds")
	life := rules.Fields{
		{Name: "lifecycle", Check: rules.Fields{
			{Name: "postStart", Check: handler(grace)},
			{Name: "preStop", Check: handler(grace)},
		}.Check},
		{Name: "livenessProbe", Check: probe(probeOnce)},
		{Name: "readinessProbe", Check: probe(probeForever)},
		{Name: "startupProbe", Check: probe(probeOnce)},
		{Name: "restartPolicy", Check: rules.OneOf("Always", "Never", "OnFailure")},
	}
	switch {
	case list == "ephemeralContainers":
		return s.checkEphemeral(at, c)
	case list == "containers" || c["restartPolicy"] == "Always":
		return life.Check(at, c)
	}
	return initOnly.Check(at, c)
}

// initOnly: an init container ends, so nobody asks whether it is well; only one
// that is always restarted stays beside the others.
var initOnly = rules.Fields{
	{Name: "restartPolicy", Check: rules.OneOf("Always", "Never", "OnFailure")},
	{Name: "lifecycle", Check: rules.Never(needsRestart)},
	{Name: "livenessProbe", Check: rules.Never(needsRestart)},
	{Name: "readinessProbe", Check: rules.Never(needsRestart)},
	{Name: "startupProbe", Check: rules.Never(needsRestart)},
}

const needsRestart = "may not be set for init containers without restartPolicy=Always"

// notEphemeral are the fields that a container for debugging cannot have: it
// gets no resources of its own and nobody waits for it.
var notEphemeral = []string{"ports", "livenessProbe", "readinessProbe", "startupProbe", "lifecycle", "restartPolicy", "resizePolicy"}

func (s *podSpec) checkEphemeral(at string, c tree) (errs field.Errors) {
	const why = "cannot be set for an Ephemeral Container"
	errs = rules.Trimmed(at+".image", c["image"])
	if target := rules.Text(c, "targetContainerName"); target != "" {
		known := false
		for _, list := range containerLists[:2] {
			for _, other := range rules.Items(s.tree, list) {
				known = known || other["name"] == target
			}
		}
		if !known {
			errs = append(errs, field.NotFound(at+".targetContainerName", target))
		}
	}
	for _, name := range notEphemeral {
		errs = append(errs, rules.Never(why)(rules.Join(at, name), c[name])...)
	}
	if len(rules.Map(c, "resources")) > 0 {
		errs = append(errs, field.Forbidden(at+".resources", why))
	}
	for i, m := range rules.Items(c, "volumeMounts") {
		path := rules.Index(at+".volumeMounts", i)
		errs = append(errs, rules.Never(why)(path+".subPath", m["subPath"])...)
		errs = append(errs, rules.Never(why)(path+".subPathExpr", m["subPathExpr"])...)
	}
	return errs
}

// hostPorts: two containers of a pod cannot have the same port of the host.
func hostPorts(at string, s tree) (errs field.Errors) {
	taken := map[string]bool{}
	for i, c := range rules.Items(s, "containers") {
		for j, p := range rules.Items(c, "ports") {
			n := rules.Int(p, "hostPort")
			if n == 0 {
				continue
			}
			id := fmt.Sprintf("%s/%s/%d", rules.Text(p, "protocol"), rules.Text(p, "hostIP"), n)
			if taken[id] {
				errs = append(errs, field.Duplicate(rules.Index(rules.Index(at, i)+".ports", j)+".hostPort", id))
			}
			taken[id] = true
		}
	}
	return errs
}
