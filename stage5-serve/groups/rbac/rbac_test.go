package rbac

import (
	"strings"
	"testing"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/wire/metadata"
	"example.com/kube-apiserver/stage5-serve/identity/authorizer"
	"github.com/google/go-cmp/cmp"
)

func parse(t *testing.T, text string) *object.Object {
	t.Helper()
	tree, err := object.Parse([]byte(text))
	if err != nil {
		t.Fatalf("the test's own JSON does not parse: %v", err)
	}
	o, err := object.FromTree(tree)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestMergeAddsAndNeverTakesAway(t *testing.T) {
	wanted := parse(t, `{"kind":"ClusterRole","metadata":{"name":"r","labels":{"a":"b"},"annotations":{"rbac.authorization.kubernetes.io/autoupdate":"true"}},
		"rules":[{"verbs":["get","list"],"apiGroups":[""],"resources":["pods"]}]}`)
	more := parse(t, `{"kind":"ClusterRole","metadata":{"name":"r","labels":{"mine":"too"}},"rules":[{"verbs":["get"],"apiGroups":[""],"resources":["pods","secrets"]}]}`)
	merged := merge(more, wanted)
	if merged == nil {
		t.Fatal("a role that lacks a verb must be written")
	}
	var texts []string
	for _, r := range roleOf(merged).Rules {
		texts = append(texts, r.String())
	}
	want := []string{`{APIGroups:[""], Resources:["pods" "secrets"], Verbs:["get"]}`, `{APIGroups:[""], Resources:["pods"], Verbs:["list"]}`}
	if diff := cmp.Diff(want, texts); diff != "" {
		t.Errorf("the missing verb is added and what somebody else added stays (-want +got):\n%s", diff)
	}
	if merged.Meta.Labels["mine"] != "too" || merged.Meta.Labels["a"] != "b" {
		t.Errorf("labels are merged, got %v", merged.Meta.Labels)
	}
	if again := merge(merged, wanted); again != nil {
		t.Error("a role that lacks nothing must not be written")
	}
	more.Meta.Annotations = map[string]string{autoUpdate: "false"}
	if merge(more, wanted) != nil {
		t.Error("a role whose administrator keeps it himself must not be written")
	}
}

func TestMergeAddsSubjects(t *testing.T) {
	wanted := parse(t, `{"kind":"ClusterRoleBinding","metadata":{"name":"b"},"subjects":[{"kind":"Group","name":"g","apiGroup":"rbac.authorization.k8s.io"}]}`)
	present := parse(t, `{"kind":"ClusterRoleBinding","metadata":{"name":"b"},"subjects":[{"kind":"User","name":"u","apiGroup":"rbac.authorization.k8s.io"}]}`)
	if merged := merge(present, wanted); merged == nil || len(rules.List(merged.Fields, "subjects")) != 2 {
		t.Errorf("the built-in subject is added to those that are there, got %v", merged)
	}
	if merge(wanted, wanted) != nil {
		t.Error("a binding that lacks nothing must not be written")
	}
}

func TestEveryBuiltInRoleIsValidAndBound(t *testing.T) {
	policy := Builtin()
	names := map[string]bool{}
	for _, row := range bootstrap() {
		role, binding := row.objects()
		namespaced := row.namespace != ""
		if errs := checkRole(namespaced)(role); len(errs) > 0 {
			t.Errorf("the built-in role %s would be refused: %v", row.name, errs)
		}
		if errs := checkBinding(namespaced)(binding); len(errs) > 0 {
			t.Errorf("the built-in binding %s would be refused: %v", binding.Meta.Name, errs)
		}
		key := row.namespace + "/" + row.name
		if names[key] {
			t.Errorf("the built-in role %s is there twice", key)
		}
		names[key] = true
	}
	for _, b := range policy.Bound {
		if _, err := (authorizer.RBAC{Policy: policy}).Role(t.Context(), b); err != nil {
			t.Errorf("%v gives a role that is not there: %v", b, err)
		}
	}
}

func TestNamesMayHaveColonsAndNoSlashes(t *testing.T) {
	for name, right := range map[string]bool{"system:a:b": true, "a b": true, "a/b": false, "a%b": false, ".": false, "..": false} {
		if problems := metadata.PathSegment(name); (len(problems) == 0) != right {
			t.Errorf("the name %q: want it allowed %v, got %s", name, right, strings.Join(problems, ", "))
		}
	}
}
