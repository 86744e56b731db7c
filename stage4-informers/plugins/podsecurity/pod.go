package podsecurity

import (
	"encoding/json"
	"fmt"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// pod is what the checks look at: a pod, or what one is made of.
type pod struct {
	metav1.ObjectMeta `json:"metadata"`
	Spec              corev1.PodSpec `json:"spec"`
}

func podOf(tree map[string]any) (*pod, error) {
	data, err := json.Marshal(map[string]any{"metadata": tree["metadata"], "spec": tree["spec"]})
	if err != nil {
		return nil, err
	}
	p := &pod{}
	if err := json.Unmarshal(data, p); err != nil {
		return nil, fmt.Errorf("failed to decode pod: %w", err)
	}
	return p, nil
}

func runtimeClass(fields rules.Tree) string { return rules.Text(fields, "spec", "runtimeClassName") }

// significant reports whether an update can bring in something that the checks
// have not seen: other images, or containers that were not there. All else that
// matters cannot change.
//
// Now: staging/src/k8s.io/pod-security-admission/admission/admission.go isSignificantPodUpdate
func significant(pod, old *object.Object) bool {
	for _, list := range []string{"containers", "initContainers"} {
		if len(rules.List(pod.Fields, "spec", list)) != len(rules.List(old.Fields, "spec", list)) {
			return true
		}
		before := rules.List(old.Fields, "spec", list)
		for i, c := range rules.Items(pod.Fields, "spec", list) {
			was, _ := before[i].(rules.Tree)
			if c["image"] != was["image"] {
				return true
			}
		}
	}
	before := map[string]any{}
	for _, c := range rules.Items(old.Fields, "spec", "ephemeralContainers") {
		before[rules.Text(c, "name")] = c["image"]
	}
	for _, c := range rules.Items(pod.Fields, "spec", "ephemeralContainers") {
		if image, known := before[rules.Text(c, "name")]; !known || image != c["image"] {
			return true
		}
	}
	return false
}
