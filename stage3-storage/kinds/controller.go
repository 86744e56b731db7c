package kinds

import (
	"context"
	"fmt"
	"strings"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/field"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/wire/printers"
)

func replicationControllers() Kind {
	resource := row("replicationcontrollers", "replicationcontroller", "ReplicationController", "controllers", true, "rc")
	resource.Categories = []string{"all"}
	return Kind{registry.Kind{
		Resource: resource,
		Strategy: registry.Strategy{
			KeepOld:         []string{"status"},
			HasGeneration:   true,
			OrphanByDefault: true,
			Default:         defaultController,
			PrepareForCreate: func(_ context.Context, o *object.Object) error {
				o.Fields["status"] = tree{"replicas": number(0)}
				return nil
			},
			Validate: checkController,
			Field: func(o *object.Object, path string) (string, bool) {
				return fmt.Sprint(asInt(status(o)["replicas"])), path == "status.replicas"
			},
		},
		Status: statusOnly(),
	}, []printers.Column{
		printers.Name,
		{Name: "Desired", Type: "integer", Of: "spec.replicas", Cell: func(o *object.Object) any { return asInt(spec(o)["replicas"]) }},
		{Name: "Current", Type: "integer", Of: "status.replicas", Cell: func(o *object.Object) any { return asInt(status(o)["replicas"]) }},
		{Name: "Ready", Type: "integer", Of: "status.readyReplicas", Cell: func(o *object.Object) any { return asInt(status(o)["readyReplicas"]) }},
		printers.Age,
		{Name: "Containers", Type: "string", Priority: 1, Text: "Names of each container in the template.", Cell: ofContainers("name")},
		{Name: "Images", Type: "string", Priority: 1, Text: "Images referenced by each container in the template.", Cell: ofContainers("image")},
		{Name: "Selector", Type: "string", Priority: 1, Of: "spec.selector", Cell: func(o *object.Object) any { return selectorText(asTree(spec(o)["selector"])) }},
	}}
}

func ofContainers(name string) func(*object.Object) any {
	return func(o *object.Object) any {
		var list []string
		each(at(spec(o), "template", "spec", "containers"), func(_ int, c tree) { list = append(list, asString(c[name])) })
		return strings.Join(list, ",")
	}
}

// defaultController: one replica, and the template's labels say whom it selects.
//
// Upstream: pkg/apis/core/v1/defaults.go SetDefaults_ReplicationController
func defaultController(o *object.Object) {
	s := specOf(o)
	if s["replicas"] == nil {
		s["replicas"] = number(1)
	}
	if labels := asTree(at(s, "template", "metadata", "labels")); labels != nil {
		if len(asTree(s["selector"])) == 0 {
			s["selector"] = object.CopyTree(labels)
		}
		if len(o.Meta.Labels) == 0 {
			o.Meta.Labels = stringMap(labels)
		}
	}
	defaultPodSpec(asTree(at(s, "template", "spec")))
	emptyStatus(o)
}

// checkController returns all that is wrong with a replication controller.
//
// Upstream: pkg/apis/core/validation/validation.go ValidateReplicationController
func checkController(o *object.Object) (errs field.Errors) {
	s := spec(o)
	selector := asTree(s["selector"])
	if len(selector) == 0 {
		errs = append(errs, field.Required("spec.selector", ""))
	}
	if n := asInt(s["replicas"]); n < 0 {
		errs = append(errs, field.Invalid("spec.replicas", n, "must be greater than or equal to 0"))
	}
	template := asTree(s["template"])
	if template == nil {
		return append(errs, field.Required("spec.template", ""))
	}
	labels := asTree(at(template, "metadata", "labels"))
	for k, v := range selector {
		if labels[k] != v {
			errs = append(errs, field.Invalid("spec.template.metadata.labels", labels, "`selector` does not match template `labels`"))
			break
		}
	}
	errs = append(errs, checkPodSpec("spec.template.spec", asTree(template["spec"]), true)...)
	if p := asString(at(template, "spec", "restartPolicy")); p != "Always" {
		errs = append(errs, field.NotSupported("spec.template.spec.restartPolicy", p, "Always"))
	}
	return errs
}

// ScaleColumns are the columns of the subresource scale.
func ScaleColumns() []printers.Column {
	return []printers.Column{
		printers.Name,
		{Name: "Desired", Type: "integer", Of: "spec.replicas", Cell: func(o *object.Object) any { return asInt(spec(o)["replicas"]) }},
		{Name: "Available", Type: "integer", Of: "status.replicas", Cell: func(o *object.Object) any { return asInt(status(o)["replicas"]) }},
		printers.Age,
	}
}
