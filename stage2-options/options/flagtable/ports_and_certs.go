package flagtable

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"example.com/kube-apiserver/stage2-options/options"
	"github.com/spf13/pflag"
)

// addValues adds flags that work and whose values have to be taken apart.
func addValues(s *options.ServerRunOptions) {
	s.AddGroup("secure serving", func(fs *pflag.FlagSet) {
		fs.Var((*namedCertKeys)(&s.SecureServing.SNICertKeys), "tls-sni-cert-key", "a further `cert,key[:name,name]`, for clients that ask for one of the names; may be repeated")
	})
	s.AddGroup("miscellaneous", func(fs *pflag.FlagSet) {
		fs.Var((*portRange)(&s.ServiceNodePortRange), "service-node-port-range", "ports, from-to, that services may have on every node")
	})
}

// wrongPort is about the port of the service kubernetes on every node.
func wrongPort(s *options.ServerRunOptions) []error {
	port, flag := s.KubernetesServiceNodePort, "--kubernetes-service-node-port"
	switch {
	case port < 0 || port > 65535:
		return []error{fmt.Errorf("%s=%d: want a port from 1 to 65535, or 0 for none", flag, port)}
	case port > 0 && !s.ServiceNodePortRange.Contains(port):
		return []error{fmt.Errorf("%s=%d: not in --service-node-port-range; give one of %s", flag, port, s.ServiceNodePortRange)}
	}
	return nil
}

// portRange is a value such as 30000-32767, both ends included.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/util/net/port_range.go PortRange
type portRange options.PortRange

func (r *portRange) String() string { return options.PortRange(*r).String() }

// Type is what --help calls the value.
func (r *portRange) Type() string { return "portRange" }

// Set parses low-high. An empty value is the empty range.
func (r *portRange) Set(value string) error {
	value = strings.TrimSpace(value)
	if value == "" {
		*r = portRange{}
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
	*r = portRange{Base: int(low), Size: int(high-low) + 1}
	return nil
}

// NamedCertKey parses cert,key or cert,key:name,name.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/util/flag/namedcertkey_flag.go Set
func NamedCertKey(value string) (n options.NamedCertKey, err error) {
	files, list, named := strings.Cut(value, ":")
	for name := range strings.SplitSeq(list, ",") {
		if name = strings.TrimSpace(name); name != "" {
			n.Names = append(n.Names, name)
		}
	}
	if named && len(n.Names) == 0 {
		return n, errors.New("empty names list is not allowed")
	}
	cert, key, ok := strings.Cut(files, ",")
	n.CertFile, n.KeyFile = strings.TrimSpace(cert), strings.TrimSpace(key)
	if !ok || n.CertFile == "" || n.KeyFile == "" || strings.Contains(key, ",") {
		return n, errors.New("expected comma separated certificate and key file paths")
	}
	return n, nil
}

// namedCertKeys is a value that may be repeated.
type namedCertKeys []options.NamedCertKey

func (l *namedCertKeys) Type() string { return "namedCertKey" }

func (l *namedCertKeys) String() string {
	var all []string
	for _, n := range *l {
		text := n.CertFile + "," + n.KeyFile
		if len(n.Names) > 0 {
			text += ":" + strings.Join(n.Names, ",")
		}
		all = append(all, text)
	}
	return strings.Join(all, ";")
}

// Set appends one.
func (l *namedCertKeys) Set(value string) error {
	n, err := NamedCertKey(value)
	if err != nil {
		return err
	}
	*l = append(*l, n)
	return nil
}
