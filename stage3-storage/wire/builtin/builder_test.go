package builtin

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"example.com/kube-apiserver/stage3-storage/wire/schema"
)

func find(t *testing.T, kind string, path ...string) *schema.Schema {
	t.Helper()
	s, ok := Kind("v1", kind)
	if !ok {
		t.Fatalf("%s has no schema", kind)
	}
	for _, name := range path {
		if name == "[]" {
			s = s.Item()
		} else {
			s = s.Field(name)
		}
	}
	if s == nil {
		t.Fatalf("%s has no %s", kind, strings.Join(path, "."))
	}
	return s
}

func TestSchemasCarryWhatPatchesNeed(t *testing.T) {
	ports := find(t, "Pod", "spec", "containers", "[]", "ports")
	if key, strategy := ports.Merge(); key != "containerPort" || strategy != "merge" {
		t.Errorf("container ports are merged by containerPort, not by %q with strategy %q", key, strategy)
	}
	if ports.ListType != "map" || !slices.Equal(ports.ListMapKeys, []string{"containerPort", "protocol"}) {
		t.Errorf("container ports are a map by containerPort and protocol, not %q %q", ports.ListType, ports.ListMapKeys)
	}
	if d := ports.Item().Field("protocol").Default; d != "TCP" {
		t.Errorf("the default of a key counts when elements are compared: want TCP, got %v", d)
	}
	if m := find(t, "Service", "spec", "selector").MapType; m != "atomic" {
		t.Errorf("a selector is replaced as a whole, but its map type is %q", m)
	}
}

func TestSchemasCarryWhatDocumentsNeed(t *testing.T) {
	c := find(t, "Pod", "spec", "containers", "[]")
	if c.Name != "io.k8s.api.core.v1.Container" || c.Doc == "" {
		t.Errorf("a container's structure has a name and a text, but has %q and %q", c.Name, c.Doc)
	}
	if !c.Field("name").Required || c.Field("image").Required || c.Field("resources").Required {
		t.Error("of a container the name is required; image and resources are not")
	}
	if p := find(t, "Pod", "spec", "restartPolicy"); !slices.Equal(p.Enum, []string{"Always", "Never", "OnFailure"}) || p.Description == "" {
		t.Errorf("restartPolicy has three values and a text, but has %q and %q", p.Enum, p.Description)
	}
}

func TestEveryKindHasASchemaWhoseStructuresAreCalledLikeTheirTypes(t *testing.T) {
	seen := map[*schema.Schema]bool{}
	var check func(s *schema.Schema)
	check = func(s *schema.Schema) {
		if s == nil || seen[s] {
			return
		}
		seen[s] = true
		if _, typ, _ := strings.Cut(s.GoType, "."); s.Type == schema.Object && !strings.HasSuffix(s.Name, "."+typ) {
			t.Errorf("the structure of Go type %s must not be called %q", s.GoType, s.Name)
		}
		check(s.Items)
		for _, p := range s.Properties {
			check(p)
		}
	}
	for _, g := range ownGroups {
		for _, m := range g.Kinds {
			kind := reflect.TypeOf(m).Elem().Name()
			s, ok := Kind(g.APIVersion, kind)
			if !ok {
				t.Errorf("%s %s has no schema", g.APIVersion, kind)
			}
			check(s)
		}
	}
	if len(seen) < 1000 {
		t.Errorf("only %d places were looked at", len(seen))
	}
}
