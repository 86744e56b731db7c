package authorizer

import (
	"testing"

	"example.com/kube-apiserver/stage3-storage/registry/request"
)

func FuzzABACLine(f *testing.F) {
	for _, s := range []string{
		`{"user":"alice","resource":"pods"}`, `{"apiVersion":"abac.authorization.kubernetes.io/v1beta1","kind":"Policy","spec":{"group":"devs","namespace":"*"}}`,
		`{}`, `{"spec":{"user":"*"}}`, `[`, `null`, `{"user":null,"group":"*"}`,
	} {
		f.Add(s)
	}
	nobody := Attributes{User: request.User{Name: "system:anonymous", Groups: []string{"system:unauthenticated"}}, Info: request.Info{IsResource: true, Verb: "get", Resource: "secrets"}}
	f.Fuzz(func(t *testing.T, s string) {
		spec, err := abacLine([]byte(s))
		if err == nil && spec.allows(nobody) && spec.User != "*" && spec.User != nobody.User.Name && spec.Group != "*" && spec.Group != nobody.User.Groups[0] {
			t.Errorf("the line %s allows nobody in particular something, and does not name him", s)
		}
	})
}
