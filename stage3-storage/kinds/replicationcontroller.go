package kinds

import (
	"context"
	"fmt"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/field"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/wire/printers"
)

func replicationControllers(options Options) Kind {
	return Kind{
		Kind: registry.Kind{
			Resource: all(row("replicationcontrollers", "replicationcontroller", "ReplicationController", "controllers", true, "rc")),
			Strategy: registry.Strategy{
				KeepOld:         []string{"status"},
				HasGeneration:   true,
				OrphanByDefault: true,
				Default:         defaultController,
				PrepareForCreate: func(_ context.Context, o *object.Object) error {
					o.Fields["status"] = tree{"replicas": rules.Number(0)}
					return nil
				},
				Validate: func(o *object.Object) field.Errors { return checkController(o, options) },
				Warnings: func(o, old *object.Object) []string {
					return append(nameWarning(o, old, "Pod names and hostnames"), templateWarnings("spec.template")(o, old)...)
				},
				Field: selectable(map[string]func(*object.Object) string{
					"status.replicas": func(o *object.Object) string { return fmt.Sprint(rules.Int(o.Fields, "status", "replicas")) },
				}),
			},
			Status: statusOnly(checkControllerStatus),
		},
		Columns: []printers.Column{
			printers.Name,
			{Name: "Desired", Type: "integer", Of: "spec.replicas", Cell: intAt("spec", "replicas")},
			{Name: "Current", Type: "integer", Of: "status.replicas", Cell: intAt("status", "replicas")},
			{Name: "Ready", Type: "integer", Of: "status.readyReplicas", Cell: intAt("status", "readyReplicas")},
			printers.Age,
			containersColumn(1, "spec", "template"),
			imagesColumn(1, "spec", "template"),
			{Name: "Selector", Type: "string", Priority: 1, Of: "spec.selector", Cell: labelsAt("spec", "selector")},
		},
	}
}

// defaultController: one replica, and the template's labels say whom it selects.
//
// Upstream: pkg/api/v1/defaults.go SetDefaults_ReplicationController
func defaultController(o *object.Object) {
	s := rules.Make(o.Fields, "spec")
	rules.Fill(s, "replicas", rules.Number(1))
	if labels := rules.Map(s, "template", "metadata", "labels"); len(labels) > 0 {
		if len(rules.Map(s, "selector")) == 0 {
			s["selector"] = object.CopyTree(labels)
		}
		if len(o.Meta.Labels) == 0 {
			o.Meta.Labels = rules.Strings(labels)
		}
	}
	DefaultPodSpec(rules.Map(s, "template", "spec"))
}

// checkController returns all that is wrong with a replication controller.
//
// Upstream: pkg/api/validation/validation.go ValidateReplicationController
func checkController(o *object.Object, options Options) field.Errors {
	s := spec(o)
	errs := rules.Fields{
		{Name: "minReadySeconds", Check: rules.NotNegative},
		{Name: "selector", Check: rules.Required()},
		{Name: "replicas", Check: rules.Required(rules.NotNegative)},
	}.Check("spec", s)
	template := rules.Map(s, "template")
	if template == nil {
		return append(errs, field.Required("spec.template", ""))
	}
	labels := rules.Map(template, "metadata", "labels")
	for k, v := range rules.Map(s, "selector") {
		if !rules.Same(labels[k], v) {
			errs = append(errs, field.Invalid("spec.template.metadata.labels", labels, "`selector` does not match template `labels`"))
			break
		}
	}
	errs = append(errs, CheckPodTemplate("spec.template", template, options)...)
	if policy := rules.Text(template, "spec", "restartPolicy"); policy != "Always" {
		errs = append(errs, field.NotSupported("spec.template.spec.restartPolicy", policy, "Always"))
	}
	never := rules.Never("activeDeadlineSeconds in ReplicationController is not Supported")
	return append(errs, never("spec.template.spec.activeDeadlineSeconds", rules.Get(template, "spec", "activeDeadlineSeconds"))...)
}

var controllerStatus = rules.Fields{
	{Name: "replicas", Check: rules.NotNegative},
	{Name: "fullyLabeledReplicas", Check: rules.NotNegative},
	{Name: "readyReplicas", Check: rules.NotNegative},
	{Name: "availableReplicas", Check: rules.NotNegative},
	{Name: "observedGeneration", Check: rules.NotNegative},
}

// checkControllerStatus: no part is more than the whole.
//
// Upstream: pkg/api/validation/validation.go ValidateReplicationControllerStatus
func checkControllerStatus(o, _ *object.Object) field.Errors {
	s := status(o)
	errs := controllerStatus.Check("status", s)
	for _, part := range []string{"fullyLabeledReplicas", "readyReplicas", "availableReplicas"} {
		if n := rules.Int(s, part); n > rules.Int(s, "replicas") {
			errs = append(errs, field.Invalid("status."+part, n, "cannot be greater than status.replicas"))
		}
	}
	if n := rules.Int(s, "availableReplicas"); n > rules.Int(s, "readyReplicas") {
		errs = append(errs, field.Invalid("status.availableReplicas", n, "cannot be greater than readyReplicas"))
	}
	return errs
}
