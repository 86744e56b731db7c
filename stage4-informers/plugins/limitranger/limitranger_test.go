package limitranger_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"example.com/kube-apiserver/stage4-informers/plugins/plugintest"
	"github.com/google/go-cmp/cmp"
)

const namespace = "namespaces/default/"

// withLimits starts a server in which one limit range has been heard of: its
// last item, which is added here, refuses a certain claim.
func withLimits(t *testing.T, items string) *plugintest.Server {
	t.Helper()
	s := plugintest.Start(t, "--admission-control=LimitRanger")
	s.Create(namespace+"limitranges", `{"metadata":{"name":"l"},"spec":{"limits":[`+items+`{"type":"PersistentVolumeClaim","min":{"storage":"1Gi"},"max":{"storage":"2Gi"}}]}}`)
	s.Until(plugintest.Is(http.StatusForbidden), "POST", namespace+"persistentvolumeclaims?dryRun=All", claim(`"requests":{"storage":"1Ki"}`))
	return s
}

func claim(resources string) string {
	return `{"metadata":{"name":"c"},"spec":{"accessModes":["ReadWriteOnce"],"resources":{` + resources + `}}}`
}

func pod(containers string) string {
	return `{"metadata":{"name":"p"},"spec":{"containers":[` + containers + `]}}`
}

func container(name, resources string) string {
	return `{"name":"` + name + `","image":"i","resources":{` + resources + `}}`
}

func TestContainersGetTheDefaultsOfTheirNamespace(t *testing.T) {
	s := withLimits(t, `{"type":"Container","default":{"cpu":"500m","memory":"128Mi"},"defaultRequest":{"cpu":"100m"}},`)
	got := s.Create(namespace+"pods", `{"metadata":{"name":"p"},"spec":{"initContainers":[`+container("first", ``)+`],"containers":[`+
		container("main", ``)+`,`+container("side", `"limits":{"cpu":"200m"}`)+`]}}`).Object
	spec := got["spec"].(map[string]any)
	for _, c := range []struct {
		list  string
		place int
		want  string
	}{
		{"initContainers", 0, `{"limits":{"cpu":"500m","memory":"128Mi"},"requests":{"cpu":"100m","memory":"128Mi"}}`},
		{"containers", 0, `{"limits":{"cpu":"500m","memory":"128Mi"},"requests":{"cpu":"100m","memory":"128Mi"}}`},
		{"containers", 1, `{"limits":{"cpu":"200m","memory":"128Mi"},"requests":{"cpu":"200m","memory":"128Mi"}}`},
	} {
		var want any
		if err := json.Unmarshal([]byte(c.want), &want); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, spec[c.list].([]any)[c.place].(map[string]any)["resources"]); diff != "" {
			t.Errorf("%s[%d] has other resources (-want +got):\n%s", c.list, c.place, diff)
		}
	}
	const want = "LimitRanger plugin set: cpu, memory request for container main; cpu, memory limit for container main; " +
		"memory request for container side; memory limit for container side; " +
		"cpu, memory request for init container first; cpu, memory limit for init container first"
	annotations, _ := got["metadata"].(map[string]any)["annotations"].(map[string]any)
	if annotations["kubernetes.io/limit-ranger"] != want {
		t.Errorf("the pod is annotated\n\t%v\nwant\n\t%s", annotations, want)
	}
	if class := got["status"].(map[string]any)["qosClass"]; class != "Burstable" {
		t.Errorf("the pod has class %v: it was found out before the defaults were there", class)
	}
}

var bounds = []struct{ limits, pod, why string }{
	{`{"type":"Container","max":{"cpu":"1"}}`, pod(container("a", `"limits":{"cpu":"2"}`)), "maximum cpu usage per Container is 1, but limit is 2"},
	{`{"type":"Container","max":{"cpu":"1"}}`, pod(container("a", ``)), ""}, // the maximum is the default, too
	{`{"type":"Container","min":{"cpu":"50m"}}`, pod(container("a", `"requests":{"cpu":"10m"}`)), "minimum cpu usage per Container is 50m, but request is 10m"},
	{`{"type":"Container","min":{"cpu":"50m"}}`, pod(container("a", `"requests":{"cpu":"50m"},"limits":{"cpu":"60m"}`)), ""},
	{`{"type":"Container","min":{"cpu":"50m","memory":"1Mi"}}`, pod(container("a", `"requests":{"cpu":"10m","memory":"1Ki"}`) + `,` + container("b", `"requests":{"cpu":"10m"}`)),
		"[minimum cpu usage per Container is 50m, but request is 10m, minimum memory usage per Container is 1Mi, but request is 1Ki]"},
	{`{"type":"Container","maxLimitRequestRatio":{"cpu":"2"}}`, pod(container("a", `"requests":{"cpu":"100m"},"limits":{"cpu":"900m"}`)), "cpu max limit to request ratio per Container is 2, but provided ratio is 9.000000"},
	{`{"type":"Container","maxLimitRequestRatio":{"cpu":"2"}}`, pod(container("a", `"requests":{"cpu":"450m"},"limits":{"cpu":"900m"}`)), ""},
	{`{"type":"Container","maxLimitRequestRatio":{"cpu":"2"}}`, pod(container("a", ``)), "cpu max limit to request ratio per Container is 2, but no request is specified or request is 0"},
	{`{"type":"Container","maxLimitRequestRatio":{"cpu":"2"}}`, pod(container("a", `"requests":{"cpu":"1"}`)), "cpu max limit to request ratio per Container is 2, but no limit is specified or limit is 0"},
	{`{"type":"Pod","max":{"cpu":"1"}}`, pod(container("a", `"limits":{"cpu":"600m"}`) + `,` + container("b", `"limits":{"cpu":"600m"}`)), "maximum cpu usage per Pod is 1, but limit is 1200m"},
	{`{"type":"Pod","max":{"cpu":"1"}}`, pod(container("a", ``)), "maximum cpu usage per Pod is 1.  No limit is specified"},
	{`{"type":"Pod","min":{"memory":"1Gi"}}`, pod(container("a", `"requests":{"cpu":"1"}`)), "minimum memory usage per Pod is 1Gi.  No request is specified"},
	{`{"type":"Pod","max":{"cpu":"1"}}`, `{"metadata":{"name":"p"},"spec":{"initContainers":[` + container("i", `"limits":{"cpu":"900m"}`) + `],"containers":[` + container("a", `"limits":{"cpu":"600m"}`) + `]}}`, ""},
	{`{"type":"Pod","max":{"cpu":"1"}}`, `{"metadata":{"name":"p"},"spec":{"initContainers":[{"name":"i","image":"i","restartPolicy":"Always","resources":{"limits":{"cpu":"900m"}}}],"containers":[` + container("a", `"limits":{"cpu":"600m"}`) + `]}}`,
		"maximum cpu usage per Pod is 1, but limit is 1500m"},
}

func TestPodsOutsideOfTheBoundsAreRefused(t *testing.T) {
	for _, b := range bounds {
		t.Run(b.limits+" "+b.why, func(t *testing.T) {
			t.Parallel()
			a := withLimits(t, b.limits+",").Do("POST", namespace+"pods", b.pod)
			switch want := `pods "p" is forbidden: ` + b.why; {
			case b.why == "" && a.Code != http.StatusCreated:
				t.Errorf("the pod is within the bounds and refused: %s", a.Message())
			case b.why != "" && (a.Code != http.StatusForbidden || a.Message() != want):
				t.Errorf("the answer is %d\n\t%s\nwant 403\n\t%s", a.Code, a.Message(), want)
			}
		})
	}
}

func TestClaimsOutsideOfTheBoundsAreRefused(t *testing.T) {
	s := withLimits(t, "")
	for size, want := range map[string]string{
		"5Gi": `persistentvolumeclaims "c" is forbidden: maximum storage usage per PersistentVolumeClaim is 2Gi, but request is 5Gi`,
		"1Mi": `persistentvolumeclaims "c" is forbidden: minimum storage usage per PersistentVolumeClaim is 1Gi, but request is 1Mi`,
		"1Gi": ``,
	} {
		if a := s.Do("POST", namespace+"persistentvolumeclaims?dryRun=All", claim(`"requests":{"storage":"`+size+`"}`)); a.Message() != want {
			t.Errorf("a claim of %s is answered %q, want %q", size, a.Message(), want)
		}
	}
}

func TestAPodThatIsThereIsNotMeasuredAgain(t *testing.T) {
	s := plugintest.Start(t, "--admission-control=LimitRanger")
	s.Create(namespace+"pods", pod(container("a", `"limits":{"cpu":"2"}`)))
	s.Create(namespace+"limitranges", `{"metadata":{"name":"l"},"spec":{"limits":[{"type":"Container","max":{"cpu":"1"}}]}}`)
	s.Until(plugintest.Is(http.StatusForbidden), "POST", namespace+"pods?dryRun=All", `{"metadata":{"name":"q"},"spec":{"containers":[`+container("a", `"limits":{"cpu":"2"}`)+`]}}`)
	if a := s.Do("PATCH", namespace+"pods/p", `{"metadata":{"labels":{"a":"b"}}}`); a.Code != http.StatusOK {
		t.Errorf("a label cannot be set on a pod that is older than the limits: %s", a.Message())
	}
}

func TestAPodIsMeasuredAgainWhenItIsResized(t *testing.T) {
	s := withLimits(t, `{"type":"Container","max":{"cpu":"1"}},`)
	s.Create(namespace+"pods", pod(container("a", `"limits":{"cpu":"500m"},"requests":{"cpu":"500m"}`)))
	const want = `pods "p" is forbidden: maximum cpu usage per Container is 1, but limit is 2`
	a := s.Do("PATCH", namespace+"pods/p/resize", `{"spec":{"containers":[`+container("a", `"limits":{"cpu":"2"},"requests":{"cpu":"2"}`)+`]}}`)
	if a.Code != http.StatusForbidden || a.Message() != want {
		t.Errorf("a pod grows beyond the maximum: %d %q, want 403 %q", a.Code, a.Message(), want)
	}
}
