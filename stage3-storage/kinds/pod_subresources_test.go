package kinds_test

import (
	"testing"

	"example.com/kube-apiserver/stage3-storage/kinds"
	"example.com/kube-apiserver/stage3-storage/object"
	"github.com/google/go-cmp/cmp"
)

// sized is a pod with one container of these resources, and more.
func sized(resources, more string) string {
	return `{"spec":{"containers":[{"name":"c","image":"a:1","resources":` + resources + `}]` + more + `}}`
}

func TestSubresourcesOfAPodChangeTheirPartAndNoOther(t *testing.T) {
	const small, big = `{"requests":{"cpu":"1"},"limits":{"cpu":"2"}}`, `{"requests":{"cpu":"1500m"},"limits":{"cpu":"3"}}`
	debugger := func(image string) string { return `,"ephemeralContainers":[{"name":"d","image":"` + image + `"}]` }
	for name, c := range map[string]struct {
		path, before, after string
		result              string // what the update comes to, where it may be
		want                []string
	}{
		"a bigger pod":            {"resize", sized(small, ``), sized(big, ``), sized(big, ``), []string{}},
		"a bigger, later image":   {"resize", sized(small, ``), `{"spec":{"containers":[{"name":"c","image":"a:2","resources":` + big + `}]}}`, sized(big, ``), []string{}},
		"a container more":        {"resize", sized(small, ``), `{"spec":{"containers":[{"name":"c","image":"a:1","resources":` + small + `},{"name":"e","image":"e"}]}}`, sized(small, ``), []string{}},
		"a pod of another class":  {"resize", sized(small, ``), sized(`{"requests":{"cpu":"2","memory":"1Gi"},"limits":{"cpu":"2","memory":"1Gi"}}`, ``), "", []string{"metadata Invalid"}},
		"a limit taken away":      {"resize", sized(small, ``), sized(`{"requests":{"cpu":"1"}}`, ``), "", []string{"spec.containers[0].resources.limits Forbidden"}},
		"more than the limit":     {"resize", sized(small, ``), sized(`{"requests":{"cpu":"9"},"limits":{"cpu":"2"}}`, ``), "", []string{"spec.containers[0].resources.requests Invalid"}},
		"more disk":               {"resize", sized(small, ``), sized(`{"requests":{"cpu":"1","ephemeral-storage":"1Gi"},"limits":{"cpu":"2"}}`, ``), "", []string{"spec Forbidden"}},
		"less disk":               {"resize", sized(`{"requests":{"ephemeral-storage":"2Gi"}}`, ``), sized(`{"requests":{"ephemeral-storage":"1Gi"}}`, ``), "", []string{"spec Forbidden"}},
		"a node that cannot":      {"resize", sized(small, ``), sized(big, ``), "", []string{"spec Forbidden"}},
		"a windows pod":           {"resize", sized(small, `,"os":{"name":"windows"}`), sized(big, `,"os":{"name":"windows"}`), "", []string{"[] Forbidden"}},
		"a debugger":              {"ephemeralcontainers", podText(``), podText(debugger("d:1")), podText(debugger("d:1")), []string{}},
		"a debugger and a policy": {"ephemeralcontainers", podText(``), podText(debugger("d:1") + `,"restartPolicy":"Never"`), podText(debugger("d:1")), []string{}},
		"another debugger":        {"ephemeralcontainers", podText(debugger("d:1")), podText(debugger("d:2")), "", []string{"spec.ephemeralContainers Forbidden"}},
		"no debugger any more":    {"ephemeralcontainers", podText(debugger("d:1")), podText(``), "", []string{"spec.ephemeralContainers Forbidden"}},
		"a debugger with ports":   {"ephemeralcontainers", podText(``), podText(`,"ephemeralContainers":[{"name":"d","image":"d","ports":[{"containerPort":1}]}]`), "", []string{"spec.ephemeralContainers[0].ports Forbidden"}},
	} {
		t.Run(name, func(t *testing.T) {
			k := kind(t, kinds.Core(newOptions()), "Pod")
			s := k.Sub[c.path]
			parsed := func(text string) *object.Object {
				o := parse(t, k, text)
				s.Default(o)
				return o
			}
			old, o := parsed(c.before), parsed(c.after)
			if name == "a node that cannot" {
				old.Fields["status"] = map[string]any{"containerStatuses": []any{map[string]any{"state": map[string]any{"running": map[string]any{"startedAt": nil}}}}}
			}
			o.Meta.Labels = map[string]string{"not": "here"}
			if err := s.PrepareForUpdate(t.Context(), o, old); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, complaints(s.ValidateUpdate(o, old))); diff != "" {
				t.Errorf("complaints (-want +got):\n%s", diff)
			}
			if c.result == "" {
				return
			}
			if diff := cmp.Diff(string(parsed(c.result).Encode()), string(o.Encode())); diff != "" {
				t.Errorf("what is stored (-want +got):\n%s", diff)
			}
		})
	}
}

func TestWhatANodeShowsOfAFileIsNotChangedThroughTheServer(t *testing.T) {
	k := kind(t, kinds.Core(newOptions()), "Pod")
	for path, s := range k.Sub {
		old := parse(t, k, podText(``))
		old.Meta.Annotations = map[string]string{"kubernetes.io/config.mirror": "x"}
		if len(s.ValidateUpdate(old.DeepCopy(), old)) == 0 {
			t.Errorf("a mirror pod can be written under /%s", path)
		}
	}
}
