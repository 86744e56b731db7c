package options

import (
	"errors"
	"net"
	"strings"
	"testing"
)

func TestErratumE7(t *testing.T) {
	t.Log("the article: 序列化缓存大小. It is the cache of DEserialized objects, and only etcd2 has one.")
	for _, c := range []struct{ ramMB, size int }{
		{0, 1000}, {59, 1000}, {60, 1000}, {2459, 1000}, {2460, 1025}, {2519, 1025}, {2520, 1050}, {60000, 25000},
	} {
		s := NewServerRunOptions()
		s.GenericServerRunOptions.TargetRAMMB = c.ramMB
		if err := DefaultOptions(s); err != nil {
			t.Fatal(err)
		}
		if got := s.Etcd.DeserializationCacheSize; got != c.size {
			t.Errorf("with %d MB the cache has room for %d objects, want %d: 25 for each full 60 MB, at least 1000", c.ramMB, got, c.size)
		}
	}
	s := NewServerRunOptions()
	s.Etcd.DeserializationCacheSize = 7
	if err := DefaultOptions(s); err != nil || s.Etcd.DeserializationCacheSize != 7 {
		t.Errorf("the size that the user gives is kept, got %d, %v", s.Etcd.DeserializationCacheSize, err)
	}
}

var errNoRoute = errors.New("no route")

func TestTheAdvertiseAddressIsOneThatOthersReach(t *testing.T) {
	route := func() (net.IP, error) { return net.IPv4(198, 51, 100, 7), nil }
	noRoute := func() (net.IP, error) { return nil, errNoRoute }
	for _, c := range []struct {
		given, bind string
		host        func() (net.IP, error)
		want        string
	}{
		{"192.0.2.1", "127.0.0.1", route, "192.0.2.1"},
		{"", "192.0.2.2", route, "192.0.2.2"},
		{"0.0.0.0", "192.0.2.2", route, "192.0.2.2"},
		{"", "127.0.0.1", route, "198.51.100.7"},
		{"", "0.0.0.0", route, "198.51.100.7"},
		{"", "::", route, "198.51.100.7"},
		{"", "", route, "198.51.100.7"},
		{"", "127.0.0.1", noRoute, "127.0.0.1"}, // whoever listens there does not mean others
		{"", "0.0.0.0", noRoute, ""},
		{"", "", noRoute, ""},
	} {
		s := NewServerRunOptions()
		s.GenericServerRunOptions.AdvertiseAddress, s.SecureServing.BindAddress = net.ParseIP(c.given), net.ParseIP(c.bind)
		err := s.defaults(c.host)
		if c.want == "" {
			if !errors.Is(err, errNoRoute) || !strings.HasPrefix(err.Error(), "--advertise-address: ") {
				t.Errorf("bound to %q without a default route there is no address: want an error that names the flag and keeps its cause, got %v", c.bind, err)
			}
			continue
		}
		if got := s.GenericServerRunOptions.AdvertiseAddress.String(); err != nil || got != c.want {
			t.Errorf("given %q, bound to %q: advertised as %s, %v, want %s", c.given, c.bind, got, err, c.want)
		}
	}
}

func TestErratumE9(t *testing.T) {
	t.Log("the article: 所有错误信息将被打包返回. Only those of Validate are; an error of defaulting comes alone, before.")
	s := NewServerRunOptions()
	s.SecureServing.BindAddress = net.IPv4zero
	s.MasterCount, s.SecureServing.BindPort = 0, -1
	err := s.defaults(func() (net.IP, error) { return nil, errNoRoute })
	if err == nil || strings.Contains(err.Error(), "apiserver-count") {
		t.Errorf("without an address to advertise, that alone is the error, got %v", err)
	}
	s.Admission.PluginNames = nil // none is registered here
	s.ServiceClusterIPRange = net.IPNet{IP: net.IPv4(10, 0, 0, 0), Mask: net.CIDRMask(24, 32)}
	err = Aggregate(s.Validate())
	want := "[--secure-port=-1: want a port from 1 to 65535, or 0 for any free one,\n" +
		" --apiserver-count=0: not a positive number; give 1 or more]"
	if err == nil || err.Error() != want {
		t.Errorf("two wrong flags are one error that tells both:\n%v\nwant\n%s", err, want)
	}
}

func TestAggregateKeepsItsErrors(t *testing.T) {
	other := errors.New("other")
	if err := Aggregate([]error{nil, nil}); err != nil {
		t.Errorf("no errors are nil, got %v", err)
	}
	if err := Aggregate([]error{nil, other}); err != other {
		t.Errorf("one error is that error, got %v", err)
	}
	err := Aggregate([]error{other, nil, errNoRoute})
	if !errors.Is(err, other) || !errors.Is(err, errNoRoute) {
		t.Errorf("errors.Is finds every error that was packed, not in %v", err)
	}
}

func TestTheFirstAddressIsBehindThatOfTheNetwork(t *testing.T) {
	for cidr, want := range map[string]string{
		"10.0.0.0/24": "10.0.0.1", "10.96.0.0/12": "10.96.0.1", "fd00::/108": "fd00::1", "10.0.0.255/32": "10.0.1.0",
	} {
		_, r, err := net.ParseCIDR(cidr)
		if err != nil {
			t.Fatal(err)
		}
		before := r.String()
		if got := FirstIP(*r).String(); got != want || r.String() != before {
			t.Errorf("the first address of %s is %s, want %s, and the range stays as it is, got %s", cidr, got, want, r)
		}
	}
}
