package resourcequota

import (
	"slices"
	"strings"

	"example.com/kube-apiserver/stage3-storage/admission"
	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage4-informers/plugins/amounts"
	"k8s.io/apimachinery/pkg/api/resource"
)

// evaluator knows what objects of one resource use.
//
// Upstream: pkg/quota/interfaces.go Evaluator
type evaluator struct {
	handles func(a *admission.Attributes) bool // whether the write can use more
	counts  func(name string) bool             // whether objects use this resource of a quota
	usage   func(obj *object.Object) amounts.List
	missing func(required []string, obj *object.Object) string // what the object must say and does not
	inScope func(s scope, obj *object.Object) bool
}

// ignored are never counted: they are not stored, or were never counted.
var ignored = []string{
	"bindings", "events", "events.events.k8s.io", "localsubjectaccessreviews.authorization.k8s.io",
}

// counters are the old names for the number of objects, besides count/NAME.
var counters = []string{"configmaps", "resourcequotas", "replicationcontrollers", "secrets"}

// evaluatorFor returns nil for what is not counted.
func evaluatorFor(groupResource string) *evaluator {
	switch {
	case slices.Contains(ignored, groupResource):
		return nil
	case groupResource == "pods":
		return &pods
	case groupResource == "services":
		return &services
	case groupResource == "persistentvolumeclaims":
		return &claims
	}
	names := []string{"count/" + groupResource}
	if slices.Contains(counters, groupResource) {
		names = append(names, groupResource)
	}
	return &evaluator{
		handles: func(a *admission.Attributes) bool { return a.Subresource == "" && a.Operation == rest.Create },
		counts:  func(name string) bool { return slices.Contains(names, name) },
		usage:   func(*object.Object) amounts.List { return ones(names...) },
		missing: nothing,
		inScope: noScope,
	}
}

func nothing([]string, *object.Object) string { return "" }

// noScope: a quota with scopes is about other kinds.
func noScope(scope, *object.Object) bool { return false }

func ones(names ...string) amounts.List {
	l := amounts.List{}
	for _, name := range names {
		l[name] = number(1)
	}
	return l
}

func number(n int) resource.Quantity { return *resource.NewQuantity(int64(n), resource.DecimalSI) }

// services may take ports of every node, or a load balancer, also later.
//
// Upstream: pkg/quota/evaluator/core/services.go serviceEvaluator
var services = evaluator{
	handles: func(a *admission.Attributes) bool { return a.Subresource == "" },
	counts: func(name string) bool {
		return slices.Contains([]string{"count/services", "services", "services.nodeports", "services.loadbalancers"}, name)
	},
	usage:   serviceUsage,
	missing: nothing,
	inScope: noScope,
}

func serviceUsage(obj *object.Object) amounts.List {
	used := ones("count/services", "services")
	ports, balancers := 0, 0
	switch rules.Text(obj.Fields, "spec", "type") {
	case "NodePort":
		ports = len(rules.List(obj.Fields, "spec", "ports"))
	case "LoadBalancer":
		balancers = 1
		automatic := rules.Get(obj.Fields, "spec", "allocateLoadBalancerNodePorts") != false
		for _, port := range rules.Items(obj.Fields, "spec", "ports") {
			if automatic || rules.Int(port, "nodePort") != 0 {
				ports++
			}
		}
	}
	used["services.nodeports"], used["services.loadbalancers"] = number(ports), number(balancers)
	return used
}

// claims use storage, which may be counted for each class of it apart.
//
// Upstream: pkg/quota/evaluator/core/persistent_volume_claims.go pvcEvaluator
var claims = evaluator{
	handles: func(a *admission.Attributes) bool { return a.Subresource == "" },
	counts: func(name string) bool {
		return slices.Contains([]string{"count/persistentvolumeclaims", "persistentvolumeclaims", "requests.storage"}, name) ||
			strings.HasSuffix(name, ofClass+"requests.storage") || strings.HasSuffix(name, ofClass+"persistentvolumeclaims")
	},
	usage:   claimUsage,
	missing: nothing,
	inScope: claimInScope,
}

const ofClass = ".storageclass.storage.k8s.io/"

func claimUsage(obj *object.Object) amounts.List {
	used := ones("count/persistentvolumeclaims", "persistentvolumeclaims")
	class := rules.Text(obj.Fields, "spec", "storageClassName")
	if old, given := obj.Meta.Annotations["volume.beta.kubernetes.io/storage-class"]; given {
		class = old
	}
	if class != "" {
		used[class+ofClass+"persistentvolumeclaims"] = number(1)
	}
	size, given := amounts.Of(rules.Map(obj.Fields, "spec", "resources", "requests"))["storage"]
	if given {
		used["requests.storage"] = size
		if class != "" {
			used[class+ofClass+"requests.storage"] = size
		}
	}
	return used
}
