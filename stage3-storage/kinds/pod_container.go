package kinds

import (
	"fmt"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object/field"
)

// checkContainers checks the three lists of containers, whose names must all
// be different.
//
// Upstream: pkg/api/validation/validation.go validateContainers
func (s *podSpec) checkContainers(at string) (errs field.Errors) {
	if len(rules.List(s.tree, "containers")) == 0 {
		errs = append(errs, field.Required(at+".containers", ""))
	}
	names := map[string]bool{}
	for i, c := range rules.Items(s.tree, "containers") {
		errs = append(errs, s.checkContainer(rules.Index(at+".containers", i), c, names)...)
	}
	errs = append(errs, hostPorts(at+".containers", rules.List(s.tree, "containers"))...)
	for i, c := range rules.Items(s.tree, "initContainers") {
		errs = append(errs, s.checkInit(rules.Index(at+".initContainers", i), c, names)...)
		errs = append(errs, hostPorts(at+".initContainers", []any{c})...) // one after the other: only with itself
	}
	others := map[string]bool{}
	for name := range names {
		others[name] = true
	}
	for i, c := range rules.Items(s.tree, "ephemeralContainers") {
		errs = append(errs, s.checkEphemeral(rules.Index(at+".ephemeralContainers", i), c, names, others)...)
	}
	return errs
}

// checkContainer checks one that runs as long as the pod does.
func (s *podSpec) checkContainer(at string, c tree, names map[string]bool) field.Errors {
	errs := s.container(c).Check(at, c)
	errs = append(errs, takeName(at, c, names)...)
	errs = append(errs, s.life().Check(at, c)...)
	return append(errs, restartRules(at, c)...)
}

// checkInit checks one that ends before the others begin, or, if it is always
// restarted, stays beside them.
//
// Upstream: pkg/api/validation/validation.go validateInitContainers
func (s *podSpec) checkInit(at string, c tree, names map[string]bool) field.Errors {
	errs := s.container(c).Check(at, c)
	errs = append(errs, restartRules(at, c)...)
	errs = append(errs, takeName(at, c, names)...)
	if c["restartPolicy"] == "Always" {
		return append(errs, s.life().Check(at, c)...)
	}
	errs = append(errs, initOnly.Check(at, c)...)
	for j, p := range rules.Items(c, "resizePolicy") {
		if p["restartPolicy"] == "RestartContainer" {
			errs = append(errs, field.Invalid(rules.Index(at+".resizePolicy", j)+".restartPolicy", "RestartContainer", "must not be set to 'RestartContainer' for non-sidecar initContainers"))
		}
	}
	return errs
}

// takeName complains of a name that another container has.
func takeName(at string, c tree, names map[string]bool) (errs field.Errors) {
	name := rules.Text(c, "name")
	if names[name] {
		errs = append(errs, field.Duplicate(at+".name", name))
	}
	names[name] = true
	return errs
}

// container is what all containers have to be.
//
// Upstream: pkg/api/validation/validation.go validateContainers
// Now: pkg/apis/core/validation/validation.go validateContainerCommon
func (s *podSpec) container(c tree) rules.Fields {
	return rules.Fields{
		{Name: "name", Check: rules.Required(rules.Label)},
		{Name: "image", Check: rules.Required()},
		{Name: "terminationMessagePolicy", Check: rules.Required(rules.OneOf("File", "FallbackToLogsOnError"))},
		{Name: "ports", Check: containerPorts},
		{Name: "env", Check: rules.Each(envVar)},
		{Name: "envFrom", Check: envFrom},
		{Name: "volumeMounts", Check: func(at string, _ any) field.Errors { return s.checkMounts(at, c) }},
		{Name: "volumeDevices", Check: func(at string, _ any) field.Errors { return s.checkDevices(at, c) }},
		{Name: "imagePullPolicy", Check: rules.Required(rules.OneOf("Always", "IfNotPresent", "Never"))},
		{Name: "resources", Check: s.containerResources},
		{Name: "resizePolicy", Check: s.resizePolicies},
		{Name: "securityContext", Check: s.containerSecurity},
	}
}

// containerPorts: a name that is wrong is not taken, so that another port may
// have it too and be wrong for one reason only.
//
// Upstream: pkg/api/validation/validation.go validateContainerPorts
func containerPorts(at string, v any) (errs field.Errors) {
	names := map[string]bool{}
	list, _ := v.([]any)
	for i, p := range list {
		t, _ := p.(tree)
		here, name := rules.Index(at, i), rules.Text(t, "name")
		wrong := rules.Words(rules.PortName)(here+".name", name)
		switch {
		case len(wrong) > 0:
			errs = append(errs, wrong...)
		case names[name]:
			errs = append(errs, field.Duplicate(here+".name", name))
		default:
			names[name] = name != ""
		}
		errs = append(errs, containerPort.Check(here, t)...)
	}
	return errs
}

var containerPort = rules.Fields{
	{Name: "containerPort", Check: rules.NotZero(rules.Port)},
	{Name: "hostPort", Check: func(at string, v any) field.Errors {
		if rules.IntOf(v) == 0 {
			return nil // none
		}
		return rules.Port(at, v)
	}},
	{Name: "protocol", Check: rules.Required(protocol)},
}

// life is what is done to a container while it runs.
func (s *podSpec) life() rules.Fields {
	grace := rules.Int(s.tree, "terminationGracePeriodSeconds")
	return rules.Fields{
		{Name: "lifecycle", Check: rules.Fields{
			{Name: "postStart", Check: handler(grace)},
			{Name: "preStop", Check: handler(grace)},
			{Name: "stopSignal", Check: s.stopSignal},
		}.Check},
		{Name: "livenessProbe", Check: probeOnce},
		{Name: "readinessProbe", Check: probeForever},
		{Name: "startupProbe", Check: probeOnce},
	}
}

// restartRules say when one container is started again, whatever its pod says.
//
// Now: pkg/apis/core/validation/validation.go validateContainerRestartPolicy
func restartRules(at string, c tree) (errs field.Errors) {
	const mostRules, mostCodes = 20, 255
	list := rules.List(c, "restartPolicyRules")
	if c["restartPolicy"] == nil {
		if len(list) == 0 {
			return nil
		}
		errs = append(errs, field.Required(at+".restartPolicy", "must specify restartPolicy when restart rules are used"))
	} else {
		errs = append(errs, rules.MustBe("Always", "Never", "OnFailure")(at+".restartPolicy", c["restartPolicy"])...)
	}
	if len(list) > mostRules {
		errs = append(errs, field.TooMany(at+".restartPolicyRules", len(list), mostRules))
	}
	for i, rule := range rules.Items(c, "restartPolicyRules") {
		here := rules.Index(at+".restartPolicyRules", i)
		errs = append(errs, rules.MustBe("Restart", "RestartAllContainers")(here+".action", rule["action"])...)
		codes := rules.Map(rule, "exitCodes")
		if codes == nil {
			errs = append(errs, field.Required(here+".exitCodes", "must be specified"))
			continue
		}
		errs = append(errs, rules.MustBe("In", "NotIn")(here+".exitCodes.operator", codes["operator"])...)
		if n := len(rules.List(codes, "values")); n > mostCodes {
			errs = append(errs, field.TooMany(here+".exitCodes.values", n, mostCodes))
		}
	}
	return errs
}

// initOnly: an init container ends, so nobody asks whether it is well.
var initOnly = rules.Fields{
	{Name: "lifecycle", Check: rules.Never(needsRestart)},
	{Name: "livenessProbe", Check: rules.Never(needsRestart)},
	{Name: "readinessProbe", Check: rules.Never(needsRestart)},
	{Name: "startupProbe", Check: rules.Never(needsRestart)},
}

const needsRestart = "may not be set for init containers without restartPolicy=Always"

// notEphemeral are the fields that a container for debugging cannot have: it
// gets no resources of its own and nobody waits for it.
var notEphemeral = []string{"ports", "resources", "resizePolicy", "restartPolicy", "restartPolicyRules", "livenessProbe", "readinessProbe", "startupProbe", "lifecycle"}

// checkEphemeral checks a container that somebody adds for debugging. It may
// look at one of the others.
//
// Now: pkg/apis/core/validation/validation.go validateEphemeralContainers
func (s *podSpec) checkEphemeral(at string, c tree, names, others map[string]bool) field.Errors {
	const why = "cannot be set for an Ephemeral Container"
	errs := s.container(c).Check(at, c)
	errs = append(errs, rules.Trimmed(at+".image", c["image"])...)
	errs = append(errs, takeName(at, c, names)...)
	if target := rules.Text(c, "targetContainerName"); target != "" && !others[target] {
		errs = append(errs, field.NotFound(at+".targetContainerName", target))
	}
	for _, name := range notEphemeral {
		if !rules.Same(c[name], nil) { // an empty one may be there
			errs = append(errs, field.Forbidden(rules.Join(at, name), why))
		}
	}
	for i, m := range rules.Items(c, "volumeMounts") {
		path := rules.Index(at+".volumeMounts", i)
		errs = append(errs, rules.Never(why)(path+".subPath", m["subPath"])...)
		errs = append(errs, rules.Never(why)(path+".subPathExpr", m["subPathExpr"])...)
	}
	return errs
}

// hostPorts: two containers of a pod cannot have the same port of the host.
func hostPorts(at string, containers []any) (errs field.Errors) {
	taken := map[string]bool{}
	for i, c := range containers {
		c, _ := c.(tree)
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
