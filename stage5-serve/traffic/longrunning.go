package traffic

import (
	"net/http"
	"slices"
	"strings"

	"example.com/kube-apiserver/stage3-storage/registry/request"
)

// LongRunning says whether a request may go on for ever by its nature: it is
// neither counted against the limits nor cut off.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/filters/longrunning.go BasicLongRunningRequestCheck
func LongRunning(req *http.Request) bool {
	info := request.InfoFrom(req.Context())
	if !info.IsResource {
		return strings.HasPrefix(info.Path, "/debug/pprof/")
	}
	return slices.Contains([]string{"watch", "proxy"}, info.Verb) ||
		slices.Contains([]string{"attach", "exec", "proxy", "log", "portforward"}, info.Subresource)
}
