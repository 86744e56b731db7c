package options

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// PortRange is the value of a flag such as 30000-32767, both ends included.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/util/net/port_range.go PortRange
type PortRange struct{ Base, Size int }

// Contains tells whether a port lies in the range.
func (r PortRange) Contains(port int) bool { return port >= r.Base && port-r.Base < r.Size }

func (r PortRange) String() string {
	if r.Size == 0 {
		return ""
	}
	return fmt.Sprintf("%d-%d", r.Base, r.Base+r.Size-1)
}

// Type is what --help calls the value.
func (r *PortRange) Type() string { return "portRange" }

// Set parses low-high. An empty value is the empty range.
func (r *PortRange) Set(value string) error {
	value = strings.TrimSpace(value)
	if value == "" {
		*r = PortRange{}
		return nil
	}
	from, to, ok := strings.Cut(value, "-")
	if !ok {
		return errors.New("expected hyphen in port range")
	}
	low, err := strconv.ParseUint(from, 10, 31)
	if err != nil {
		return fmt.Errorf("unable to parse port range: %s: %w", value, err)
	}
	high, err := strconv.ParseUint(to, 10, 31)
	if err != nil {
		return fmt.Errorf("unable to parse port range: %s: %w", value, err)
	}
	switch {
	case low > 65535 || high > 65535:
		return fmt.Errorf("the port range cannot be greater than 65535: %s", value)
	case high < low:
		return fmt.Errorf("end port cannot be less than start port: %s", value)
	}
	*r = PortRange{Base: int(low), Size: int(high-low) + 1}
	return nil
}
