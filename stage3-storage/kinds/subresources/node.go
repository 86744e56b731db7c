package subresources

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"strings"

	"example.com/kube-apiserver/stage3-storage/admission"
	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/registry/request"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
)

// Kubelet says how kubelets are reached where their nodes do not say it.
//
// Upstream: pkg/kubelet/client/kubelet_client.go KubeletClientConfig
type Kubelet struct {
	Port                  uint
	HTTPS                 bool
	PreferredAddressTypes []string // Hostname, InternalIP, …: the first that a node has is taken
}

// DefaultKubelet is 1.7's default; stage 5 has flags for it.
func DefaultKubelet() Kubelet {
	return Kubelet{Port: 10250, HTTPS: true, PreferredAddressTypes: []string{"Hostname", "InternalDNS", "InternalIP", "ExternalDNS", "ExternalIP"}}
}

// connecter is what all connecters have in common.
type connecter struct {
	pods, nodes *registry.Store
	kubelet     Kubelet
	transport   Transport
	permit      func(ctx context.Context, verb string) error
}

// kubeletOf is where the kubelet of a node listens.
//
// Upstream: pkg/kubelet/client/kubelet_client.go GetConnectionInfo
func (c connecter) kubeletOf(ctx context.Context, node string) (scheme, host, port string, err error) {
	obj, err := get(ctx, c.nodes, rest.Key{Name: node})
	if err != nil {
		return "", "", "", err
	}
	scheme, listens := "http", int64(c.kubelet.Port)
	if c.kubelet.HTTPS {
		scheme = "https"
	}
	if own := rules.Int(obj.Fields, "status", "daemonEndpoints", "kubeletEndpoint", "Port"); own > 0 {
		listens = own
	}
	host, err = c.kubelet.address(obj)
	return scheme, host, strconv.FormatInt(listens, 10), err
}

// address is the address of a node that is liked best.
//
// Upstream: pkg/util/node/node.go GetPreferredNodeAddress
func (k Kubelet) address(node *object.Object) (string, error) {
	var all []string
	for _, kind := range k.PreferredAddressTypes {
		for _, a := range rules.Items(node.Fields, "status", "addresses") {
			if rules.Text(a, "type") == kind {
				return rules.Text(a, "address"), nil
			}
		}
	}
	for _, a := range rules.Items(node.Fields, "status", "addresses") {
		all = append(all, fmt.Sprintf("{%s %s}", rules.Text(a, "type"), rules.Text(a, "address")))
	}
	return "", fmt.Errorf("no preferred addresses found; known addresses: [%s]", strings.Join(all, " "))
}

// onNode is where the kubelet of the pod's node listens. A node that is not
// there is reported as a pod of that name, as upstream does.
func (c connecter) onNode(ctx context.Context, node string) (scheme, host string, err error) {
	scheme, name, port, err := c.kubeletOf(ctx, node)
	if status.Is(err, "NotFound") {
		err = status.NotFound(status.Resource{Name: "pods"}, node)
	}
	return scheme, net.JoinHostPort(name, port), err
}

// admit asks the admission plugins whether a connection may be made.
func (c connecter) admit(ctx context.Context, of *registry.Store, subresource, kind string, key rest.Key) error {
	attrs := &admission.Attributes{
		Operation: rest.Connect, Resource: of.Resource(), Subresource: subresource, Kind: kind, Key: key, User: request.UserFrom(ctx),
	}
	if err := of.Admission.Admit(ctx, attrs); err != nil {
		return err
	}
	return of.Admission.Validate(ctx, attrs)
}

func get(ctx context.Context, from *registry.Store, key rest.Key) (*object.Object, error) {
	e, err := from.Get(ctx, key, rest.GetOptions{})
	if err != nil {
		return nil, err
	}
	return e.Object()
}
