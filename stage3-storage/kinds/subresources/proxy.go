package subresources

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage3-storage/wire/connect"
)

// ProxyREST passes requests on to a pod, a service or a node. A client names it
// as NAME, NAME:PORT or SCHEME:NAME:PORT.
//
// Upstream: pkg/registry/core/pod/rest/subresources.go ProxyREST
type ProxyREST struct {
	connecter
	of     *registry.Store
	kind   string
	locate func(ctx context.Context, at address) (Target, error)
}

// address is what a client calls the target of a proxy.
type address struct {
	id                 string // as the client wrote it
	scheme, name, port string
	namespace          string
}

// Kind is part of rest.Storage.
func (r *ProxyREST) Kind() (apiVersion, kind string) { return "v1", r.kind }

// Resource is part of rest.Storage.
func (r *ProxyREST) Resource() catalog.Resource { return r.of.Resource() }

// ConnectMethods is part of connect.Connecter.
func (r *ProxyREST) ConnectMethods() []string {
	return []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodHead, http.MethodOptions}
}

// IncludePath is part of connect.Connecter.
func (r *ProxyREST) IncludePath() bool { return true }

// Connect is part of connect.Connecter.
func (r *ProxyREST) Connect(ctx context.Context, key rest.Key, opts connect.Options) (connect.Connection, error) {
	if err := r.admit(ctx, r.of, "proxy", r.kind, key); err != nil {
		return nil, err
	}
	at, ok := parseAddress(key)
	if !ok {
		return nil, status.BadRequest("invalid %s request %q", r.of.Resource().Singular, key.Name)
	}
	to, err := r.locate(ctx, at)
	if err != nil {
		return nil, err
	}
	to.Way = Forward
	to.URL.Path = opts.Path
	if to.URL.Scheme == "" {
		to.URL.Scheme = "http"
	}
	return r.carry(to)
}

// parseAddress takes the name in a path apart.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/util/net/port_split.go SplitSchemeNamePort
func parseAddress(key rest.Key) (at address, ok bool) {
	at = address{id: key.Name, namespace: key.Namespace}
	switch parts := strings.Split(key.Name, ":"); len(parts) {
	case 1:
		at.name = parts[0]
	case 2:
		at.name, at.port = parts[0], parts[1]
	case 3:
		at.scheme, at.name, at.port = parts[0], parts[1], parts[2]
	default:
		return at, false
	}
	return at, at.name != "" && slices.Contains([]string{"", "http", "https"}, at.scheme)
}

// newPodProxy leads to the address of a pod; without a port, to the first that
// a container declares.
//
// Upstream: pkg/registry/core/pod/strategy.go ResourceLocation
func newPodProxy(c connecter) *ProxyREST {
	return &ProxyREST{c, c.pods, "PodProxyOptions", func(ctx context.Context, at address) (Target, error) {
		pod, err := get(ctx, c.pods, rest.Key{Namespace: at.namespace, Name: at.name})
		if err != nil {
			return Target{}, err
		}
		if at.port == "" {
			at.port = firstPort(pod)
		}
		ip := firstAddress(pod)
		if !proxyable(ip) {
			return Target{}, notAllowed()
		}
		return Target{URL: &url.URL{Scheme: at.scheme, Host: join(ip, at.port)}}, nil
	}}
}

func firstPort(pod *object.Object) string {
	for _, c := range rules.Items(pod.Fields, "spec", "containers") {
		for _, p := range rules.Items(c, "ports") {
			return strconv.FormatInt(rules.Int(p, "containerPort"), 10)
		}
	}
	return ""
}

func firstAddress(pod *object.Object) string {
	for _, ip := range rules.Items(pod.Fields, "status", "podIPs") {
		return rules.Text(ip, "ip")
	}
	return ""
}

// join is host:port, or the host alone.
func join(host, port string) string {
	if port != "" {
		return net.JoinHostPort(host, port)
	}
	if strings.Contains(host, ":") {
		return "[" + host + "]"
	}
	return host
}

// proxyable says whether a proxy may lead to an address: whoever may write the
// status of a pod could otherwise reach what listens on this machine alone.
//
// Now: pkg/registry/core/node/strategy.go isProxyableHostname
func proxyable(ip string) bool {
	addr, err := netip.ParseAddr(ip)
	return err == nil && addr.Unmap().IsGlobalUnicast()
}

func notAllowed() error { return status.BadRequest("address not allowed") }

// newNodeProxy leads to the kubelet of a node or, with a port, to any other
// server on it.
//
// Upstream: pkg/registry/core/node/strategy.go ResourceLocation
func newNodeProxy(c connecter) *ProxyREST {
	return &ProxyREST{c, c.nodes, "NodeProxyOptions", func(ctx context.Context, at address) (Target, error) {
		scheme, host, port, err := c.kubeletOf(ctx, at.name)
		if err != nil {
			return Target{}, err
		}
		if at.port == "" || at.port == port {
			return Target{URL: &url.URL{Scheme: scheme, Host: net.JoinHostPort(host, port)}, Kubelet: true}, nil
		}
		if err := proxyableHost(ctx, host); err != nil {
			return Target{}, err
		}
		return Target{URL: &url.URL{Scheme: at.scheme, Host: net.JoinHostPort(host, at.port)}}, nil
	}}
}

// proxyableHost is proxyable for all addresses of a name.
func proxyableHost(ctx context.Context, host string) error {
	addrs, err := net.DefaultResolver.LookupIPAddr(ctx, host)
	if err != nil {
		return status.BadRequest("%v", err)
	}
	for _, a := range addrs {
		if !proxyable(a.IP.String()) {
			return notAllowed()
		}
	}
	return nil
}

// newServiceProxy leads to one of the addresses behind a service. A port is
// that of the service, by number or by name.
//
// Upstream: pkg/registry/core/service/rest.go ResourceLocation
func newServiceProxy(c connecter, services, endpoints *registry.Store) *ProxyREST {
	return &ProxyREST{c, services, "ServiceProxyOptions", func(ctx context.Context, at address) (Target, error) {
		key := rest.Key{Namespace: at.namespace, Name: at.name}
		nobody := unavailable("no endpoints available for service %q", at.name)
		port := at.port
		if n, err := strconv.ParseInt(at.port, 10, 64); err == nil {
			if port, err = portName(ctx, services, key, n); err != nil {
				return Target{}, err
			}
		}
		behind, err := get(ctx, endpoints, key)
		if status.Is(err, "NotFound") {
			return Target{}, nobody
		}
		if err != nil {
			return Target{}, err
		}
		hosts := c.hosts(ctx, at.namespace, behind, port)
		if len(hosts) == 0 {
			return Target{}, nobody
		}
		return Target{URL: &url.URL{Scheme: at.scheme, Host: hosts[rand.IntN(len(hosts))]}}, nil
	}}
}

// portName is the name of a service's port, by which its endpoints know it.
func portName(ctx context.Context, services *registry.Store, key rest.Key, number int64) (string, error) {
	service, err := get(ctx, services, key)
	if err != nil {
		return "", err
	}
	for _, p := range rules.Items(service.Fields, "spec", "ports") {
		if rules.Int(p, "port") == number {
			return rules.Text(p, "name"), nil
		}
	}
	return "", unavailable("no service port %d found for service %q", number, key.Name)
}

func unavailable(format string, args ...any) error {
	return status.New(http.StatusServiceUnavailable, "ServiceUnavailable", fmt.Sprintf(format, args...), nil)
}

// hosts are the addresses of a port that lead to what they say they lead to.
func (c connecter) hosts(ctx context.Context, namespace string, endpoints *object.Object, port string) (hosts []string) {
	for _, subset := range rules.Items(endpoints.Fields, "subsets") {
		for _, p := range rules.Items(subset, "ports") {
			if rules.Text(p, "name") != port {
				continue
			}
			for _, a := range rules.Items(subset, "addresses") {
				if c.confirmed(ctx, namespace, a) {
					hosts = append(hosts, net.JoinHostPort(rules.Text(a, "ip"), strconv.FormatInt(rules.Int(p, "port"), 10)))
				}
			}
		}
	}
	return hosts
}

// confirmed checks that an address which is said to be a pod's is one of that
// pod: whoever may write endpoints could otherwise reach anything.
//
// Now: pkg/registry/core/service/storage/storage.go isValidAddress
func (c connecter) confirmed(ctx context.Context, namespace string, a rules.Tree) bool {
	ref := rules.Map(a, "targetRef")
	if ref == nil {
		return proxyable(rules.Text(a, "ip"))
	}
	if rules.Text(ref, "namespace") != namespace {
		return false
	}
	pod, err := get(ctx, c.pods, rest.Key{Namespace: namespace, Name: rules.Text(ref, "name")})
	if err != nil {
		return false
	}
	for _, ip := range rules.Items(pod.Fields, "status", "podIPs") {
		if rules.Text(ip, "ip") == rules.Text(a, "ip") {
			return true
		}
	}
	return false
}
