package amounts

import (
	"maps"
	"slices"
	"strings"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"k8s.io/apimachinery/pkg/api/resource"
)

// List says how much of each resource.
//
// Upstream: pkg/api/types.go ResourceList
type List map[string]resource.Quantity

// Of reads a list from an object. What is no quantity is left out.
func Of(t rules.Tree) List {
	l := List{}
	for name, v := range t {
		text, _ := v.(string)
		if q, err := resource.ParseQuantity(text); err == nil {
			l[name] = q
		}
	}
	return l
}

// Tree is the opposite of Of.
func (l List) Tree() rules.Tree {
	t := rules.Tree{}
	for name, q := range l {
		t[name] = q.String()
	}
	return t
}

// Names returns the resources in order.
func (l List) Names() []string { return slices.Sorted(maps.Keys(l)) }

// Add adds more to l.
func (l List) Add(more List) {
	for name, q := range more {
		sum := l[name].DeepCopy()
		sum.Add(q)
		l[name] = sum
	}
}

// AtLeast raises l to floor where it is below.
func (l List) AtLeast(floor List) {
	for name, q := range floor {
		if now, ok := l[name]; !ok || now.Cmp(q) < 0 {
			l[name] = q.DeepCopy()
		}
	}
}

// Only returns the part of l with these names.
func (l List) Only(names []string) List {
	part := List{}
	for _, name := range names {
		if q, ok := l[name]; ok {
			part[name] = q
		}
	}
	return part
}

// String writes a list as messages show it: a=1,b=2.
func (l List) String() string {
	var parts []string
	for _, name := range l.Names() {
		q := l[name]
		parts = append(parts, name+"="+q.String())
	}
	return strings.Join(parts, ",")
}

// PodRequests is what a scheduler must find free on a node for a pod.
func PodRequests(spec rules.Tree) List {
	total := podTotal(spec, "requests")
	total.Add(Of(rules.Map(spec, "overhead")))
	return total
}

// PodLimits is what a pod uses at most. What has no limit gets none by the
// overhead.
func PodLimits(spec rules.Tree) List {
	total := podTotal(spec, "limits")
	total.Add(Of(rules.Map(spec, "overhead")).Only(total.Names()))
	return total
}

// podTotal adds up containers, which run together. Init containers run before
// them, one after the other, except for those that stay.
func podTotal(spec rules.Tree, what string) List {
	total, staying, start := List{}, List{}, List{}
	for _, c := range rules.Items(spec, "containers") {
		total.Add(Of(rules.Map(c, "resources", what)))
	}
	for _, c := range rules.Items(spec, "initContainers") {
		now := Of(rules.Map(c, "resources", what))
		if rules.Text(c, "restartPolicy") == "Always" {
			total.Add(now)
			staying.Add(now)
			now = staying
		} else {
			now.Add(staying)
		}
		start.AtLeast(now)
	}
	total.AtLeast(start)
	for name, q := range Of(rules.Map(spec, "resources", what)) { // the pod as a whole may say it
		if name == "cpu" || name == "memory" || strings.HasPrefix(name, "hugepages-") {
			total[name] = q
		}
	}
	return total
}
