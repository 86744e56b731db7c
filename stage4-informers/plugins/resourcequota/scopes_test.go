package resourcequota_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/kube-apiserver/stage4-informers/plugins/plugintest"
)

const affinity = `,"affinity":{"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{"topologyKey":"k","namespaces":["b"]}]}}`

var (
	anything = container("a", ``)
	burst    = container("a", `"requests":{"cpu":"1"}`)
)

var scopeCases = map[string]struct {
	spec    string
	about   string // a pod that the quota is about
	another string // one that it is not about
}{
	"BestEffort":                {`,"scopes":["BestEffort"]`, pod("p", ``, anything), pod("p", ``, burst)},
	"NotBestEffort":             {`,"scopes":["NotBestEffort"]`, pod("p", ``, burst), pod("p", ``, anything)},
	"Terminating":               {`,"scopes":["Terminating"]`, pod("p", `,"activeDeadlineSeconds":5`, anything), pod("p", ``, anything)},
	"NotTerminating":            {`,"scopes":["NotTerminating"]`, pod("p", ``, anything), pod("p", `,"activeDeadlineSeconds":5`, anything)},
	"both must hold":            {`,"scopes":["NotTerminating","BestEffort"]`, pod("p", ``, anything), pod("p", ``, burst)},
	"CrossNamespacePodAffinity": {`,"scopes":["CrossNamespacePodAffinity"]`, pod("p", affinity, anything), pod("p", ``, anything)},
	"any class":                 {`,"scopes":["PriorityClass"]`, pod("p", `,"priorityClassName":"gold"`, anything), pod("p", ``, anything)},
	"one of some classes":       {selector(`"operator":"In","values":["gold"]`), pod("p", `,"priorityClassName":"gold"`, anything), pod("p", `,"priorityClassName":"lead"`, anything)},
	"none of some classes":      {selector(`"operator":"NotIn","values":["gold"]`), pod("p", ``, anything), pod("p", `,"priorityClassName":"gold"`, anything)},
	"no class":                  {selector(`"operator":"DoesNotExist"`), pod("p", ``, anything), pod("p", `,"priorityClassName":"gold"`, anything)},
}

func selector(term string) string {
	return `,"scopeSelector":{"matchExpressions":[{"scopeName":"PriorityClass",` + term + `}]}`
}

func TestAQuotaWithAScopeIsAboutSomePodsOnly(t *testing.T) {
	for claim, c := range scopeCases {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			s := start(t, quota{name: "q", hard: `"pods":"0"`, used: `"pods":"0"`, spec: c.spec})
			a := s.Until(plugintest.Is(http.StatusForbidden), "POST", namespace+"pods?dryRun=All", c.about)
			if want := "exceeded quota: q, requested: pods=1, used: pods=0, limited: pods=0"; !strings.HasSuffix(a.Message(), want) {
				t.Errorf("the pod that the quota is about is answered %q, want %q", a.Message(), want)
			}
			if a := s.Do("POST", namespace+"pods?dryRun=All", c.another); a.Code != http.StatusCreated {
				t.Errorf("the pod that the quota is not about is refused: %s", a.Message())
			}
		})
	}
}

func service(name, spec string) string {
	return `{"metadata":{"name":"` + name + `"},"spec":{"ports":[{"name":"a","port":80},{"name":"b","port":81}],` + spec + `}}`
}

func TestServicesAreCountedByTheirType(t *testing.T) {
	s := start(t, quota{name: "q", hard: `"services":"9","services.nodeports":"2","services.loadbalancers":"1"`,
		used: `"services":"0","services.nodeports":"0","services.loadbalancers":"0"`})
	s.Create(namespace+"services", service("plain", `"type":"ClusterIP"`))
	s.Create(namespace+"services", service("balanced", `"type":"LoadBalancer","allocateLoadBalancerNodePorts":false`))
	if a := s.Do("PATCH", namespace+"services/plain", `{"spec":{"type":"NodePort"}}`); a.Code != http.StatusOK {
		t.Errorf("a service cannot become one with ports, of which there are enough: %s", a.Message())
	}
	for body, want := range map[string]string{
		service("x", `"type":"NodePort"`):     `services "x" is forbidden: exceeded quota: q, requested: services.nodeports=2, used: services.nodeports=2, limited: services.nodeports=2`,
		service("x", `"type":"LoadBalancer"`): `services "x" is forbidden: exceeded quota: q, requested: services.loadbalancers=1,services.nodeports=2, used: services.loadbalancers=1,services.nodeports=2, limited: services.loadbalancers=1,services.nodeports=2`,
	} {
		if a := s.Do("POST", namespace+"services", body); a.Message() != want {
			t.Errorf("the service is answered\n\t%q\nwant\n\t%q", a.Message(), want)
		}
	}
}

func TestClaimsAreCountedByTheirSizeAndClass(t *testing.T) {
	s := start(t, quota{name: "q", hard: `"persistentvolumeclaims":"5","requests.storage":"10Gi","gold.storageclass.storage.k8s.io/requests.storage":"1Gi"`,
		used: `"persistentvolumeclaims":"0","requests.storage":"8Gi","gold.storageclass.storage.k8s.io/requests.storage":"0"`})
	claim := func(size, class string) string {
		return `{"metadata":{"name":"c"},"spec":{"accessModes":["ReadWriteOnce"],"storageClassName":"` + class + `","resources":{"requests":{"storage":"` + size + `"}}}}`
	}
	for body, want := range map[string]string{
		claim("3Gi", "lead"): `persistentvolumeclaims "c" is forbidden: exceeded quota: q, requested: requests.storage=3Gi, used: requests.storage=8Gi, limited: requests.storage=10Gi`,
		claim("2Gi", "gold"): `persistentvolumeclaims "c" is forbidden: exceeded quota: q, requested: gold.storageclass.storage.k8s.io/requests.storage=2Gi, used: gold.storageclass.storage.k8s.io/requests.storage=0, limited: gold.storageclass.storage.k8s.io/requests.storage=1Gi`,
		claim("2Gi", "lead"): ``,
	} {
		if a := s.Do("POST", namespace+"persistentvolumeclaims?dryRun=All", body); a.Message() != want {
			t.Errorf("the claim is answered\n\t%q\nwant\n\t%q", a.Message(), want)
		}
	}
}

func TestWhatIsLimitedByTheFileNeedsAQuota(t *testing.T) {
	file := filepath.Join(t.TempDir(), "admission.yaml")
	text := "apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\nplugins:\n- name: ResourceQuota\n  configuration:\n" +
		"    apiVersion: apiserver.config.k8s.io/v1\n    kind: ResourceQuotaConfiguration\n    limitedResources:\n" +
		"    - {resource: persistentvolumeclaims, matchContains: [gold.storageclass]}\n" +
		"    - {resource: pods, matchScopes: [{scopeName: PriorityClass, operator: In, values: [gold]}]}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s := plugintest.Start(t, "--admission-control=ResourceQuota", "--admission-control-config-file="+file)
	for body, want := range map[string]string{
		pod("p", `,"priorityClassName":"gold"`, anything): `pods "p" is forbidden: insufficient quota to match these scopes: [PriorityClass]`,
		pod("p", `,"priorityClassName":"lead"`, anything): ``,
	} {
		if a := s.Do("POST", namespace+"pods?dryRun=All", body); a.Message() != want {
			t.Errorf("the pod is answered %q, want %q", a.Message(), want)
		}
	}
	const want = `persistentvolumeclaims "c" is forbidden: insufficient quota to consume: gold.storageclass.storage.k8s.io/persistentvolumeclaims,gold.storageclass.storage.k8s.io/requests.storage`
	a := s.Do("POST", namespace+"persistentvolumeclaims", `{"metadata":{"name":"c"},"spec":{"accessModes":["ReadWriteOnce"],"storageClassName":"gold","resources":{"requests":{"storage":"1Gi"}}}}`)
	if a.Message() != want {
		t.Errorf("the claim is answered %q, want %q", a.Message(), want)
	}
}
