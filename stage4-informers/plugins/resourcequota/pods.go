package resourcequota

import (
	"slices"
	"strings"
	"time"

	"example.com/kube-apiserver/stage3-storage/admission"
	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage3-storage/wire/metadata"
	"example.com/kube-apiserver/stage4-informers/plugins/amounts"
)

// pods use most of what there is to count.
//
// Upstream: pkg/quota/evaluator/core/pods.go podEvaluator
var pods = evaluator{
	handles: func(a *admission.Attributes) bool {
		return a.Subresource == "" && a.Operation == rest.Create || a.Subresource == "resize"
	},
	counts:  podCounts,
	usage:   podUsage,
	missing: podMissing,
	inScope: podInScope,
}

var (
	computed = []string{"cpu", "memory", "ephemeral-storage"}
	// mustSay are the resources of which every container has to say its share
	// where a quota limits them. That was so before containers without a share
	// had a name; of newer resources nothing has to be said.
	mustSay = []string{"cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory"}
)

func podCounts(name string) bool {
	what, asked := strings.CutPrefix(name, "requests.")
	limit, limited := strings.CutPrefix(name, "limits.")
	switch {
	case name == "pods" || name == "count/pods":
		return true
	case limited:
		return slices.Contains(computed, limit)
	case strings.HasPrefix(what, "hugepages-"):
		return true
	}
	return slices.Contains(computed, what) || asked && device(what)
}

// device: everything whose name belongs to somebody's domain.
func device(name string) bool {
	return strings.Contains(name, "/") && !strings.Contains(name, "kubernetes.io/") && len(metadata.QualifiedName("requests."+name)) == 0
}

func podUsage(obj *object.Object) amounts.List {
	used := ones("count/pods") // what is stored is counted even where nothing runs any more
	if ended(obj) {
		return used
	}
	spec := rules.Map(obj.Fields, "spec")
	used.Add(ones("pods"))
	used.Add(computeUsage(amounts.PodRequests(spec), amounts.PodLimits(spec)))
	return used
}

func ended(pod *object.Object) bool {
	phase := rules.Text(pod.Fields, "status", "phase")
	if phase == "Failed" || phase == "Succeeded" {
		return true
	}
	deleted, err := time.Parse(time.RFC3339, pod.Meta.DeletionTimestamp) // it is the end of the grace period
	return err == nil && time.Now().After(deleted)
}

// computeUsage gives requests and limits the names that quotas use.
func computeUsage(requests, limits amounts.List) amounts.List {
	used := amounts.List{}
	for name, q := range requests {
		switch {
		case slices.Contains(computed, name) || strings.HasPrefix(name, "hugepages-"):
			used[name], used["requests."+name] = q, q
		case device(name):
			used["requests."+name] = q
		}
	}
	for name, q := range limits {
		if slices.Contains(computed, name) {
			used["limits."+name] = q
		}
	}
	return used
}

// podMissing names what containers have to say and do not: "cpu for: a,b".
func podMissing(required []string, obj *object.Object) string {
	var parts []string
	spec := rules.Map(obj.Fields, "spec")
	wholePod := said(rules.Map(spec, "resources"))
	for _, name := range required {
		if !slices.Contains(mustSay, name) || slices.Contains(wholePod, name) {
			continue
		}
		var silent []string
		for _, list := range []string{"containers", "initContainers"} {
			for _, c := range rules.Items(spec, list) {
				if !slices.Contains(said(rules.Map(c, "resources")), name) {
					silent = append(silent, rules.Text(c, "name"))
				}
			}
		}
		if len(silent) > 0 {
			slices.Sort(silent)
			parts = append(parts, name+" for: "+strings.Join(silent, ","))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "must specify " + strings.Join(parts, "; ")
}

func said(resources rules.Tree) []string {
	return computeUsage(amounts.Of(rules.Map(resources, "requests")), amounts.Of(rules.Map(resources, "limits"))).Names()
}
