package kinds

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"net"
	"net/netip"
	"slices"

	"example.com/kube-apiserver/stage3-storage/kinds/allocator"
	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	apistatus "example.com/kube-apiserver/stage3-storage/object/status"
)

// Allocator hands out the addresses and node ports of services. It lives in
// memory and is filled from the stored services at the start.
//
// Upstream: pkg/registry/core/service/ipallocator/allocator.go Range
type Allocator struct {
	network   netip.Prefix
	base      int // the first node port
	ports     int // how many there are
	ips, nums *allocator.Pool
}

// maxAddresses is how many addresses of a larger network are used, as upstream.
const maxAddresses = 1 << 16

// NewAllocator returns an Allocator of which nothing is taken.
func NewAllocator(ips net.IPNet, portBase, ports int) *Allocator {
	addr, _ := netip.AddrFromSlice(ips.IP)
	ones, bits := ips.Mask.Size()
	size := maxAddresses
	if free := bits - ones; free < 16 {
		size = 1 << free
	}
	a := &Allocator{
		network: netip.PrefixFrom(addr.Unmap(), ones).Masked(),
		base:    portBase, ports: ports,
		ips: allocator.NewPool(size, static(size, 16, 256)), nums: allocator.NewPool(ports, static(ports, 32, 128)),
	}
	// The network itself and, of IPv4, its broadcast address belong to nobody.
	_ = a.ips.Claim("the network", 0)
	if a.network.Addr().Is4() && size > 1 {
		_ = a.ips.Claim("the network", size-1)
	}
	return a
}

// static is how much of a range is left to those who ask for a certain number:
// one of so many parts, within bounds; nothing of a small range.
func static(size, parts, most int) int {
	if size <= 2*16 {
		return 0
	}
	return min(max(16, size/parts), most)
}

// family is the only one that services have here.
func (a *Allocator) family() string {
	if a.network.Addr().Is4() {
		return "IPv4"
	}
	return "IPv6"
}

// pickIP returns an address that is free now.
func (a *Allocator) pickIP() (string, error) {
	n, err := a.ips.Pick()
	if err != nil {
		return "", err
	}
	ip := new(big.Int).SetBytes(a.network.Addr().AsSlice())
	ip.Add(ip, big.NewInt(int64(n)))
	addr, _ := netip.AddrFromSlice(ip.FillBytes(make([]byte, a.network.Addr().BitLen()/8)))
	return addr.String(), nil
}

// ipNumber is the place of an address in the range, or -1.
func (a *Allocator) ipNumber(text string) int {
	addr, ok := rules.ParseIP(text)
	if !ok || !a.network.Contains(addr) {
		return -1
	}
	low, ip := new(big.Int).SetBytes(a.network.Addr().AsSlice()), new(big.Int).SetBytes(addr.AsSlice())
	n := ip.Sub(ip, low)
	if !n.IsInt64() || n.Int64() >= maxAddresses {
		return -1
	}
	return int(n.Int64())
}

// checkIP says whether who can have an address.
func (a *Allocator) checkIP(who, text string) error {
	err := a.ips.Check(who, a.ipNumber(text))
	switch {
	case errors.Is(err, allocator.ErrTaken):
		return errors.New("provided IP is already allocated")
	case errors.Is(err, allocator.ErrOutside):
		return errors.New("the provided network does not match the current range")
	}
	return err
}

// pickPort returns a node port that is free now.
func (a *Allocator) pickPort() (int64, error) {
	n, err := a.nums.Pick()
	return int64(a.base + n), err
}

// checkPort says whether who can have a node port.
func (a *Allocator) checkPort(who string, port int64) error {
	err := a.nums.Check(who, a.portNumber(port))
	switch {
	case errors.Is(err, allocator.ErrTaken):
		return errors.New("provided port is already allocated")
	case errors.Is(err, allocator.ErrOutside):
		return fmt.Errorf("provided port is not in the valid range. The range of valid ports is %d-%d", a.base, a.base+a.ports-1)
	}
	return err
}

func (a *Allocator) portNumber(port int64) int { return int(port) - a.base }

// held are the numbers of what a service has.
type held struct{ ips, ports []int }

func (a *Allocator) heldBy(o *object.Object) (h held) {
	if o == nil {
		return h
	}
	for _, ip := range rules.Texts(o.Fields, "spec", "clusterIPs") {
		if n := a.ipNumber(ip); n >= 0 {
			h.ips = append(h.ips, n)
		}
	}
	ports := []int64{rules.Int(o.Fields, "spec", "healthCheckNodePort")}
	for _, p := range rules.Items(o.Fields, "spec", "ports") {
		ports = append(ports, rules.Int(p, "nodePort"))
	}
	for _, p := range ports {
		if n := a.portNumber(p); p != 0 && n >= 0 && n < a.ports {
			h.ports = append(h.ports, n)
		}
	}
	return h
}

// without is what is in h and not in other.
func (h held) without(other held) held {
	return held{minus(h.ips, other.ips), minus(h.ports, other.ports)}
}

func minus(a, b []int) (rest []int) {
	for _, n := range a {
		if !slices.Contains(b, n) {
			rest = append(rest, n)
		}
	}
	return rest
}

func (a *Allocator) claim(who string, h held) error {
	if err := a.ips.Claim(who, h.ips...); err != nil {
		return err
	}
	if err := a.nums.Claim(who, h.ports...); err != nil {
		a.ips.Release(who, h.ips...)
		return err
	}
	return nil
}

func (a *Allocator) release(who string, h held) {
	a.ips.Release(who, h.ips...)
	a.nums.Release(who, h.ports...)
}

// begin is called right before a commit. What the service gets new is claimed,
// and freed if the commit fails; what it gives up is freed once it does not.
func (a *Allocator) begin(_ context.Context, o, old *object.Object) (end func(committed bool), err error) {
	var who, name string
	switch {
	case o != nil:
		who, name = o.Meta.UID, o.Meta.Name
	case old != nil:
		who = old.Meta.UID
	}
	if o != nil && o.Meta.DeletionTimestamp != "" && len(o.Meta.Finalizers) == 0 {
		o = nil // this write takes away what kept it
	}
	is, was := a.heldBy(o), a.heldBy(old)
	added, gone := is.without(was), was.without(is)
	if err := a.claim(who, added); err != nil {
		why := "an address or a port that was free a moment ago is taken; please try again"
		return nil, apistatus.Conflict(apistatus.Resource{Name: "services"}, name, why)
	}
	return func(committed bool) {
		if committed {
			a.release(who, gone)
		} else {
			a.release(who, added)
		}
	}, nil
}

// Repair reads back what stored services hold. What two of them hold stays the
// first one's; what is outside of the ranges, which flags may have moved, is left alone.
//
// Upstream: pkg/registry/core/service/ipallocator/controller/repair.go RunOnce
func (a *Allocator) Repair(services []*object.Encoded) error {
	for _, e := range services {
		o, err := e.Object()
		if err != nil {
			return fmt.Errorf("repair of service addresses: %w", err)
		}
		h := a.heldBy(o)
		for _, n := range h.ips {
			_ = a.ips.Claim(o.Meta.UID, n)
		}
		for _, n := range h.ports {
			_ = a.nums.Claim(o.Meta.UID, n)
		}
	}
	return nil
}
