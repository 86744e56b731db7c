package kinds

import (
	"fmt"
	"slices"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object/field"
)

// probeRules are of all three probes.
var probeRules = rules.Fields{
	{Name: "initialDelaySeconds", Check: rules.NotNegative},
	{Name: "timeoutSeconds", Check: rules.NotNegative},
	{Name: "periodSeconds", Check: rules.NotNegative},
	{Name: "successThreshold", Check: rules.NotNegative},
	{Name: "failureThreshold", Check: rules.NotNegative},
}

// probe asks a container how it is.
//
// Upstream: pkg/api/validation/validation.go validateProbe
func probe(more rules.Fields) rules.Check {
	ask := handler(-1)
	return func(at string, v any) field.Errors {
		t, ok := v.(tree)
		if !ok {
			return nil
		}
		errs := ask(at, t)
		errs = append(errs, probeRules.Check(at, t)...)
		if grace := t["terminationGracePeriodSeconds"]; grace != nil && rules.Int(t, "terminationGracePeriodSeconds") <= 0 {
			errs = append(errs, field.Invalid(at+".terminationGracePeriodSeconds", grace, "must be greater than 0"))
		}
		return append(errs, more.Check(at, t)...)
	}
}

var (
	// probeOnce: one success is enough to be alive, or started.
	probeOnce = probe(rules.Fields{{Name: "successThreshold", Check: func(at string, v any) field.Errors {
		if v != rules.Number(1) {
			return field.Errors{field.Invalid(at, v, "must be 1")}
		}
		return nil
	}}})
	// probeForever: nobody is ended for not being ready.
	probeForever = probe(rules.Fields{{Name: "terminationGracePeriodSeconds", Check: func(at string, v any) field.Errors {
		if v != nil {
			return field.Errors{field.Invalid(at, v, "must not be set for readinessProbes")}
		}
		return nil
	}}})
)

// handler is one of several ways to reach a container. grace is how long the
// pod may take to end; below 0 the way of waiting does not exist.
//
// Upstream: pkg/api/validation/validation.go validateHandler
func handler(grace int64) rules.Check {
	ways := ways
	if grace >= 0 {
		ways = append(slices.Clip(ways), rules.Field{Name: "sleep", Check: sleep(grace)})
	}
	return func(at string, v any) field.Errors {
		t, ok := v.(tree)
		if !ok {
			return nil
		}
		errs, n := ways.Only(at, t, "may not specify more than 1 handler type")
		if n == 0 {
			errs = append(errs, field.Required(at, "must specify a handler type"))
		}
		return errs
	}
}

var ways = rules.Fields{
	{Name: "exec", Check: rules.Fields{{Name: "command", Check: rules.Required()}}.Check},
	{Name: "httpGet", Check: httpGet},
	{Name: "tcpSocket", Check: rules.Fields{{Name: "port", Check: rules.PortOrName}}.Check},
	{Name: "grpc", Check: rules.Fields{{Name: "port", Check: portNumber}}.Check},
}

func sleep(grace int64) rules.Check {
	return func(at string, v any) field.Errors {
		t, _ := v.(tree)
		if n := rules.Int(t, "seconds"); n < 0 || n > grace {
			return field.Errors{field.Invalid(at, n, fmt.Sprintf("must be non-negative and less than terminationGracePeriodSeconds (%d)", grace))}
		}
		return nil
	}
}

var getRules = rules.Fields{
	{Name: "path", Check: rules.Required()},
	{Name: "port", Check: rules.PortOrName},
	{Name: "scheme", Check: rules.MustBe("HTTP", "HTTPS")},
}

func httpGet(at string, v any) field.Errors {
	t, _ := v.(tree)
	errs := getRules.Check(at, t)
	for _, h := range rules.Items(t, "httpHeaders") {
		name := rules.Text(h, "name")
		for _, p := range rules.HeaderName(name) {
			errs = append(errs, field.Invalid(at+".httpHeaders", name, p))
		}
	}
	return errs
}
