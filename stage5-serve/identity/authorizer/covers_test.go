package authorizer_test

import (
	"slices"
	"testing"

	"example.com/kube-apiserver/stage5-serve/identity/authorizer"
	"github.com/google/go-cmp/cmp"
)

func rule(verbs, groups, resources, names, urls []string) authorizer.PolicyRule {
	return authorizer.PolicyRule{Verbs: verbs, APIGroups: groups, Resources: resources, ResourceNames: names, NonResourceURLs: urls}
}

func TestWhatIsMissingIsSaidInFewRules(t *testing.T) {
	type list = []string
	read := list{"get", "list"}
	for name, c := range map[string]struct {
		owned, wanted authorizer.PolicyRule
		missing       list
	}{
		"the same":              {rule(read, list{""}, list{"pods"}, nil, nil), rule(read, list{""}, list{"pods"}, nil, nil), nil},
		"one verb more":         {rule(read, list{""}, list{"pods"}, nil, nil), rule(list{"get", "delete"}, list{""}, list{"pods"}, nil, nil), list{`{APIGroups:[""], Resources:["pods"], Verbs:["delete"]}`}},
		"another resource":      {rule(read, list{""}, list{"pods"}, nil, nil), rule(read, list{""}, list{"pods", "secrets"}, nil, nil), list{`{APIGroups:[""], Resources:["secrets"], Verbs:["get" "list"]}`}},
		"a star covers all":     {rule(list{"*"}, list{"*"}, list{"*"}, nil, nil), rule(read, list{"apps"}, list{"deployments/scale"}, list{"web"}, nil), nil},
		"all is not one":        {rule(read, list{""}, list{"pods"}, nil, nil), rule(list{"*"}, list{"*"}, list{"*"}, nil, nil), list{`{APIGroups:["*"], Resources:["*"], Verbs:["*"]}`}},
		"a name is less":        {rule(read, list{""}, list{"pods"}, list{"a"}, nil), rule(list{"get"}, list{""}, list{"pods"}, list{"a", "b"}, nil), list{`{APIGroups:[""], Resources:["pods"], ResourceNames:["b"], Verbs:["get"]}`}},
		"no name is all names":  {rule(read, list{""}, list{"pods"}, list{"a"}, nil), rule(list{"get"}, list{""}, list{"pods"}, nil, nil), list{`{APIGroups:[""], Resources:["pods"], Verbs:["get"]}`}},
		"any scale":             {rule(read, list{"*"}, list{"*/scale"}, nil, nil), rule(list{"get"}, list{"apps"}, list{"deployments/scale"}, nil, nil), nil},
		"paths are not joined":  {rule(list{"get"}, nil, nil, nil, list{"/api*"}), rule(read, nil, nil, nil, list{"/apis", "/x"}), list{`{NonResourceURLs:["/apis"], Verbs:["list"]}`, `{NonResourceURLs:["/x"], Verbs:["get"]}`, `{NonResourceURLs:["/x"], Verbs:["list"]}`}},
		"a path is no resource": {rule(list{"*"}, nil, nil, nil, list{"*"}), rule(list{"get"}, list{""}, list{"pods"}, nil, nil), list{`{APIGroups:[""], Resources:["pods"], Verbs:["get"]}`}},
	} {
		var got list
		for _, r := range authorizer.Missing([]authorizer.PolicyRule{c.owned}, []authorizer.PolicyRule{c.wanted}) {
			got = append(got, r.String())
		}
		slices.Sort(got)
		if diff := cmp.Diff(c.missing, got); diff != "" {
			t.Errorf("%s: what is missing is not what it should be (-want +got):\n%s", name, diff)
		}
	}
}
