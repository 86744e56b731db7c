package kinds

import (
	"slices"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
)

// defaultTolerations lets a pod stay for five minutes on a node that is lost,
// and gives it the priority of a pod without a class. In upstream two admission
// plugins do that, which are on by default.
//
// Upstream: plugin/pkg/admission/defaulttolerationseconds/admission.go Admit
func defaultTolerations(s tree) {
	rules.Fill(s, "priority", rules.Number(0))
	rules.Fill(s, "preemptionPolicy", "PreemptLowerPriority")
	list := rules.List(s, "tolerations")
	for _, key := range []string{"node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"} {
		known := slices.ContainsFunc(list, func(v any) bool {
			t, _ := v.(tree)
			k, effect := rules.Text(t, "key"), rules.Text(t, "effect")
			return (k == key || k == "") && (effect == "NoExecute" || effect == "")
		})
		if !known {
			list = append(list, tree{"key": key, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": rules.Number(300)})
		}
	}
	s["tolerations"] = list
}
