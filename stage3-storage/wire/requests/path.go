package requests

import (
	"net/http"
	"strings"

	"example.com/kube-apiserver/stage3-storage/endpoints"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/request"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
)

// Check is part of endpoints.Decoder.
func (d Decoder) Check(s *endpoints.Scope, req *http.Request) error {
	if err := checkName(request.InfoFrom(req.Context()).Name); err != nil {
		return err
	}
	if _, patchable := s.Storage.(rest.Updater); patchable && req.Method == http.MethodPatch {
		_, err := d.patchType(req)
		return err
	}
	return nil
}

// checkName refuses names that cannot stand in a path.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/api/validation/path/name.go IsValidPathSegmentName
func checkName(name string) error {
	if name == "." || name == ".." {
		return status.BadRequest("Name parameter invalid: %q: may not be '%s'", name, name)
	}
	var problems []string
	for _, part := range []string{"/", "%"} {
		if strings.Contains(name, part) {
			problems = append(problems, "may not contain '"+part+"'")
		}
	}
	if problems != nil {
		return status.BadRequest("Name parameter invalid: %q: %s", name, strings.Join(problems, ";"))
	}
	return nil
}
