package kubelet

import (
	"net/http"
	"net/url"
	"path"
	"strings"

	"example.com/kube-apiserver/stage3-storage/object/status"
)

// linker knows how a link that a target has written leads here again.
type linker struct {
	prefix       string // what stands before the target's own paths
	target, here string // the target's host, and ours as the client calls it
}

// relink makes a redirect lead to the proxy again. The redirect itself is the
// client's to follow, with its own credentials.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/util/proxy/transport.go RoundTrip
// Now: staging/src/k8s.io/apimachinery/pkg/util/proxy/transport.go RoundTrip
func relink(resp *http.Response, l linker) error {
	location := resp.Header.Get("Location")
	if location == "" {
		return nil
	}
	to, err := url.Parse(location)
	if err != nil {
		return status.Internal(err)
	}
	resp.Header.Set("Location", l.rewrite(to))
	return nil
}

// rewrite leaves a relative link as it is, and one that leads elsewhere.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/util/proxy/transport.go rewriteURL
// Now: staging/src/k8s.io/apimachinery/pkg/util/proxy/transport.go rewriteURL
func (l linker) rewrite(to *url.URL) string {
	if to.Host != "" && to.Host != l.target && to.Host != l.here || !strings.HasPrefix(to.Path, "/") {
		return to.String()
	}
	slash := strings.HasSuffix(to.Path, "/")
	to.Scheme, to.Host, to.RawPath = "", "", ""
	if !strings.HasPrefix(to.Path, l.prefix) {
		if to.Path = path.Join(l.prefix, to.Path); slash {
			to.Path += "/"
		}
	}
	return to.String()
}
