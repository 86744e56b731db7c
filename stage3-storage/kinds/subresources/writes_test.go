package subresources_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"example.com/kube-apiserver/stage3-storage/admission"
	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/kinds/subresources"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"github.com/google/go-cmp/cmp"
)

const (
	idle   = `{"metadata":{"name":"p","labels":{"a":"own"}},"spec":{"containers":[{"name":"c","image":"i"}]}}`
	toNode = `{"metadata":{"name":"p","annotations":{"why":"so"},"labels":{"a":"theirs","b":"theirs"}},"target":{"name":"n1"}}`
)

func TestABindingPutsAPodOnItsNodeOnce(t *testing.T) {
	w := newWorld(t, subresources.Options{})
	w.create(t, "pods", idle)
	wants(t, "a first binding", post(t, w.pods.Binding, in("p"), body(toNode)), 0, "")
	pod := w.pod(t, "p")
	if got := rules.Text(pod.Fields, "spec", "nodeName"); got != "n1" {
		t.Errorf("the pod is on node %q; want n1", got)
	}
	if pod.Meta.Annotations["why"] != "so" || pod.Meta.Labels["a"] != "theirs" || pod.Meta.Labels["b"] != "theirs" {
		t.Errorf("of the binding's annotations and labels, all should be on the pod, whatever it had before: %v %v", pod.Meta.Annotations, pod.Meta.Labels)
	}
	for _, c := range rules.Items(pod.Fields, "status", "conditions") {
		if c["type"] != "PodScheduled" || c["status"] != "True" || c["lastTransitionTime"] == nil {
			t.Errorf("a bound pod has the condition %v", c)
		}
	}
	wants(t, "a second binding", post(t, w.pods.Binding, in("p"), body(toNode)), 409,
		`Operation cannot be fulfilled on pods/binding "p": pod p is already assigned to node "n1"`)
}

func TestWhatIsWrongWithABindingIsSaid(t *testing.T) {
	w := newWorld(t, subresources.Options{})
	w.create(t, "pods", idle)
	w.create(t, "pods", `{"metadata":{"name":"gated"},"spec":{"schedulingGates":[{"name":"g"}],"containers":[{"name":"c","image":"i"}]}}`)
	for what, c := range map[string]struct {
		name, body string
		code       int
		message    string
	}{
		"no such pod":       {"none", `{"metadata":{"name":"none"},"target":{"name":"n"}}`, 404, `pods "none" not found`},
		"another name":      {"p", `{"metadata":{"name":"q"},"target":{"name":"n"}}`, 400, "name in URL does not match name in Binding object"},
		"no target":         {"p", `{"metadata":{"name":"p"},"target":{}}`, 500, "target.name: Required value"},
		"a wrong target":    {"p", `{"metadata":{"name":"p"},"target":{"kind":"Pod","name":"n"}}`, 500, `target.kind: Unsupported value: "Pod": supported values: "Node", "<empty>"`},
		"no name of a node": {"p", `{"metadata":{"name":"p"},"target":{"name":"N 1"}}`, 500, `target.name: Invalid value: "N 1": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`},
		"another namespace": {"p", `{"metadata":{"name":"p","namespace":"other"},"target":{"name":"n"}}`, 400, "the namespace of the provided object does not match the namespace sent on the request"},
		"another pod":       {"p", `{"metadata":{"name":"p","uid":"u"},"target":{"name":"n"}}`, 409, ""},
		"a gate":            {"gated", `{"metadata":{"name":"gated"},"target":{"name":"n"}}`, 409, `Operation cannot be fulfilled on pods/binding "gated": pod gated has non-empty .spec.schedulingGates`},
	} {
		err := post(t, w.pods.Binding, in(c.name), body(c.body))
		if c.message == "" {
			c.message = status.From(err).Message // it holds a random UID
		}
		wants(t, what, err, c.code, c.message)
	}
	dry := body(toNode)
	dry.DryRun = true
	wants(t, "a dry run", post(t, w.pods.Binding, in("p"), dry), 0, "")
	if rules.Text(w.pod(t, "p").Fields, "spec", "nodeName") != "" {
		t.Error("a dry run has bound the pod")
	}
}

func TestTheOldPathTakesTheNameFromTheBinding(t *testing.T) {
	w := newWorld(t, subresources.Options{})
	w.create(t, "pods", idle)
	wants(t, "no name", post(t, w.pods.LegacyBinding, in(""), body(`{"target":{"name":"n"}}`)), 400, "Name parameter required.")
	wants(t, "neither name nor target", post(t, w.pods.LegacyBinding, in(""), body(`{}`)), 500, "target.name: Required value")
	wants(t, "a name", post(t, w.pods.LegacyBinding, in(""), body(toNode)), 0, "")
	if rules.Text(w.pod(t, "p").Fields, "spec", "nodeName") != "n1" {
		t.Error("the pod is not bound")
	}
}

// purse is a budget: so many evictions, then none.
type purse struct{ left *int }

func (p purse) Spend(_ context.Context, _ *object.Object, dryRun bool) (bool, error) {
	if *p.left == 0 {
		return false, status.New(429, "TooManyRequests", "spent", nil)
	}
	if !dryRun {
		*p.left--
	}
	return false, nil
}

func TestAnEvictionDeletesThePodIfItsBudgetAllows(t *testing.T) {
	left := 1
	w := newWorld(t, subresources.Options{Budgets: purse{&left}})
	for _, name := range []string{"a", "b", "waiting"} {
		w.create(t, "pods", strings.Replace(idle, `"p"`, `"`+name+`"`, 1))
		if name != "waiting" {
			w.report(t, "pods", in(name), `{"phase":"Running"}`)
		}
	}
	evict := func(name, more string) error {
		return post(t, w.pods.Eviction, in(name), body(`{"metadata":{"name":"`+name+`"}`+more+`}`))
	}
	wants(t, "a dry run in the body", evict("a", `,"deleteOptions":{"dryRun":["All"]}`), 0, "")
	wants(t, "the first", evict("a", ""), 0, "")
	wants(t, "the first again", evict("a", ""), 404, `pods "a" not found`)
	wants(t, "the second", evict("b", ""), 429, "spent")
	wants(t, "one that does not run yet", evict("waiting", ""), 0, "")
	wants(t, "another name", post(t, w.pods.Eviction, in("b"), body(`{"metadata":{"name":"x"}}`)), 400, "name in URL does not match name in Eviction object")
	w.pod(t, "b") // is still there
}

func TestAnEvictedPodSaysWhyItGoes(t *testing.T) {
	w := newWorld(t, subresources.Options{})
	w.create(t, "pods", `{"metadata":{"name":"p"},"spec":{"nodeName":"n","terminationGracePeriodSeconds":30,"containers":[{"name":"c","image":"i"}]}}`)
	w.report(t, "pods", in("p"), `{"phase":"Running"}`)
	wants(t, "the eviction", post(t, w.pods.Eviction, in("p"), body(`{"metadata":{"name":"p"},"deleteOptions":{"gracePeriodSeconds":7}}`)), 0, "")
	pod := w.pod(t, "p")
	if g := pod.Meta.DeletionGracePeriodSeconds; g == nil || *g != 7 {
		t.Errorf("the pod stays for %v seconds; want 7", g)
	}
	reason := ""
	for _, c := range rules.Items(pod.Fields, "status", "conditions") {
		reason += rules.Text(c, "type") + " " + rules.Text(c, "reason")
	}
	if reason != "DisruptionTarget EvictionByEvictionAPI" {
		t.Errorf("the pod's conditions say %q", reason)
	}
}

func TestAnEvictionOfAnotherVersionOfThePodIsRefused(t *testing.T) {
	w := newWorld(t, subresources.Options{})
	w.create(t, "pods", idle)
	err := post(t, w.pods.Eviction, in("p"), body(`{"metadata":{"name":"p"},"deleteOptions":{"preconditions":{"resourceVersion":"77"}}}`))
	if !status.Is(err, "Conflict") {
		t.Errorf("got %v; want a conflict", err)
	}
	seen := w.pod(t, "p").Meta.ResourceVersion
	wants(t, "the right version", post(t, w.pods.Eviction, in("p"), body(`{"metadata":{"name":"p"},"deleteOptions":{"preconditions":{"resourceVersion":"`+seen+`"}}}`)), 0, "")
}

func TestAdmissionIsAskedAboutBindingsEvictionsAndConnections(t *testing.T) {
	w := newWorld(t, subresources.Options{}, guard{"CONNECT"})
	w.create(t, "pods", idle)
	_, err := connectTo(t, w.pods.Exec, in("p"), "", "")
	wants(t, "exec", err, 403, `pods "p" is forbidden: no CONNECT of exec PodExecOptions`)
	_, err = connectTo(t, w.nodeProxy, rest.Key{Name: "n"}, "", "")
	wants(t, "a proxy", err, 403, `nodes "n" is forbidden: no CONNECT of proxy NodeProxyOptions`)
	code, err := connectTo(t, w.pods.Log, in("p"), "", "")
	if code != 204 || err != nil {
		t.Errorf("a log, which is read, is answered with %d %v; want 204", code, err)
	}
	w = newWorld(t, subresources.Options{}, guard{"CREATE"})
	wants(t, "a binding", post(t, w.pods.Binding, in("p"), body(toNode)), 403, `pods "p" is forbidden: no CREATE of binding Binding`)
	wants(t, "an eviction", post(t, w.pods.Eviction, in("p"), body(`{"metadata":{"name":"p"}}`)), 403, `pods "p" is forbidden: no CREATE of eviction Eviction`)
}

func TestAScaleWritesTheReplicasOfItsObject(t *testing.T) {
	w := newWorld(t, subresources.Options{})
	w.create(t, "replicationcontrollers", `{"metadata":{"name":"r"},"spec":{"replicas":2,"selector":{"a":"b","c":"d"},"template":{"metadata":{"labels":{"a":"b","c":"d"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}}`)
	scale := w.rcScale.(interface {
		rest.Getter
		rest.Updater
	})
	got, _, err := scale.Update(t.Context(), in("r"), body(`{"metadata":{"name":"r"},"spec":{"replicas":5}}`))
	if err != nil {
		t.Fatal(err)
	}
	var s struct {
		Spec, Status struct {
			Replicas int
			Selector string
		}
	}
	if err := json.Unmarshal(got.JSON(), &s); err != nil || s.Spec.Replicas != 5 || s.Status.Selector != "a=b,c=d" {
		t.Errorf("the scale is %s", got.JSON())
	}
	_, _, err = scale.Update(t.Context(), in("r"), body(`{"metadata":{"name":"r"},"spec":{"replicas":-1}}`))
	wants(t, "less than none", err, 422, `Scale.autoscaling "r" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0`)
	for text, message := range map[string]string{
		`{"metadata":{"name":"q"}}`:                    "the name of the object (q) does not match the name on the URL (r)",
		`{"metadata":{"name":"r","namespace":"else"}}`: "the namespace of the provided object does not match the namespace sent on the request",
		`{}`: "the name of the object (r based on URL) was undeterminable: name must be provided",
	} {
		_, _, err = scale.Update(t.Context(), in("r"), body(text))
		wants(t, text, err, 400, message)
	}
	_, _, err = scale.Update(t.Context(), in("none"), body(`{"metadata":{"name":"none"}}`))
	wants(t, "scaling nothing", err, 404, `replicationcontrollers "none" not found`)
	_, _, err = scale.Update(t.Context(), in("r"), body(`{"metadata":{"name":"r","resourceVersion":"1"},"spec":{"replicas":3}}`))
	if !status.Is(err, "Conflict") {
		t.Errorf("a Scale of an old version is answered with %v; want a conflict", err)
	}
	_, err = scale.Get(t.Context(), in("none"), rest.GetOptions{})
	wants(t, "of nothing", err, 404, `replicationcontrollers "none" not found`)
}

// mate is a plugin that looks at scales and allows no more than so many replicas.
type mate struct {
	limit json.Number
	seen  []string
}

func (*mate) Handles(string) bool { return true }

func (m *mate) Admit(_ context.Context, a *admission.Attributes) error {
	if a.Operation == rest.Update {
		m.seen = append(m.seen, fmt.Sprint("admit ", a.Resource.Name, "/", a.Subresource, " ", a.Kind, " ", a.Object.APIVersion, " ", a.Old.Fields["spec"], " -> ", a.Object.Fields["spec"]))
		a.Object.Fields["spec"].(map[string]any)["replicas"] = m.limit
	}
	return nil
}

func (m *mate) Validate(_ context.Context, a *admission.Attributes) error {
	if a.Operation == rest.Update {
		m.seen = append(m.seen, fmt.Sprint("validate ", a.Object.Kind, " ", a.Object.Meta.Name, " ", a.Object.Fields["spec"]))
	}
	return nil
}

func TestPluginsAreAskedAboutTheScaleAndNotAboutItsObject(t *testing.T) {
	plugin := &mate{limit: "3"}
	w := newWorld(t, subresources.Options{}, plugin)
	w.create(t, "replicationcontrollers", `{"metadata":{"name":"r"},"spec":{"replicas":2,"selector":{"a":"b"},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}}`)
	got, _, err := w.rcScale.(rest.Updater).Update(t.Context(), in("r"), body(`{"metadata":{"name":"r"},"spec":{"replicas":5}}`))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(got.JSON()), `"spec":{"replicas":3}`) {
		t.Errorf("a plugin changes the Scale, and that is what is written: got %s", got.JSON())
	}
	want := []string{"admit replicationcontrollers/scale Scale autoscaling/v1 map[replicas:2] -> map[replicas:5]", "validate Scale r map[replicas:3]"}
	if diff := cmp.Diff(want, plugin.seen); diff != "" {
		t.Errorf("the plugin must see this (-want +got):\n%s", diff)
	}
}
