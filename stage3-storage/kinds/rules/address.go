package rules

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"
)

// IP is an address in a form that everybody reads alike.
//
// Now: staging/src/k8s.io/apimachinery/pkg/util/validation/ip.go IsValidIPForLegacyField
func IP(s string) []string {
	a, ok := ParseIP(s)
	_, loose := ParseIP(withoutZeros(s))
	switch {
	case !ok && loose:
		return []string{"must not have leading 0s"} // octal to some, decimal to others
	case !ok:
		return []string{"must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"}
	case a.Is4In6():
		return []string{"must not be an IPv4-mapped IPv6 address"}
	}
	return nil
}

// ParseIP reads an address without a zone.
func ParseIP(s string) (netip.Addr, bool) {
	a, err := netip.ParseAddr(s)
	return a, err == nil && a.Zone() == ""
}

// withoutZeros drops the zeros in front of the numbers of an IPv4 address.
func withoutZeros(s string) string {
	parts := strings.Split(s, ".")
	if len(parts) != 4 {
		return s
	}
	for i, p := range parts {
		if n, err := strconv.ParseUint(p, 10, 8); err == nil {
			parts[i] = strconv.FormatUint(n, 10)
		}
	}
	return strings.Join(parts, ".")
}

// CIDR is a network.
//
// Now: staging/src/k8s.io/apimachinery/pkg/util/validation/ip.go IsValidCIDRForLegacyField
func CIDR(s string) []string {
	p, err := netip.ParsePrefix(s)
	addr, bits, _ := strings.Cut(s, "/")
	_, loose := netip.ParsePrefix(withoutZeros(addr) + "/" + strings.TrimLeft(bits, "0"))
	switch {
	case err != nil && loose == nil:
		return []string{"must not have leading 0s in IP or prefix length"}
	case err != nil:
		return []string{"must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"}
	case p.Addr().Is4In6():
		return []string{"must not have an IPv4-mapped IPv6 address"}
	case p != p.Masked():
		return []string{"must not have bits set beyond the prefix length"}
	}
	return nil
}

// AddressWarning says in which form a right address should be written, or "".
//
// Now: staging/src/k8s.io/apimachinery/pkg/util/validation/ip.go GetWarningsForIP
func AddressWarning(at, s string) string {
	if a, ok := ParseIP(s); ok && a.Is6() && !a.Is4In6() && a.String() != s {
		return fmt.Sprintf("%s: IPv6 address %q should be in RFC 5952 canonical format (%q)", at, s, a)
	}
	return ""
}

// NetworkWarning is AddressWarning for networks.
//
// Now: staging/src/k8s.io/apimachinery/pkg/util/validation/ip.go GetWarningsForCIDR
func NetworkWarning(at, s string) string {
	if p, err := netip.ParsePrefix(s); err == nil && p.Addr().Is6() && p.String() != s {
		return fmt.Sprintf("%s: IPv6 CIDR value %q should be in RFC 5952 canonical format (%q)", at, s, p)
	}
	return ""
}
