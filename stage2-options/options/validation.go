package options

// Validate returns everything that is wrong.
//
// Upstream: cmd/kube-apiserver/app/options/validation.go Validate
func (s *ServerRunOptions) Validate() []error {
	return s.InsecureServing.Validate()
}
