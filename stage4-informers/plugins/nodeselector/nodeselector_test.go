package nodeselector_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	optionsadmission "example.com/kube-apiserver/stage2-options/admission"
	"example.com/kube-apiserver/stage4-informers/plugins/nodeselector"
	"example.com/kube-apiserver/stage4-informers/plugins/plugintest"
	"github.com/google/go-cmp/cmp"
)

func TestPodsSelectTheNodesOfTheirNamespace(t *testing.T) {
	file := filepath.Join(t.TempDir(), "admission.yaml")
	text := "apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\nplugins:\n- name: PodNodeSelector\n  configuration:\n" +
		"    podNodeSelectorPluginConfig: {clusterDefaultNodeSelector: 'pool=all', default: 'pool=all,disk=fast'}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s := plugintest.Start(t, "--admission-control=PodNodeSelector", "--admission-control-config-file="+file)
	s.Create("namespaces", `{"metadata":{"name":"own","annotations":{"scheduler.alpha.kubernetes.io/node-selector":"pool=own, zone=a"}}}`)
	for claim, c := range map[string]struct {
		namespace, selector, why string
		want                     map[string]any
	}{
		"what holds everywhere":           {"default", `{}`, "", map[string]any{"pool": "all"}},
		"what the namespace says":         {"own", `{"disk":"slow"}`, "", map[string]any{"pool": "own", "zone": "a", "disk": "slow"}},
		"a pod that wants away":           {"own", `{"pool":"all"}`, "pod node label selector conflicts with its namespace node label selector", nil},
		"a label that is on the list":     {"default", `{"disk":"fast"}`, "", map[string]any{"pool": "all", "disk": "fast"}},
		"a label that is not on the list": {"default", `{"zone":"a"}`, "pod node label selector labels conflict with its namespace whitelist", nil},
	} {
		a := s.Do("POST", "namespaces/"+c.namespace+"/pods?dryRun=All", `{"metadata":{"name":"p"},"spec":{"nodeSelector":`+c.selector+`,"containers":[{"name":"c","image":"i"}]}}`)
		if got := strings.TrimPrefix(a.Message(), `pods "p" is forbidden: `); got != c.why {
			t.Errorf("%s: the pod is answered %q, want %q", claim, got, c.why)
			continue
		}
		if c.why == "" {
			if diff := cmp.Diff(any(c.want), a.Object["spec"].(map[string]any)["nodeSelector"]); diff != "" {
				t.Errorf("%s: the pod selects something else (-want +got):\n%s", claim, diff)
			}
		}
	}
}

func TestAWrongSelectorIsAnError(t *testing.T) {
	for config, want := range map[string]string{
		`{"podNodeSelectorPluginConfig":{"a":"pool"}}`: `selector of a: "pool": want terms such as key=value`,
		`{"podNodeSelector":{}}`:                       `unknown field "podNodeSelector"`,
	} {
		var registry optionsadmission.Plugins
		if err := registry.Register(nodeselector.Name, nodeselector.New); err != nil {
			t.Fatal(err)
		}
		_, err := registry.NewFromPlugins([]string{nodeselector.Name}, optionsadmission.Configuration{nodeselector.Name: []byte(config)})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the configuration %s gives %v, want an error with %q", config, err, want)
		}
	}
}
