package resourcequota_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"example.com/kube-apiserver/stage4-informers/plugins/plugintest"
)

const namespace = "namespaces/default/"

// start runs a server with quotas of which it has heard: hard is their status.
func start(t *testing.T, quotas ...quota) *plugintest.Server {
	t.Helper()
	s := plugintest.Start(t, "--admission-control=ResourceQuota")
	for _, q := range quotas {
		q.create(t, s)
	}
	return s
}

// quota is what a test says of one: hard and used as JSON without braces, and
// further fields of the spec.
type quota struct{ name, hard, used, spec string }

// create writes the quota with its status, and with a resource besides, at
// which can be seen that the plugin has heard of it.
func (q quota) create(t *testing.T, s *plugintest.Server) {
	t.Helper()
	kind, body := "podtemplates", `{"metadata":{"name":"a"},"template":{"spec":{"containers":[{"name":"a","image":"i"}]}}}`
	if q.name == "wider" { // a second quota has a probe of its own, or the first would answer for it
		kind, body = "secrets", `{"metadata":{"name":"a"}}`
	}
	probe := `"count/` + kind + `":"0"`
	if q.spec != "" {
		probe = "" // scopes admit no count of other kinds
	}
	hard, used := join(q.hard, probe), join(q.used, probe)
	s.Create(namespace+"resourcequotas", `{"metadata":{"name":"`+q.name+`"},"spec":{"hard":{`+hard+`}`+q.spec+`}}`)
	if a := s.Do("PATCH", namespace+"resourcequotas/"+q.name+"/status", `{"status":{"hard":{`+hard+`},"used":{`+used+`}}}`); a.Code != http.StatusOK {
		t.Fatalf("the status of the quota is refused: %s", a.Message())
	}
	if probe != "" {
		s.Until(plugintest.Is(http.StatusForbidden), "POST", namespace+kind+"?dryRun=All", body)
	}
}

func join(a, b string) string { return strings.Trim(a+","+b, ",") }

func used(t *testing.T, s *plugintest.Server, name string) map[string]any {
	t.Helper()
	status, _ := s.Do("GET", namespace+"resourcequotas/"+name, "").Object["status"].(map[string]any)
	used, _ := status["used"].(map[string]any)
	return used
}

func configMap(name string) string { return `{"metadata":{"name":"` + name + `"}}` }

func TestTheOneTooManyIsRefused(t *testing.T) {
	s := start(t, quota{name: "q", hard: `"configmaps":"1","secrets":"0"`, used: `"configmaps":"0","secrets":"0"`})
	s.Create(namespace+"configmaps", configMap("a"))
	if got := used(t, s, "q")["configmaps"]; got != "1" {
		t.Errorf("after one configmap the quota says that %v are used", got)
	}
	for _, c := range []struct{ path, want string }{
		{"configmaps", `configmaps "b" is forbidden: exceeded quota: q, requested: configmaps=1, used: configmaps=1, limited: configmaps=1`},
		{"secrets?dryRun=All", `secrets "b" is forbidden: exceeded quota: q, requested: secrets=1, used: secrets=0, limited: secrets=0`},
		{"serviceaccounts", ``},
	} {
		if a := s.Do("POST", namespace+c.path, configMap("b")); a.Message() != c.want {
			t.Errorf("POST %s is answered %q, want %q", c.path, a.Message(), c.want)
		}
	}
	if a := s.Do("PATCH", namespace+"configmaps/a", `{"data":{"k":"v"}}`); a.Code != http.StatusOK {
		t.Errorf("a change of what is counted already is refused: %s", a.Message())
	}
}

func TestADryRunIsNotCounted(t *testing.T) {
	s := start(t, quota{name: "q", hard: `"configmaps":"1"`, used: `"configmaps":"0"`})
	for range 3 {
		s.Create(namespace+"configmaps?dryRun=All", configMap("a"))
	}
	if got := used(t, s, "q")["configmaps"]; got != "0" {
		t.Errorf("dry runs were counted: %v used", got)
	}
}

func TestWhatIsThereAlreadyIsNotCountedTwice(t *testing.T) {
	s := start(t, quota{name: "q", hard: `"configmaps":"2"`, used: `"configmaps":"0"`})
	s.Create(namespace+"configmaps", configMap("a"))
	for range 3 {
		if a := s.Do("POST", namespace+"configmaps", configMap("a")); a.Code != http.StatusConflict {
			t.Errorf("a second object of the same name is answered %d %s, want 409", a.Code, a.Message())
		}
	}
	if got := used(t, s, "q")["configmaps"]; got != "1" {
		t.Errorf("one configmap is there, and the quota says that %v are used", got)
	}
}

func TestAQuotaWithoutAStatusLimitsNothing(t *testing.T) {
	s := start(t)
	s.Create(namespace+"resourcequotas", `{"metadata":{"name":"q"},"spec":{"hard":{"configmaps":"0"}}}`)
	quota{name: "heard", hard: `"secrets":"0"`, used: `"secrets":"0"`}.create(t, s)
	s.Create(namespace+"configmaps", configMap("a"))
}

func TestAnUnknownCountRefuses(t *testing.T) {
	s := start(t, quota{name: "q", hard: `"configmaps":"5"`})
	const want = `configmaps "a" is forbidden: status unknown for quota: q, resources: configmaps`
	if a := s.Do("POST", namespace+"configmaps", configMap("a")); a.Message() != want {
		t.Errorf("a quota that says what is allowed and not what is used gives %q, want %q", a.Message(), want)
	}
}

func TestAnOldRefusalIsLookedAtAgain(t *testing.T) {
	s := start(t, quota{name: "q", hard: `"configmaps":"0"`, used: `"configmaps":"0"`})
	if a := s.Do("PATCH", namespace+"resourcequotas/q/status", `{"status":{"hard":{"configmaps":"1"}}}`); a.Code != http.StatusOK {
		t.Fatal(a.Message())
	}
	s.Create(namespace+"configmaps", configMap("a")) // at once, whatever the informer knows
}

func TestConcurrentWritesNeverGetMoreThanThereIs(t *testing.T) {
	const allowed, writers, each = 23, 8, 10
	s := start(t, quota{name: "q", hard: fmt.Sprintf(`"configmaps":"%d"`, allowed), used: `"configmaps":"0"`},
		quota{name: "wider", hard: `"count/configmaps":"1000"`, used: `"count/configmaps":"0"`})
	var created atomic.Int64
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				switch a := s.Do("POST", namespace+"configmaps", configMap(fmt.Sprintf("c-%d-%d", w, i))); a.Code {
				case http.StatusCreated:
					created.Add(1)
				case http.StatusForbidden:
				default:
					t.Errorf("a write beside others is answered %d %s", a.Code, a.Message())
				}
			}
		})
	}
	wg.Wait()
	if n := created.Load(); n != allowed {
		t.Errorf("%d of %d were created", n, allowed)
	}
	for quota, name := range map[string]string{"q": "configmaps", "wider": "count/configmaps"} {
		if got := used(t, s, quota)[name]; got != fmt.Sprint(allowed) {
			t.Errorf("the quota %s says that %v are used, want %d", quota, got, allowed)
		}
	}
}

func pod(name, rest string, containers ...string) string {
	return `{"metadata":{"name":"` + name + `"},"spec":{"containers":[` + strings.Join(containers, ",") + `]` + rest + `}}`
}

func container(name, resources string) string {
	return `{"name":"` + name + `","image":"i","resources":{` + resources + `}}`
}

var podCases = map[string]struct{ hard, used, pod, why, after string }{
	"a container must say what is limited":        {`"limits.memory":"1Gi","pods":"2"`, `"limits.memory":"0","pods":"1"`, pod("m", ``, container("a", ``)), "failed quota: q: must specify limits.memory for: a", ``},
	"every container, and all that is limited":    {`"cpu":"1","limits.memory":"1Gi"`, `"cpu":"0","limits.memory":"0"`, pod("m", ``, container("b", ``), container("a", `"requests":{"cpu":"1"}`)), "failed quota: q: must specify cpu for: b; limits.memory for: a,b", ``},
	"what is newer need not be said":              {`"requests.ephemeral-storage":"1Gi","pods":"2"`, `"requests.ephemeral-storage":"0","pods":"1"`, pod("m", ``, container("a", ``)), "", "pods=2 requests.ephemeral-storage=0"},
	"too much in one container":                   {`"limits.memory":"1Gi"`, `"limits.memory":"0"`, pod("m", ``, container("a", `"limits":{"memory":"2Gi"}`)), "exceeded quota: q, requested: limits.memory=2Gi, used: limits.memory=0, limited: limits.memory=1Gi", ``},
	"several things too much":                     {`"limits.cpu":"1","pods":"0","requests.cpu":"1"`, `"limits.cpu":"500m","pods":"0","requests.cpu":"0"`, pod("m", ``, container("a", `"limits":{"cpu":"600m"}`)), "exceeded quota: q, requested: limits.cpu=600m,pods=1, used: limits.cpu=500m,pods=0, limited: limits.cpu=1,pods=0", ``},
	"what is left is given":                       {`"limits.memory":"1Gi","pods":"2"`, `"limits.memory":"0","pods":"1"`, pod("m", ``, container("a", `"limits":{"memory":"64Mi"}`)), "", "limits.memory=64Mi pods=2"},
	"the sum of all containers counts":            {`"requests.cpu":"1"`, `"requests.cpu":"250m"`, pod("m", ``, container("a", `"requests":{"cpu":"500m"}`), container("b", `"requests":{"cpu":"250m"}`)), "", "requests.cpu=1"},
	"an old name for requests":                    {`"cpu":"1","memory":"1Gi"`, `"cpu":"0","memory":"1Gi"`, pod("m", ``, container("a", `"requests":{"cpu":"1","memory":"1"}`)), "exceeded quota: q, requested: memory=1, used: memory=1Gi, limited: memory=1Gi", ``},
	"devices are counted by their requests":       {`"requests.example.com/gpu":"1"`, `"requests.example.com/gpu":"1"`, pod("m", ``, container("a", `"limits":{"example.com/gpu":"1"}`)), "exceeded quota: q, requested: requests.example.com/gpu=1, used: requests.example.com/gpu=1, limited: requests.example.com/gpu=1", ``},
	"huge pages are counted":                      {`"hugepages-2Mi":"2Mi"`, `"hugepages-2Mi":"0"`, pod("m", ``, container("a", `"limits":{"cpu":"1","hugepages-2Mi":"4Mi"}`)), "exceeded quota: q, requested: hugepages-2Mi=4Mi, used: hugepages-2Mi=0, limited: hugepages-2Mi=2Mi", ``},
	"all that is stored is counted by count/pods": {`"count/pods":"3"`, `"count/pods":"3"`, pod("m", ``, container("a", ``)), "exceeded quota: q, requested: count/pods=1, used: count/pods=3, limited: count/pods=3", ``},
}

func TestWhatPodsAskForIsCounted(t *testing.T) {
	for claim, c := range podCases {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			s := start(t, quota{name: "q", hard: c.hard, used: c.used})
			want := ""
			if c.why != "" {
				want = `pods "m" is forbidden: ` + c.why
			}
			if a := s.Do("POST", namespace+"pods", c.pod); a.Message() != want {
				t.Errorf("the answer is\n\t%q\nwant\n\t%q", a.Message(), want)
			}
			for _, w := range strings.Fields(c.after) {
				name, amount, _ := strings.Cut(w, "=")
				if got := used(t, s, "q")[name]; got != amount {
					t.Errorf("afterwards %v of %s is used, want %s", got, name, amount)
				}
			}
		})
	}
}

func TestAPodThatIsResizedIsCountedByTheDifference(t *testing.T) {
	s := start(t, quota{name: "q", hard: `"requests.cpu":"1"`, used: `"requests.cpu":"0"`})
	s.Create(namespace+"pods", pod("p", ``, container("a", `"requests":{"cpu":"500m"}`)))
	resize := func(cpu string) plugintest.Answer {
		return s.Do("PATCH", namespace+"pods/p/resize", `{"spec":{"containers":[`+container("a", `"requests":{"cpu":"`+cpu+`"}`)+`]}}`)
	}
	if a := resize("800m"); a.Code != http.StatusOK {
		t.Errorf("a pod cannot grow although there is enough: %s", a.Message())
	}
	if got := used(t, s, "q")["requests.cpu"]; got != "800m" {
		t.Errorf("the quota says that %v is used, want 800m", got)
	}
	const want = `pods "p" is forbidden: exceeded quota: q, requested: requests.cpu=400m, used: requests.cpu=800m, limited: requests.cpu=1`
	if a := resize("1200m"); a.Message() != want {
		t.Errorf("a pod that grows too much is answered\n\t%q\nwant\n\t%q", a.Message(), want)
	}
}
