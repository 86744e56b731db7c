package app

// tries are what the first screen proposes.
var tries = []string{
	"  second terminal:  EXPORT",
	"                    kubectl get configmaps --watch",
	"  third terminal:   EXPORT",
	"                    kubectl create configmap hello --from-literal=k=v && kubectl delete configmap hello",
	"  not here yet: TLS, users and permissions (5)",
}
