package admission_test

import (
	"context"
	"fmt"

	"example.com/kube-apiserver/stage3-storage/admission"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
)

// small is a plugin that makes everything small.
type small struct{ admission.Handler }

func (small) Admit(_ context.Context, a *admission.Attributes) error {
	a.Object.Fields["size"] = "small"
	return nil
}

// onlyLarge is a plugin that only judges: it sees the object as it will be stored.
type onlyLarge struct{ admission.Handler }

func (onlyLarge) Validate(_ context.Context, a *admission.Attributes) error {
	if size := a.Object.Fields["size"]; size != "large" {
		return admission.Forbidden(a, fmt.Sprintf("it is %v", size))
	}
	return nil
}

// The plugin that judges stands first in the chain, and still has the last word.
func ExampleChain() {
	created := admission.Handler{rest.Create}
	chain := admission.Chain{onlyLarge{created}, small{created}}
	a := &admission.Attributes{
		Operation: rest.Create, Resource: catalog.Resource{Name: "boats"}, Key: rest.Key{Name: "fram"},
		Object: &object.Object{Fields: map[string]any{"size": "large"}},
	}
	fmt.Println("admit:", chain.Admit(context.Background(), a))
	fmt.Println("validate:", chain.Validate(context.Background(), a))
	// Output:
	// admit: <nil>
	// validate: boats "fram" is forbidden: it is small
}
