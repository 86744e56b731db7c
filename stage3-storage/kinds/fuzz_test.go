package kinds_test

import (
	"context"
	"encoding/json"
	"testing"

	"example.com/kube-apiserver/stage3-storage/kinds"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/registry"
)

// FuzzDefaultsAndValidation: a tree may have any shape, since a kind without a
// schema lets everything through. Nothing may panic on it.
func FuzzDefaultsAndValidation(f *testing.F) {
	for _, text := range examples {
		f.Add([]byte(text), []byte(`{}`))
	}
	for _, odd := range []string{
		`{"spec":7,"status":[],"data":"x","subsets":{},"template":null}`,
		`{"spec":{"containers":{},"volumes":[1,null,"x",[]],"ports":[null],"clusterIPs":[{}],"template":{"spec":[]},"limits":[[]]}}`,
		`{"spec":{"containers":[{"env":[7],"ports":{"a":1},"resources":[],"livenessProbe":"x","volumeMounts":[{}]}],"affinity":{"nodeAffinity":[]}}}`,
		`{"spec":{"clusterIP":5,"ipFamilies":["x"],"type":[],"ports":[{"port":"x","nodePort":99999999999999999999}],"healthCheckNodePort":-1}}`,
	} {
		f.Add([]byte(odd), []byte(odd))
	}
	list := kinds.Core(newOptions())
	f.Fuzz(func(t *testing.T, text, before []byte) {
		for _, k := range list {
			o, old := arbitrary(text), arbitrary(before)
			if o == nil || old == nil {
				return
			}
			strategies := []registry.Strategy{k.Strategy}
			if k.Status != nil {
				strategies = append(strategies, *k.Status)
			}
			for _, s := range k.Sub {
				strategies = append(strategies, s)
			}
			for _, s := range strategies {
				useAll(s, o.DeepCopy(), nil)
				useAll(s, o.DeepCopy(), old.DeepCopy())
			}
			for _, c := range k.Columns {
				if _, err := json.Marshal(c.Cell(o)); err != nil {
					t.Errorf("the cell %q of a %s cannot be sent: %v", c.Name, k.Resource.Kind, err)
				}
			}
		}
	})
}

func arbitrary(text []byte) *object.Object {
	tree, err := object.Parse(text)
	if err != nil {
		return nil
	}
	o, err := object.FromTree(tree)
	if err != nil {
		return nil
	}
	return o
}

// useAll calls every function of a strategy, whatever it says.
func useAll(s registry.Strategy, o, old *object.Object) {
	ctx := context.Background()
	if s.Default != nil {
		s.Default(o)
	}
	if old == nil && s.PrepareForCreate != nil && s.PrepareForCreate(ctx, o) != nil {
		return
	}
	if old != nil && s.PrepareForUpdate != nil && s.PrepareForUpdate(ctx, o, old) != nil {
		return
	}
	if s.Validate != nil {
		_ = s.Validate(o)
	}
	if old != nil && s.ValidateUpdate != nil {
		_ = s.ValidateUpdate(o, old)
	}
	if s.Warnings != nil {
		s.Warnings(o, old)
	}
	if s.GracePeriod != nil {
		s.GracePeriod(o, nil)
	}
	if s.Keep != nil {
		s.Keep(o)
	}
	if s.Field != nil {
		s.Field(o, "spec.nodeName")
		s.Field(o, "status.podIP")
	}
	if s.Begin != nil {
		if end, err := s.Begin(ctx, o, old); err == nil {
			end(false)
		}
	}
}
