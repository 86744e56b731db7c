package types_test

import (
	"reflect"
	"strings"
	"testing"

	"example.com/kube-apiserver/stage3-storage/wire/builtin"
	"example.com/kube-apiserver/stage5-serve/groups/types"
)

func TestEveryKindHasASchemaWithTexts(t *testing.T) {
	known := builtin.New(types.Groups...)
	for _, g := range types.Groups {
		for _, m := range g.Kinds {
			kind := reflect.TypeOf(m).Elem().Name()
			s, ok := known.Kind(g.APIVersion, kind)
			if !ok || s.Name == "" || s.Properties["metadata"] == nil {
				t.Errorf("%s %s has no schema", g.APIVersion, kind)
			} else if !strings.HasSuffix(kind, "List") && s.Properties["metadata"].Description == "" {
				t.Errorf("%s %s: its fields have no texts, which kubectl explain shows", g.APIVersion, kind)
			}
		}
	}
	if role, _ := known.Kind("rbac.authorization.k8s.io/v1", "Role"); role.Properties["rules"].ListType != "atomic" {
		t.Error("the generated table must say that rules are one value for an apply")
	}
}

func TestBodiesComeAsProtobufToo(t *testing.T) {
	known := builtin.New(types.Groups...)
	const role = `{"kind":"Role","apiVersion":"rbac.authorization.k8s.io/v1","metadata":{"name":"r"},"rules":[{"verbs":["get"],"apiGroups":[""],"resources":["pods"]}]}`
	body, err := known.EncodeProtobuf("rbac.authorization.k8s.io/v1", "Role", []byte(role))
	if err != nil {
		t.Fatal(err)
	}
	json, apiVersion, kind, err := known.DecodeProtobuf(body)
	if err != nil || kind != "Role" || apiVersion != "rbac.authorization.k8s.io/v1" || !strings.Contains(string(json), `"resources":["pods"]`) {
		t.Errorf("a role must survive the way through protobuf, got %s %s %v\n%s", apiVersion, kind, err, json)
	}
}
