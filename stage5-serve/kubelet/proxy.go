package kubelet

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httputil"
	"net/url"
	"path"
	"strings"
	"time"

	"example.com/kube-apiserver/stage1-main/process/drain"
	"example.com/kube-apiserver/stage3-storage/kinds/subresources"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/wire/connect"
)

// upgrade carries a connection that changes its protocol. Into which one, SPDY
// or one of those over WebSocket, is between the client and the kubelet: who
// asks a kubelet for one that it does not speak is told so by the kubelet, and
// asks for another.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/registry/generic/rest/proxy.go tryUpgrade
// Now: staging/src/k8s.io/apimachinery/pkg/util/proxy/upgradeaware.go tryUpgrade
func upgrade(to subresources.Target, through *http.Transport) connect.Connection {
	return func(w http.ResponseWriter, req *http.Request) error {
		if !wantsUpgrade(req) {
			return status.BadRequest("Upgrade request required")
		}
		return carry(w, req, to.URL, reach{patient{through, through.TLSHandshakeTimeout}, noBackend}, nil)
	}
}

// wantsUpgrade says whether a request asks for another protocol.
func wantsUpgrade(req *http.Request) bool {
	return strings.Contains(strings.ToLower(strings.Join(req.Header["Connection"], ",")), "upgrade")
}

// forward carries any request. How long the answer takes is the client's affair.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/registry/generic/rest/proxy.go ServeHTTP
// Now: staging/src/k8s.io/apimachinery/pkg/util/proxy/upgradeaware.go ServeHTTP
func forward(to subresources.Target, through *http.Transport) connect.Connection {
	return func(w http.ResponseWriter, req *http.Request) error {
		target := *to.URL
		target.RawQuery = req.URL.RawQuery
		if wantsUpgrade(req) {
			return carry(w, req, &target, reach{patient{through, patience}, noBackend}, nil)
		}
		if target.Path == "" && (req.Method == http.MethodGet || req.Method == http.MethodHead) {
			here := url.URL{Path: req.URL.Path + "/", RawQuery: req.URL.RawQuery}
			w.Header().Set("Location", here.String()) // relative links are right only below a slash
			w.WriteHeader(http.StatusMovedPermanently)
			return nil
		}
		return carry(w, req, &target, reach{through, noService}, func(resp *http.Response) error {
			for _, name := range []string{"Credentials", "Headers", "Methods", "Origin"} {
				resp.Header.Del("Access-Control-Allow-" + name) // who may call from elsewhere is our affair
			}
			return relink(resp, linker{prefix: strings.TrimSuffix(req.URL.Path, target.Path), target: target.Host, here: req.Host})
		})
	}
}

// reach words what keeps a request from its target.
type reach struct {
	http.RoundTripper
	failed func(error) error
}

// RoundTrip is part of http.RoundTripper.
func (r reach) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := r.RoundTripper.RoundTrip(req)
	if err != nil {
		return nil, r.failed(err)
	}
	return resp, nil
}

func noBackend(err error) error { return fmt.Errorf("error dialing backend: %w", err) }

func noService(err error) error {
	return status.New(http.StatusServiceUnavailable, "ServiceUnavailable", fmt.Sprintf("error trying to reach service: %v", err), nil)
}

// carry passes a request on and its answer back. Its error is one that the
// client has not heard of.
func carry(w http.ResponseWriter, req *http.Request, target *url.URL, through http.RoundTripper, modify func(*http.Response) error) (err error) {
	ctx, done := drain.UntilEnding(req.Context())
	defer done()
	p := &pair{linger: linger}
	defer p.stop()
	proxy := &httputil.ReverseProxy{
		Transport: through,
		Rewrite:   func(r *httputil.ProxyRequest) { address(r, target) },
		ModifyResponse: func(resp *http.Response) error {
			switch {
			case resp.StatusCode == http.StatusSwitchingProtocols:
				return p.add(resp)
			case modify != nil:
				return modify(resp)
			case resp.StatusCode < http.StatusBadRequest:
				return fmt.Errorf("invalid upgrade response: status code %d", resp.StatusCode)
			}
			return nil
		},
		ErrorHandler: func(_ http.ResponseWriter, _ *http.Request, why error) {
			if !p.taken() {
				err = why
			}
		},
		ErrorLog: log.New(io.Discard, "", 0), // the client sees what breaks off
	}
	proxy.ServeHTTP(&taker{w, p}, req.WithContext(ctx))
	return err
}

// address makes a request of the client's one to the target. The credentials
// are gone already; the rest of the client's headers goes along.
func address(r *httputil.ProxyRequest, target *url.URL) {
	r.Out.URL, r.Out.Host = target, r.In.Host
	r.Out.Header["X-Forwarded-For"] = r.In.Header["X-Forwarded-For"]
	r.SetXForwarded()
	uri := path.Join(strings.TrimSuffix(r.In.URL.Path, target.Path), target.EscapedPath())
	if strings.HasSuffix(target.Path, "/") {
		uri += "/"
	}
	r.Out.Header.Set("X-Forwarded-Uri", uri)
}

// linger is how long the second half of a connection may be silent when the
// first has ended.
const linger = 30 * time.Second
