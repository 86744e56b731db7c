package kinds

import (
	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/field"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/wire/printers"
)

func podTemplates(options Options) Kind {
	return Kind{
		Kind: registry.Kind{
			Resource: row("podtemplates", "podtemplate", "PodTemplate", "podtemplates", true),
			Strategy: registry.Strategy{
				HasGeneration: true,
				ReturnDeleted: true,
				Default:       func(o *object.Object) { DefaultPodSpec(rules.Map(o.Fields, "template", "spec")) },
				Validate: func(o *object.Object) field.Errors {
					return CheckPodTemplate("template", rules.Map(o.Fields, "template"), options)
				},
				Warnings: templateWarnings("template"),
			},
		},
		Columns: []printers.Column{
			printers.Name,
			containersColumn(0, "template"),
			imagesColumn(0, "template"),
			{Name: "Pod Labels", Type: "string", Text: "The labels for the pod template.", Cell: labelsAt("template", "metadata", "labels")},
		},
	}
}
