package plugins

import (
	"context"
	"iter"
	"slices"

	"example.com/kube-apiserver/stage3-storage/admission"
	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/field"
)

// alwaysPullImages makes every pod pull its images. In a cluster of many users
// nobody can then run a private image without the right to it, only because it
// is on the node already.
//
// Upstream: plugin/pkg/admission/alwayspullimages/admission.go alwaysPullImages
type alwaysPullImages struct{ admission.Handler }

func (alwaysPullImages) Admit(_ context.Context, a *admission.Attributes) error {
	if !newImages(a) {
		return nil
	}
	spec := rules.Map(a.Object.Fields, "spec")
	for c := range containers(spec) {
		c["imagePullPolicy"] = "Always"
	}
	for _, v := range rules.Items(spec, "volumes") {
		if image := rules.Map(v, "image"); image != nil {
			image["pullPolicy"] = "Always"
		}
	}
	return nil
}

// Validate finds what a plugin after this one has changed.
func (alwaysPullImages) Validate(_ context.Context, a *admission.Attributes) error {
	if !newImages(a) {
		return nil
	}
	for c, at := range containers(rules.Map(a.Object.Fields, "spec")) {
		if policy := c["imagePullPolicy"]; policy != "Always" {
			return admission.Forbidden(a, field.NotSupported(rules.Join(at, "imagePullPolicy"), policy, "Always").Error())
		}
	}
	return nil
}

// newImages reports whether a pod comes with images that it did not have before.
func newImages(a *admission.Attributes) bool {
	return a.Of("pods") && (a.Old == nil || slices.ContainsFunc(images(a.Object), func(image string) bool {
		return !slices.Contains(images(a.Old), image)
	}))
}

func images(o *object.Object) []string {
	var list []string
	for c := range containers(rules.Map(o.Fields, "spec")) {
		list = append(list, rules.Text(c, "image"))
	}
	return list
}

// containers yields the containers of a pod of all sorts, each with its path.
func containers(spec rules.Tree) iter.Seq2[rules.Tree, string] {
	return func(yield func(rules.Tree, string) bool) {
		for _, list := range []string{"initContainers", "containers", "ephemeralContainers"} {
			for i, c := range rules.Items(spec, list) {
				if !yield(c, rules.Index("spec."+list, i)) {
					return
				}
			}
		}
	}
}
