package options

import (
	"fmt"
	"log"
	"net"
	"net/netip"
	"path"
	"slices"
)

// DefaultOptions finds the values that depend on other values or on the
// machine. Its first error ends it; only Validate collects. It warns about
// flags that have no effect.
//
// Upstream: cmd/kube-apiserver/app/server.go defaultOptions
func DefaultOptions(s *ServerRunOptions) error { return s.defaults(hostAddress) }

func (s *ServerRunOptions) defaults(host func() (net.IP, error)) error {
	if s.Others != nil {
		s.Others.Warn()
	}
	if s.Etcd.StorageBackend == "bbolt" && s.IsSet("etcd-servers") {
		log.Print("--etcd-servers has no effect with --storage-backend=bbolt: objects are kept in --bbolt-file")
	}
	if err := s.defaultAdvertiseAddress(host); err != nil {
		return err
	}
	//step:2.3 the range of service addresses, and the first in it
	if s.ServiceClusterIPRange.IP == nil {
		s.ServiceClusterIPRange = net.IPNet{IP: net.IPv4(10, 0, 0, 0).To4(), Mask: net.CIDRMask(24, 32)}
		s.derive("service-cluster-ip-range")
	}
	s.ServiceIP = FirstIP(s.ServiceClusterIPRange)
	//step:end
	s.defaultAuthentication()
	if s.Etcd.DeserializationCacheSize == 0 {
		// 25 objects for every 60 MB; only the etcd2 of 1.7 reads it.
		s.Etcd.DeserializationCacheSize = max(25*(s.GenericServerRunOptions.TargetRAMMB/60), 1000)
		s.derive("deserialization-cache-size")
	}
	if prefix := path.Join("/", s.Etcd.Prefix); prefix != s.Etcd.Prefix {
		s.Etcd.Prefix = prefix
		s.derive("etcd-prefix")
	}
	return nil
}

func (s *ServerRunOptions) derive(flag string) { s.Derived = append(s.Derived, flag) }

// defaultAdvertiseAddress takes the address that is served on, unless others
// cannot reach that: then the one by which this machine reaches others.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/options/server_run_options.go DefaultAdvertiseAddress
func (s *ServerRunOptions) defaultAdvertiseAddress(host func() (net.IP, error)) error {
	o, bind := s.GenericServerRunOptions, s.SecureServing.BindAddress
	if o.AdvertiseAddress != nil && !o.AdvertiseAddress.IsUnspecified() {
		return nil
	}
	o.AdvertiseAddress = bind
	s.derive("advertise-address")
	if bind != nil && !bind.IsUnspecified() && !bind.IsLoopback() {
		return nil
	}
	found, err := host()
	switch {
	case err == nil:
		o.AdvertiseAddress = found
	case !bind.IsLoopback():
		return fmt.Errorf("--advertise-address: %w; give the one at which others reach this server", err)
	}
	return nil
}

// hostAddress is the address that packets to the outside would carry. None are
// sent: connecting a datagram socket only looks up the route, here to an
// address that documentation may use and nobody has.
func hostAddress() (net.IP, error) {
	c, err := net.Dial("udp4", "192.0.2.1:9")
	if err != nil {
		return nil, fmt.Errorf("no default route that would tell an address: %w", err)
	}
	defer c.Close()
	return c.LocalAddr().(*net.UDPAddr).IP, nil
}

// FirstIP is the first address of a range behind that of the network itself.
//
// Upstream: pkg/master/services.go DefaultServiceIPRange
func FirstIP(r net.IPNet) net.IP {
	network, _ := netip.AddrFromSlice(r.IP)
	return network.Next().AsSlice()
}

// defaultAuthentication lets nobody be anonymous where everybody may do
// everything, and verifies tokens with the serving key if no other is given.
//
// Upstream: pkg/kubeapiserver/options/authentication.go ApplyAuthorization
func (s *ServerRunOptions) defaultAuthentication() {
	o := s.Authentication
	if o.Anonymous && slices.Contains(s.Authorization.Modes, "AlwaysAllow") {
		o.Anonymous = false
		s.derive("anonymous-auth")
		if s.IsSet("anonymous-auth") {
			log.Print("--anonymous-auth=true has no effect with --authorization-mode=AlwaysAllow: anonymous users could do everything")
		}
	}
	if len(o.ServiceAccountKeyFiles) == 0 && s.SecureServing.KeyFile != "" {
		o.ServiceAccountKeyFiles = []string{s.SecureServing.KeyFile}
		s.derive("service-account-key-file")
	}
}
