package kinds_test

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/kube-apiserver/stage3-storage/kinds"
	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
)

// TestNoShapeOfATreePanics puts something else in many places of right objects.
// It reaches deeper than the fuzzer, which mostly breaks the JSON.
func TestNoShapeOfATreePanics(t *testing.T) {
	list := kinds.Core(newOptions())
	for _, k := range list {
		random := rand.New(rand.NewPCG(1, 2))
		right := parse(t, k, examples[k.Resource.Kind])
		if k.Strategy.Default != nil {
			k.Strategy.Default(right)
		}
		if rules.Map(right.Fields, "status") == nil {
			right.Fields["status"] = podStatusOf
		}
		for range 300 {
			o, old := right.DeepCopy(), right.DeepCopy()
			o.Fields = spoil(random, o.Fields, 0).(map[string]any)
			if random.IntN(2) == 0 {
				old.Fields = spoil(random, old.Fields, 0).(map[string]any)
			}
			useAll(k.Strategy, o.DeepCopy(), nil)
			useAll(k.Strategy, o.DeepCopy(), old)
			if k.Status != nil {
				useAll(*k.Status, o.DeepCopy(), old)
			}
			for _, s := range k.Sub {
				useAll(s, o.DeepCopy(), old)
			}
			for _, c := range k.Columns {
				c.Cell(o)
			}
		}
	}
}

var podStatusOf = map[string]any{
	"phase":                 "Running",
	"conditions":            []any{map[string]any{"type": "Ready", "status": "True"}},
	"containerStatuses":     []any{map[string]any{"name": "c", "ready": true, "restartCount": json.Number("1"), "state": map[string]any{"running": map[string]any{}}}},
	"initContainerStatuses": []any{map[string]any{"name": "i", "state": map[string]any{"terminated": map[string]any{"exitCode": json.Number("0")}}}},
	"podIPs":                []any{map[string]any{"ip": "192.0.2.1"}},
	"loadBalancer":          map[string]any{"ingress": []any{map[string]any{"ip": "192.0.2.1"}}},
}

var odd = []any{nil, "", "x", true, false, json.Number("-1"), json.Number("1e9"), json.Number("99999999999999999999"), []any{}, []any{nil, "x"}, map[string]any{}, map[string]any{"": nil}}

// spoil replaces about one node in twenty.
func spoil(random *rand.Rand, v any, depth int) any {
	if depth > 0 && random.IntN(20) == 0 {
		return object.CopyTree(odd[random.IntN(len(odd))])
	}
	switch v := v.(type) {
	case map[string]any:
		for _, k := range rules.Keys(v) {
			if random.IntN(25) == 0 {
				delete(v, k)
				continue
			}
			v[k] = spoil(random, v[k], depth+1)
		}
	case []any:
		for i := range v {
			v[i] = spoil(random, v[i], depth+1)
		}
		if len(v) > 0 && random.IntN(25) == 0 {
			return slices.Clone(v[:len(v)-1])
		}
	}
	return v
}
