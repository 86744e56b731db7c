package topologylabels_test

import (
	"net/http"
	"testing"

	"example.com/kube-apiserver/stage4-informers/plugins/plugintest"
	"github.com/google/go-cmp/cmp"
)

const pods = "namespaces/default/pods"

func labels(a plugintest.Answer) any { return a.Object["metadata"].(map[string]any)["labels"] }

func TestAPodLearnsWhereItsNodeIs(t *testing.T) {
	s := plugintest.Start(t, "--admission-control=PodTopologyLabels")
	s.Create("nodes", `{"metadata":{"name":"n","labels":{"topology.kubernetes.io/zone":"z","topology.kubernetes.io/region":"r","disk":"fast"}}}`)
	want := any(map[string]any{"topology.kubernetes.io/zone": "z", "topology.kubernetes.io/region": "r"})
	heard := func(a plugintest.Answer) bool { return a.Code == http.StatusCreated && labels(a) != nil }
	onNode := s.Until(heard, "POST", pods+"?dryRun=All", `{"metadata":{"name":"direct"},"spec":{"nodeName":"n","containers":[{"name":"c","image":"i"}]}}`)
	if diff := cmp.Diff(want, labels(onNode)); diff != "" {
		t.Errorf("a pod that is created on the node has other labels (-want +got):\n%s", diff)
	}

	s.Create(pods, `{"metadata":{"name":"p","labels":{"topology.kubernetes.io/zone":"dream"}},"spec":{"containers":[{"name":"c","image":"i"}]}}`)
	s.Create(pods+"/p/binding", `{"metadata":{"name":"p"},"target":{"kind":"Node","name":"n"}}`)
	if diff := cmp.Diff(want, labels(s.Do("GET", pods+"/p", ""))); diff != "" {
		t.Errorf("a pod that is bound to the node has other labels (-want +got):\n%s", diff)
	}
}

func TestAPodWithoutANodeThatIsThereIsLeftAlone(t *testing.T) {
	s := plugintest.Start(t, "--admission-control=PodTopologyLabels")
	for _, spec := range []string{``, `"nodeName":"none",`} {
		a := s.Create(pods+"?dryRun=All", `{"metadata":{"name":"p"},"spec":{`+spec+`"containers":[{"name":"c","image":"i"}]}}`)
		if labels(a) != nil {
			t.Errorf("a pod with {%s} gets the labels %v", spec, labels(a))
		}
	}
}
