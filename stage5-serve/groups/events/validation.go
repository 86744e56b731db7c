package events

import (
	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/field"
	"example.com/kube-apiserver/stage3-storage/object/status"
)

// What is wrong is told in the core group's names, as upstream.

// check refuses a new event that is not as today's clients write them. What
// holds for all events, the core group's storage checks.
//
// Upstream: pkg/api/validation/events.go ValidateEvent
// Now: pkg/apis/core/validation/events.go ValidateEventCreate
func check(o *object.Object) error {
	errs := checkSeries(o)
	if o.Fields["eventTime"] == nil {
		errs = append(errs, field.Required("eventTime", ""))
	}
	if t := rules.Text(o.Fields, "type"); t != "Normal" && t != "Warning" {
		errs = append(errs, field.Invalid("type", "", "has invalid value: "+t))
	}
	for _, name := range []string{"firstTimestamp", "lastTimestamp", "count", "source"} {
		if v := o.Fields[name]; !rules.Same(v, nil) && v != rules.Number(0) {
			errs = append(errs, field.Invalid(name, "", "needs to be unset"))
		}
	}
	return invalid(o, errs)
}

// checkUpdate: of an event only its series may change.
//
// Now: pkg/apis/core/validation/events.go ValidateEventUpdate
func checkUpdate(o *object.Object, live *object.Encoded) error {
	old, err := live.Object()
	if err != nil {
		return err
	}
	var errs field.Errors
	if !rules.Same(o.Fields["series"], old.Fields["series"]) {
		errs = checkSeries(o)
	}
	for _, f := range []struct{ name, shown string }{
		{"involvedObject", ""}, {"reason", ""}, {"message", ""}, {"source", ""}, {"firstTimestamp", ""}, {"lastTimestamp", ""}, {"count", ""}, {"type", ""},
		{"eventTime", ""}, {"action", ""}, {"related", ""}, {"reportingComponent", "reportingController"}, {"reportingInstance", ""},
	} {
		if f.shown == "" {
			f.shown = f.name
		}
		if !rules.Same(o.Fields[f.name], old.Fields[f.name]) {
			errs = append(errs, field.Invalid(f.shown, o.Fields[f.name], "field is immutable"))
		}
	}
	return invalid(o, errs)
}

func checkSeries(o *object.Object) (errs field.Errors) {
	series := rules.Map(o.Fields, "series")
	if series == nil {
		return nil
	}
	if rules.Int(series, "count") < 2 {
		errs = append(errs, field.Invalid("series.count", "", "should be at least 2"))
	}
	if series["lastObservedTime"] == nil {
		errs = append(errs, field.Required("series.lastObservedTime", ""))
	}
	return errs
}

func invalid(o *object.Object, errs field.Errors) error {
	if len(errs) == 0 {
		return nil
	}
	return status.Invalid("", kind, o.Meta.Name, errs)
}
