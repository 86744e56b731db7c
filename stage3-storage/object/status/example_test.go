package status_test

import (
	"errors"
	"fmt"

	"example.com/kube-apiserver/stage3-storage/object/field"
	"example.com/kube-apiserver/stage3-storage/object/status"
)

// A Status is an error that clients can read: programs decide by its reason and
// its causes, people read its message. All that is wrong is said at once.
func Example() {
	err := error(status.Invalid("", "Pod", "web", field.Errors{
		field.Required("spec.containers", ""),
		field.NotSupported("spec.restartPolicy", "Sometimes", "Always", "OnFailure", "Never"),
	}))
	s := status.From(fmt.Errorf("create: %w", err))
	fmt.Println(s.Code, s.Reason)
	for _, c := range s.Details.Causes {
		fmt.Println(c.Field, "|", c.Reason, "|", c.Message)
	}
	other := status.From(errors.New("disk full"))
	fmt.Printf("anything else: %d %q %s\n", other.Code, other.Reason, other.Message)
	// Output:
	// 422 Invalid
	// spec.containers | FieldValueRequired | Required value
	// spec.restartPolicy | FieldValueNotSupported | Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"
	// anything else: 500 "" disk full
}
