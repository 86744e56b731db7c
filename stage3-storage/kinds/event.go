package kinds

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/field"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/wire/metadata"
	"example.com/kube-apiserver/stage3-storage/wire/printers"
)

func events(options Options) Kind {
	return Kind{
		Kind: registry.Kind{
			Resource: row("events", "event", "Event", "events", true, "ev"),
			Strategy: registry.Strategy{
				AllowCreateOnUpdate: true,
				ValidateName:        metadata.PathSegment, // its name is made of other names and a time
				TTL:                 func(*object.Object) time.Duration { return options.EventTTL },
				Validate:            checkEvent,
				Field:               selectable(eventFields()),
			},
		},
		Columns: EventColumns(),
	}
}

func eventFields() map[string]func(*object.Object) string {
	fields := map[string]func(*object.Object) string{
		"reason": text("reason"), "type": text("type"), "reportingComponent": text("reportingComponent"),
		"source": func(o *object.Object) string { return eventComponent(o) },
	}
	for _, name := range []string{"kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath"} {
		fields["involvedObject."+name] = text("involvedObject", name)
	}
	return fields
}

// eventComponent is who reports: old and new clients say it in different fields.
func eventComponent(o *object.Object) string {
	return cmp.Or(rules.Text(o.Fields, "source", "component"), rules.Text(o.Fields, "reportingComponent"))
}

// checkEvent returns all that is wrong with an event. Those of new clients,
// which know eventTime, have to say more.
//
// Upstream: pkg/api/validation/events.go ValidateEvent
// Now: pkg/apis/core/validation/events.go ValidateEventCreate
func checkEvent(o *object.Object) (errs field.Errors) {
	about := rules.Text(o.Fields, "involvedObject", "namespace")
	wrong := field.Invalid("involvedObject.namespace", about, "does not match event.namespace")
	ns := o.Meta.Namespace
	if o.Fields["eventTime"] == nil {
		if about != ns && !(about == "" && ns == "default") {
			errs = append(errs, wrong)
		}
		return errs
	}
	if about == "" && ns != "default" && ns != "kube-system" {
		errs = append(errs, wrong)
	}
	return append(errs, newEvent.Check("", tree(o.Fields))...)
}

var newEvent = rules.Fields{
	{Name: "reportingComponent", Check: func(at string, v any) field.Errors {
		return rules.All(rules.Required(), rules.LabelKey)(rules.Beside(at, "reportingController"), v) // upstream's path
	}},
	{Name: "reportingInstance", Check: rules.All(rules.Required(), atMost(128))},
	{Name: "action", Check: rules.All(rules.Required(), atMost(128))},
	{Name: "reason", Check: rules.All(rules.Required(), atMost(128))},
	{Name: "message", Check: atMost(1024)},
}

// atMost does not show the text that is too long.
func atMost(n int) rules.Check {
	return func(at string, v any) field.Errors {
		if s, _ := v.(string); len(s) > n {
			return field.Errors{field.Invalid(at, "", fmt.Sprintf("can have at most %d characters", n))}
		}
		return nil
	}
}

// EventColumns are those of events, in whichever group.
func EventColumns() []printers.Column {
	name := printers.Name
	name.Priority = 1
	return []printers.Column{
		{Name: "Last Seen", Type: "string", Of: "lastTimestamp", Cell: func(o *object.Object) any { return printers.AgeOf(lastSeen(o)) }},
		{Name: "Type", Type: "string", Of: "type", Cell: textAt("", "type")},
		{Name: "Reason", Type: "string", Of: "reason", Cell: textAt("", "reason")},
		{Name: "Object", Type: "string", Of: "involvedObject", Cell: func(o *object.Object) any { return eventObject(o) }},
		{Name: "Subobject", Type: "string", Priority: 1, Of: "involvedObject.fieldPath", Cell: textAt("", "involvedObject", "fieldPath")},
		{Name: "Source", Type: "string", Priority: 1, Of: "source", Cell: func(o *object.Object) any { return eventSource(o) }},
		{Name: "Message", Type: "string", Of: "message", Cell: func(o *object.Object) any { return strings.TrimSpace(rules.Text(o.Fields, "message")) }},
		{Name: "First Seen", Type: "string", Priority: 1, Of: "firstTimestamp", Cell: func(o *object.Object) any { return printers.AgeOf(firstSeen(o)) }},
		{Name: "Count", Type: "string", Priority: 1, Of: "count", Cell: func(o *object.Object) any { return eventCount(o) }},
		name,
	}
}

func firstSeen(o *object.Object) string {
	return cmp.Or(rules.Text(o.Fields, "firstTimestamp"), rules.Text(o.Fields, "eventTime"))
}

func lastSeen(o *object.Object) string {
	return cmp.Or(rules.Text(o.Fields, "series", "lastObservedTime"), rules.Text(o.Fields, "lastTimestamp"), firstSeen(o))
}

func eventCount(o *object.Object) int64 {
	if series := rules.Map(o.Fields, "series"); series != nil {
		return rules.Int(series, "count")
	}
	return cmp.Or(rules.Int(o.Fields, "count"), 1)
}

func eventObject(o *object.Object) string {
	kind := strings.ToLower(rules.Text(o.Fields, "involvedObject", "kind"))
	if name := rules.Text(o.Fields, "involvedObject", "name"); name != "" {
		return kind + "/" + name
	}
	return kind
}

func eventSource(o *object.Object) string {
	component := eventComponent(o)
	if instance := cmp.Or(rules.Text(o.Fields, "source", "host"), rules.Text(o.Fields, "reportingInstance")); instance != "" {
		return component + ", " + instance
	}
	return component
}
