package amounts_test

import (
	"testing"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage4-informers/plugins/amounts"
)

func TestWhatAPodAsksForIsAddedUp(t *testing.T) {
	for claim, c := range map[string]struct{ spec, requests, limits string }{
		"containers run together":                    {`{"containers":[{"resources":{"requests":{"cpu":"100m"},"limits":{"cpu":"1"}}},{"resources":{"requests":{"cpu":"1"}}}]}`, "cpu=1100m", "cpu=1"},
		"init containers run one after the other":    {`{"containers":[{"resources":{"requests":{"cpu":"1"}}}],"initContainers":[{"resources":{"requests":{"cpu":"2"}}},{"resources":{"requests":{"cpu":"3","memory":"1Mi"}}}]}`, "cpu=3,memory=1Mi", ""},
		"an init container that stays runs with all": {`{"containers":[{"resources":{"requests":{"cpu":"1"}}}],"initContainers":[{"restartPolicy":"Always","resources":{"requests":{"cpu":"1"}}}]}`, "cpu=2", ""},
		"it runs with the init containers behind it": {`{"initContainers":[{"restartPolicy":"Always","resources":{"requests":{"cpu":"1"}}},{"resources":{"requests":{"cpu":"3"}}}]}`, "cpu=4", ""},
		"and not with those before":                  {`{"initContainers":[{"resources":{"requests":{"cpu":"3"}}},{"restartPolicy":"Always","resources":{"requests":{"cpu":"1"}}}]}`, "cpu=3", ""},
		"a pod has an overhead":                      {`{"overhead":{"cpu":"10m","memory":"1Mi"},"containers":[{"resources":{"requests":{"cpu":"1"},"limits":{"cpu":"2"}}}]}`, "cpu=1010m,memory=1Mi", "cpu=2010m"},
		"the pod as a whole says it":                 {`{"resources":{"requests":{"cpu":"2"}},"containers":[{"resources":{"requests":{"cpu":"1","example.com/a":"1"}}}]}`, "cpu=2,example.com/a=1", ""},
	} {
		tree, err := object.Parse([]byte(c.spec))
		if err != nil {
			t.Fatal(err)
		}
		if got := amounts.PodRequests(tree).String(); got != c.requests {
			t.Errorf("%s: the requests are %q, want %q", claim, got, c.requests)
		}
		if got := amounts.PodLimits(tree).String(); got != c.limits {
			t.Errorf("%s: the limits are %q, want %q", claim, got, c.limits)
		}
	}
}

func TestAddingLeavesTheSummandsAlone(t *testing.T) {
	one, sum := amounts.Of(map[string]any{"cpu": "1"}), amounts.List{}
	sum.Add(one)
	sum.Add(one)
	if one.String() != "cpu=1" || sum.String() != "cpu=2" {
		t.Errorf("1 and 1 became %s, of %s", sum, one)
	}
}
