package clienttest

import (
	"testing"

	"example.com/kube-apiserver/stage5-serve/testserver"
	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// What "How to …" and the package's documentation promise to those who write
// tests; this module finds the server as theirs do, by replace lines.
func TestClientGoUsesATestServer(t *testing.T) {
	t.Parallel()
	s := testserver.Start(t, testserver.Options{})
	shared, err := kubernetes.NewForConfigAndClient(&rest.Config{Host: s.URL}, s.Client)
	if err != nil {
		t.Fatal(err)
	}
	pod := &core.Pod{ObjectMeta: meta.ObjectMeta{Name: "p"}, Spec: core.PodSpec{Containers: []core.Container{{Name: "c", Image: "i"}}}}
	if _, err := shared.CoreV1().Pods("default").Create(t.Context(), pod, meta.CreateOptions{}); err != nil {
		t.Errorf("a server is ready when Start returns, also for pods, got %v", err)
	}
	config, err := clientcmd.BuildConfigFromFlags("", s.Kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	own, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := own.CoreV1().Pods("default").Get(t.Context(), "p", meta.GetOptions{}); err != nil {
		t.Errorf("the kubeconfig leads to the same server, got %v", err)
	}
}
