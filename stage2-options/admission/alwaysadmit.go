package admission

// AlwaysAdmit lets everything through. It is the default of
// --admission-control: one plugin is in the chain, though it seems like none.
//
// Upstream: plugin/pkg/admission/admit/admission.go alwaysAdmit
type AlwaysAdmit struct{}

// Handles is true: the plugin sees everything and has nothing to say.
func (AlwaysAdmit) Handles(string) bool { return true }
