package app_test

import (
	"slices"
	"strings"
	"testing"

	"example.com/kube-apiserver/stage2-options/admission"
	stage2 "example.com/kube-apiserver/stage2-options/app"
	stage3 "example.com/kube-apiserver/stage3-storage/plugins"
	"example.com/kube-apiserver/stage4-informers/plugins"
	"example.com/kube-apiserver/stage4-informers/plugins/plugintest"
	"github.com/google/go-cmp/cmp"
)

func TestEveryPluginHasANameAndAPlaceOfUpstream(t *testing.T) {
	var known admission.Plugins
	for _, register := range []func(*admission.Plugins) error{stage2.RegisterAllAdmissionPlugins, stage3.Register, plugins.Register} {
		if err := register(&known); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range known.Registered() {
		if strings.HasPrefix(name, "Example") {
			continue
		}
		if !slices.Contains(known.Known, name) {
			t.Errorf("%s is no plugin of upstream, and has no place before the one that counts", name)
		}
	}
}

func TestTheCommandLineSaysHowLongPodsStayOnALostNode(t *testing.T) {
	s := plugintest.Start(t, "--admission-control=DefaultTolerationSeconds", "--default-not-ready-toleration-seconds=7", "--default-unreachable-toleration-seconds=8")
	a := s.Create("namespaces/default/pods", `{"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"}]}}`)
	var got []any
	for _, v := range a.Object["spec"].(map[string]any)["tolerations"].([]any) {
		got = append(got, v.(map[string]any)["tolerationSeconds"])
	}
	if diff := cmp.Diff([]any{7.0, 8.0}, got); diff != "" {
		t.Errorf("the pod stays for other times (-want +got):\n%s", diff)
	}
}
