package kubelet

import (
	"net/http"

	"example.com/kube-apiserver/stage3-storage/kinds/subresources"
	"example.com/kube-apiserver/stage3-storage/wire/connect"
	"example.com/kube-apiserver/stage5-serve/flags"
)

// Pipes carry connections to kubelets, and to what else listens on nodes, in
// pods and behind services.
//
// Upstream: pkg/kubelet/client/kubelet_client.go NodeConnectionInfoGetter
type Pipes struct {
	kubelets  *http.Transport // shows our certificate, and checks theirs if there is an authority for it
	unchecked *http.Transport // the same, and checks nothing
	others    *http.Transport
}

// New makes transports of the one that CreateNodeDialer has made: whether
// nodes are reached directly or through tunnels was decided there.
//
// Upstream: pkg/kubelet/client/kubelet_client.go MakeTransport
func New(o flags.KubeletOptions, proxyTransport *http.Transport) (*Pipes, error) {
	config, err := tlsConfig(o)
	if err != nil {
		return nil, err
	}
	unchecked := config.Clone()
	unchecked.InsecureSkipVerify, unchecked.RootCAs = true, nil
	return &Pipes{
		kubelets:  transport(proxyTransport, o.Timeout, config),
		unchecked: transport(proxyTransport, o.Timeout, unchecked),
		others:    transport(proxyTransport, patience, proxyTransport.TLSClientConfig),
	}, nil
}

// Carry is part of subresources.Transport.
func (p *Pipes) Carry(to subresources.Target) connect.Connection {
	through := p.others
	switch {
	case to.Kubelet && to.Unchecked:
		through = p.unchecked
	case to.Kubelet:
		through = p.kubelets
	}
	switch to.Way {
	case subresources.Read:
		return read(to, through)
	case subresources.Upgrade:
		return upgrade(to, through)
	}
	return forward(to, through)
}

// Close closes the connections that lie idle.
func (p *Pipes) Close() {
	for _, t := range []*http.Transport{p.kubelets, p.unchecked, p.others} {
		t.CloseIdleConnections()
	}
}
