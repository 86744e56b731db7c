package kinds

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"sync"

	"example.com/kube-apiserver/stage3-storage/object"
)

// errTaken: somebody else has it.
var errTaken = errors.New("provided IP is already allocated")

// Allocator hands out the addresses and node ports of services. It lives in
// memory and is filled from the stored services at the start. Whoever takes
// something names himself: a write that is tried again gets the same again, and
// nothing is given to two.
//
// Upstream: pkg/registry/core/service/ipallocator/allocator.go Range
type Allocator struct {
	ips        net.IPNet
	base, size int // of node ports

	mu    sync.Mutex // guards owner
	owner map[string]string
}

// NewAllocator returns an Allocator of which nothing is taken.
func NewAllocator(ips net.IPNet, portBase, ports int) *Allocator {
	return &Allocator{ips: ips, base: portBase, size: ports, owner: map[string]string{}}
}

// take gives thing to who, unless another has it.
func (a *Allocator) take(thing, who string) bool {
	if o, taken := a.owner[thing]; taken && o != who {
		return false
	}
	a.owner[thing] = who
	return true
}

// IP takes an address: the one asked for, or any free one where asked is "".
func (a *Allocator) IP(asked, who string) (string, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if asked != "" {
		ip := net.ParseIP(asked)
		if ip == nil || !a.ips.Contains(ip) {
			return "", fmt.Errorf("the provided IP (%s) is not in the valid range. The range of valid IPs is %s", asked, a.ips.String())
		}
		if !a.take(ip.String(), who) {
			return "", errTaken
		}
		return ip.String(), nil
	}
	ones, bits := a.ips.Mask.Size()
	n := 1 << min(bits-ones, 20)
	start := rand.IntN(n)
	for i := range n {
		at := (start + i) % n
		if at < 2 || at == n-1 { // the network, the service kubernetes, broadcast
			continue
		}
		if ip := a.nth(at).String(); a.owner[ip] == "" {
			a.owner[ip] = who
			return ip, nil
		}
	}
	return "", errors.New("range is full")
}

func (a *Allocator) nth(i int) net.IP {
	ip := make(net.IP, len(a.ips.IP))
	copy(ip, a.ips.IP)
	low := ip[len(ip)-4:]
	binary.BigEndian.PutUint32(low, binary.BigEndian.Uint32(low)+uint32(i))
	return ip
}

// Port takes a node port: the one asked for, or any free one where asked is 0.
func (a *Allocator) Port(asked int64, who string) (int64, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	key := func(p int64) string { return fmt.Sprintf("port %d", p) }
	if asked != 0 {
		if asked < int64(a.base) || asked >= int64(a.base+a.size) {
			return 0, fmt.Errorf("provided port is not in the valid range. The range of valid ports is %d-%d", a.base, a.base+a.size-1)
		}
		if !a.take(key(asked), who) {
			return 0, errors.New("provided port is already allocated")
		}
		return asked, nil
	}
	start := rand.IntN(max(a.size, 1))
	for i := range a.size {
		p := int64(a.base + (start+i)%a.size)
		if a.owner[key(p)] == "" {
			a.owner[key(p)] = who
			return p, nil
		}
	}
	return 0, errors.New("range is full")
}

// keep makes who the owner of exactly what the service holds: what else it had
// taken is free again. nil frees everything.
func (a *Allocator) keep(who string, service *object.Object) {
	held := map[string]bool{}
	if service != nil {
		for _, ip := range asList(spec(service)["clusterIPs"]) {
			held[asString(ip)] = true
		}
		each(spec(service)["ports"], func(_ int, p tree) { held[fmt.Sprintf("port %d", asInt(p["nodePort"]))] = true })
		held[fmt.Sprintf("port %d", asInt(spec(service)["healthCheckNodePort"]))] = true
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for thing, o := range a.owner {
		if o == who && !held[thing] {
			delete(a.owner, thing)
		}
	}
	for thing := range held {
		if thing != "port 0" && thing != "None" {
			a.owner[thing] = who
		}
	}
}

// Repair reads back what stored services hold.
//
// Upstream: pkg/registry/core/service/ipallocator/controller/repair.go RunOnce
func (a *Allocator) Repair(services []*object.Encoded) error {
	for _, e := range services {
		o, err := e.Object()
		if err != nil {
			return err
		}
		a.keep(o.Meta.UID, o)
	}
	return nil
}
