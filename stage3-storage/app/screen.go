package app

// tries are what the first screen proposes.
var tries = []string{
	"  second terminal:  EXPORT",
	"                    kubectl create configmap hello --from-literal=k=v && kubectl get configmap hello -o yaml",
	"  no kubectl:       curl -s URL/api/v1/namespaces/default/configmaps",
	"  then Ctrl-C and make stage3 again: hello is still there.    not here yet: watch (4), TLS (5)",
}
