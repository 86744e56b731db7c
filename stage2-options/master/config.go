package master

import (
	"net"
	"net/http"
	"time"

	"example.com/kube-apiserver/stage1-main/server"
	"example.com/kube-apiserver/stage2-options/admission"
	"example.com/kube-apiserver/stage2-options/options"
)

// Config is what CreateKubeAPIServerConfig returns. Stage 3 embeds it and adds
// storage.
//
// Upstream: pkg/master/master.go Config
type Config struct {
	GenericConfig    server.Config
	AdmissionControl []admission.Interface // in flag order

	ServiceIPRange       net.IPNet
	APIServerServiceIP   net.IP // of the service "kubernetes"
	ServiceNodePortRange options.PortRange
	PublicAddress        net.IP
	EventTTL             time.Duration

	Tunneler       Tunneler        // nil: nodes are reached directly
	ProxyTransport *http.Transport // to nodes, pods and services, through the tunnels if there are any
}

// CompletedConfig can only be made by Complete, so that nothing is built from
// a config with gaps.
type CompletedConfig struct{ *Config }

// Complete fills the fields that are still empty and says which.
//
// Upstream: pkg/master/master.go Complete
func (c *Config) Complete() (completed CompletedConfig, filled []string) {
	if c.ServiceIPRange.IP == nil {
		c.ServiceIPRange = net.IPNet{IP: net.IPv4(10, 0, 0, 0).To4(), Mask: net.CIDRMask(24, 32)}
		filled = append(filled, "ServiceIPRange")
	}
	if c.APIServerServiceIP == nil {
		c.APIServerServiceIP = options.FirstIP(c.ServiceIPRange)
		filled = append(filled, "APIServerServiceIP")
	}
	if c.ServiceNodePortRange.Size == 0 {
		c.ServiceNodePortRange = options.PortRange{Base: 30000, Size: 2768}
		filled = append(filled, "ServiceNodePortRange")
	}
	return CompletedConfig{c}, filled
}
