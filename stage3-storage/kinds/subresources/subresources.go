package subresources

import (
	"context"
	"net/http"
	"net/url"

	"example.com/kube-apiserver/stage3-storage/master"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage3-storage/wire/builtin"
	"example.com/kube-apiserver/stage3-storage/wire/connect"
)

// Options are what the subresources have to know of the server.
type Options struct {
	Kubelet    Kubelet
	Transport  Transport // nil: connections are found, checked and refused
	Budgets    Budgets   // nil: there are no disruption budgets
	Components []Component
	// Permit, if set, says whether the user of a request could have made it with
	// another verb too. A connection into a pod is made by GET as well as by POST,
	// and those who may only get are not to get in.
	Permit func(ctx context.Context, verb string) error
}

// New is the table of all subresources of the core group.
func New(o Options) master.Subresources {
	return master.Subresources{
		Pods: func(pods, nodes *registry.Store) master.PodStorage {
			binding := &BindingREST{pods}
			to := connecter{pods: pods, nodes: nodes, kubelet: o.Kubelet, transport: o.Transport, permit: o.Permit}
			return master.PodStorage{
				Pod: pods, Status: pods.Status(), EphemeralContainers: pods.Sub("ephemeralcontainers"), Resize: pods.Sub("resize"),
				Binding: binding, LegacyBinding: &LegacyBindingREST{binding}, Eviction: &EvictionREST{pods, o.Budgets},
				Log: &LogREST{to}, Exec: stream{to, exec}, Attach: stream{to, attach}, PortForward: stream{to, portForward}, Proxy: newPodProxy(to),
			}
		},
		Scale: NewScale,
		ServiceProxy: func(services, endpoints, pods *registry.Store) rest.Storage {
			return newServiceProxy(connecter{pods: pods, transport: o.Transport}, services, endpoints)
		},
		NodeProxy: func(nodes *registry.Store) rest.Storage {
			return newNodeProxy(connecter{nodes: nodes, kubelet: o.Kubelet, transport: o.Transport})
		},
		Token:             func(accounts, _, _ *registry.Store) rest.Storage { return noToken{accounts} },
		ComponentStatuses: func() rest.Storage { return &ComponentStatusREST{o.Components} },
		NodeAddresses:     ExternalAddresses,
	}
}

// Transport is the seam through which a later stage supplies the pipe: it
// carries a connection to its target and back.
type Transport interface {
	Carry(to Target) connect.Connection
}

// Target is where a connection leads to.
type Target struct {
	URL       *url.URL
	Kubelet   bool // the server shows kubelets its client certificate
	Unchecked bool // whatever certificate the kubelet shows: the client has asked for that
	Way       Way
}

// Way is what a connection is used for.
type Way int

const (
	Read    Way = iota // GET the URL and pass on what comes, as it comes: logs
	Upgrade            // only a connection that changes its protocol: exec, attach, port-forward
	Forward            // any request: proxies. The answer's links are rewritten to lead here again
)

// carry hands a connection over, or says that this cannot be done yet.
func (c connecter) carry(to Target) (connect.Connection, error) {
	if c.transport == nil {
		return nil, status.New(http.StatusNotImplemented, "NotImplemented",
			"connections to "+to.URL.Host+" are not made yet: stage 5 brings them", nil)
	}
	return c.transport.Carry(to), nil
}

// done is the answer of a path that leaves no object.
func done() (*object.Encoded, error) {
	return object.FromWire([]byte(`{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success","code":201}`))
}

// known is what is known of the structure of a kind.
func known(apiVersion, kind string) registry.Schema {
	if s, ok := builtin.Kind(apiVersion, kind); ok {
		return s
	}
	return nil
}

// noToken keeps the place of the tokens of service accounts.
type noToken struct{ accounts *registry.Store }

func (noToken) Kind() (apiVersion, kind string) { return "authentication.k8s.io/v1", "TokenRequest" }
func (t noToken) Resource() catalog.Resource    { return t.accounts.Resource() }

// Create is part of rest.Creater.
func (t noToken) Create(ctx context.Context, key rest.Key, _ rest.Write) (*object.Encoded, error) {
	if _, err := t.accounts.Get(ctx, key, rest.GetOptions{}); err != nil {
		return nil, err
	}
	return nil, status.New(http.StatusNotImplemented, "NotImplemented", "tokens of service accounts are not here yet: stage 5 brings them", nil)
}
