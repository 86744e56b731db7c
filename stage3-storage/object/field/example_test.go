package field_test

import (
	"fmt"

	"example.com/kube-apiserver/stage3-storage/object/field"
)

// Every problem names its field; a client gets all of them in one answer.
func Example() {
	errs := field.Errors{
		field.Required("metadata.name", "name or generateName is required"),
		field.Invalid("spec.replicas", -1, "must be greater than or equal to 0"),
	}
	fmt.Println(errs[:1])
	fmt.Println(errs)
	// Output:
	// metadata.name: Required value: name or generateName is required
	// [metadata.name: Required value: name or generateName is required, spec.replicas: Invalid value: -1: must be greater than or equal to 0]
}
