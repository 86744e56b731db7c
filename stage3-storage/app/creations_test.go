package app_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
)

// collections are where the kinds of the core group are created.
var collections = []string{
	inDefault, "/api/v1/namespaces", "/api/v1/nodes", "/api/v1/persistentvolumes",
	"/api/v1/namespaces/default/configmaps", "/api/v1/namespaces/default/endpoints", "/api/v1/namespaces/default/events",
	"/api/v1/namespaces/default/limitranges", "/api/v1/namespaces/default/persistentvolumeclaims", "/api/v1/namespaces/default/pods",
	"/api/v1/namespaces/default/podtemplates", "/api/v1/namespaces/default/replicationcontrollers", "/api/v1/namespaces/default/resourcequotas",
	"/api/v1/namespaces/default/secrets", "/api/v1/namespaces/default/serviceaccounts",
}

// seeds are beginnings for a fuzzer: something right of every kind, and some
// of what people and programs get wrong.
var seeds = []string{
	`{"metadata":{"name":"a"},"spec":{"type":"LoadBalancer","selector":{"a":"b"},"ports":[{"name":"x","port":80,"nodePort":30080,"targetPort":"http","appProtocol":"http"}],"clusterIPs":["10.0.0.9"],"ipFamilies":["IPv4"],"externalIPs":["192.0.2.1"],"sessionAffinity":"ClientIP","sessionAffinityConfig":{"clientIP":{"timeoutSeconds":5}},"healthCheckNodePort":30081,"externalTrafficPolicy":"Local"}}`,
	`{"metadata":{"name":"a","labels":{"a":"b"},"finalizers":["a.example/b"],"ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"p","uid":"u"}]},"spec":{"finalizers":["kubernetes"]}}`,
	`{"metadata":{"name":"a"},"spec":{"podCIDR":"10.0.0.0/24","taints":[{"key":"a","effect":"NoSchedule","timeAdded":"2020-01-01T00:00:00Z"}]},"status":{"capacity":{"cpu":"4","memory":"1Gi"},"declaredFeatures":["A"],"addresses":[{"type":"InternalIP","address":"192.0.2.1"}]}}`,
	`{"metadata":{"name":"a"},"spec":{"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"],"csi":{"driver":"d","volumeHandle":"h"},"claimRef":{"namespace":"default","name":"c"},"nodeAffinity":{"required":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"a","operator":"In","values":["b"]}]}]}}}}`,
	`{"metadata":{"name":"a"},"immutable":true,"data":{"a":"b"},"binaryData":{"c":"eA=="},"stringData":{"d":"e"},"type":"kubernetes.io/tls"}`,
	`{"metadata":{"name":"a"},"subsets":[{"addresses":[{"ip":"192.0.2.1","nodeName":"n","targetRef":{"kind":"Pod","name":"p"}}],"ports":[{"port":80,"name":"x"}]}]}`,
	`{"metadata":{"name":"a"},"involvedObject":{"kind":"Pod","namespace":"default","name":"p"},"reason":"r","action":"a","eventTime":"2020-01-01T00:00:00.000000Z","reportingController":"c/d","reportingInstance":"i","series":{"count":2,"lastObservedTime":"2020-01-01T00:00:00.000000Z"},"type":"Normal"}`,
	`{"metadata":{"name":"a"},"spec":{"limits":[{"type":"Container","max":{"cpu":"2"},"min":{"cpu":"100m"},"default":{"cpu":"1"},"maxLimitRequestRatio":{"cpu":"4"}}]}}`,
	`{"metadata":{"name":"a"},"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}},"dataSourceRef":{"apiGroup":"a.b","kind":"C","name":"d"},"selector":{"matchExpressions":[{"key":"a","operator":"Exists"}]}}}`,
	`{"metadata":{"generateName":"a-","annotations":{"scheduler.alpha.kubernetes.io/tolerations":"[{}]"}},"spec":{"containers":[{"name":"c","image":"a:1","env":[{"name":"A","valueFrom":{"fieldRef":{"fieldPath":"metadata.name"}}}],"ports":[{"containerPort":80,"hostPort":80}],"volumeMounts":[{"name":"v","mountPath":"/a","subPathExpr":"$(A)"}],"resources":{"limits":{"cpu":"1","hugepages-2Mi":"2Mi"},"claims":[{"name":"r"}]},"livenessProbe":{"grpc":{"port":1}},"lifecycle":{"preStop":{"sleep":{"seconds":1}}},"resizePolicy":[{"resourceName":"cpu","restartPolicy":"NotRequired"}]}],"initContainers":[{"name":"i","image":"b","restartPolicy":"Always"}],"volumes":[{"name":"v","projected":{"sources":[{"serviceAccountToken":{"path":"t"}},{"configMap":{"name":"m","items":[{"key":"k","path":"p"}]}}]}}],"affinity":{"podAntiAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":1,"podAffinityTerm":{"topologyKey":"a","labelSelector":{},"matchLabelKeys":["b"]}}]}},"topologySpreadConstraints":[{"maxSkew":1,"topologyKey":"a","whenUnsatisfiable":"DoNotSchedule"}],"securityContext":{"sysctls":[{"name":"a.b","value":"1"}],"seccompProfile":{"type":"Localhost","localhostProfile":"p"}},"schedulingGates":[{"name":"a.b/c"}],"overhead":{"cpu":"1"}}}`,
	`{"metadata":{"name":"a"},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"os":{"name":"windows"},"containers":[{"name":"c","image":"a"}]}}}`,
	`{"metadata":{"name":"a"},"spec":{"replicas":2,"selector":{"a":"b"},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"a"}]}}}}`,
	`{"metadata":{"name":"a"},"spec":{"hard":{"pods":"1","requests.cpu":"2","count/services":"3"},"scopeSelector":{"matchExpressions":[{"scopeName":"PriorityClass","operator":"In","values":["a"]}]}}}`,
	`{"metadata":{"name":"a"},"type":"kubernetes.io/dockerconfigjson","data":{".dockerconfigjson":"e30="}}`,
	`{"metadata":{"name":"a"},"secrets":[{"name":"a"}],"imagePullSecrets":[{"name":"b"}],"automountServiceAccountToken":false}`,
	``, `null`, `[]`, `7`, `"x"`, `{`, `{"metadata":null}`, `{"metadata":[]}`, `{"metadata":{"name":7}}`, `{"kind":"List","items":[]}`, `{"apiVersion":"v2","kind":"Pod"}`,
	`{"metadata":{"name":"a"},"spec":null,"status":null}`, `{"metadata":{"name":"a"},"spec":[],"data":7,"template":"x","subsets":{}}`,
	`{"metadata":{"name":"a"},"spec":{"ports":[null],"containers":[null],"limits":[null],"volumes":[{"name":"v"},null],"template":{"spec":null},"clusterIPs":[null],"taints":[null]}}`,
	`{"metadata":{"name":"a"},"spec":{"replicas":1e400,"ports":[{"port":1e3}],"hard":{"pods":"1e999999999"},"capacity":{"storage":"99999999999999999999999Ei"}}}`,
	"{\"metadata\":{\"name\":\"a\\u0000\",\"labels\":{\"\xff\":\"\\ud800\"}}}", `{"metadata":{"name":"a","name":"b","Name":"c"},"spec":{"Containers":[]}}`,
	`{"metadata":{"creationTimestamp":"yesterday","generateName":"A B","namespace":"other","resourceVersion":"7","deletionTimestamp":"2020-01-01T00:00:00Z","managedFields":[{"operation":"Apply"}]}}`,
}

// FuzzCreations: whatever is sent to be created as whatever kind, the answer
// is the object or a Status that says what is wrong with it.
func FuzzCreations(f *testing.F) {
	for i, s := range seeds {
		f.Add(uint8(i), i%2 == 0, []byte(s))
		if i >= len(collections) { // all kinds get what is wrong
			for k := range collections {
				f.Add(uint8(k), true, []byte(s))
			}
		}
	}
	url, _, stop := run(f, f.TempDir())
	f.Cleanup(stop)
	f.Fuzz(func(t *testing.T, kind uint8, trial bool, body []byte) {
		at := url + collections[int(kind)%len(collections)]
		query := ""
		if trial {
			query = "?dryRun=All&fieldValidation=Strict"
		}
		code, name := create(t, at+query, body)
		if code == http.StatusCreated && !trial {
			if _, err := send("DELETE", at+"/"+name+"?gracePeriodSeconds=0", "", new(any)); err != nil {
				t.Errorf("what was created of %q cannot be deleted: %v", body, err)
			}
		}
	})
}

// create sends a body and checks the shape of the answer.
func create(t *testing.T, url string, body []byte) (code int, name string) {
	t.Helper()
	res, err := http.Post(url, "application/json", strings.NewReader(string(body)))
	if err != nil {
		t.Fatalf("no answer to %q: %v", body, err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatalf("no whole answer to %q: %v", body, err)
	}
	var answer struct {
		Kind     string
		Code     int
		Metadata struct{ Name string }
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		t.Fatalf("the answer to %q is no JSON: %v\n%s", body, err, text)
	}
	refused := answer.Kind == "Status" && answer.Code == res.StatusCode && res.StatusCode >= 400 && res.StatusCode < 500
	if !refused && (res.StatusCode != http.StatusCreated || answer.Metadata.Name == "") {
		t.Errorf("%q at %s: the answer is neither the object nor a refusal: %d %s", body, url, res.StatusCode, text)
	}
	return res.StatusCode, answer.Metadata.Name
}
