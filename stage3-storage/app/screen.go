package app

import (
	"context"

	"example.com/kube-apiserver/stage2-options/options"
	"example.com/kube-apiserver/stage3-storage/wire/documents"
)

// firstScreen prints where the server is and what to try.
func firstScreen(s *options.ServerRunOptions, url string) func(context.Context) error {
	return func(context.Context) error {
		kubeconfig, err := documents.WriteKubeconfig(s, url)
		s.Startup.Print(
			"serving "+url+"    data kept in "+s.Etcd.BBoltFile+" (FRESH=1 starts empty)    Ctrl-C stops",
			"  second terminal:  "+documents.Export(kubeconfig),
			"                    kubectl create configmap hello --from-literal=k=v && kubectl get configmap hello -o yaml",
			"  no kubectl:       curl -s "+url+"/api/v1/namespaces/default/configmaps",
			"  then Ctrl-C and make stage3 again: hello is still there.    not here yet: watch (4), TLS (5)",
		)
		return err
	}
}
