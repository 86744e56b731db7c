package options

import (
	"errors"
	"strings"
)

// NamedCertKey is a certificate with its key, and the names it is for; without
// names, those that stand in it.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/util/flag/namedcertkey_flag.go NamedCertKey
type NamedCertKey struct {
	CertFile, KeyFile string
	Names             []string
}

func (n NamedCertKey) String() string {
	s := n.CertFile + "," + n.KeyFile
	if len(n.Names) > 0 {
		s += ":" + strings.Join(n.Names, ",")
	}
	return s
}

// Set parses cert,key or cert,key:name,name.
func (n *NamedCertKey) Set(value string) error {
	files, list, named := strings.Cut(value, ":")
	var names []string
	for name := range strings.SplitSeq(list, ",") {
		if name = strings.TrimSpace(name); name != "" {
			names = append(names, name)
		}
	}
	if named && len(names) == 0 {
		return errors.New("empty names list is not allowed")
	}
	cert, key, ok := strings.Cut(files, ",")
	cert, key = strings.TrimSpace(cert), strings.TrimSpace(key)
	if !ok || cert == "" || key == "" || strings.Contains(key, ",") {
		return errors.New("expected comma separated certificate and key file paths")
	}
	*n = NamedCertKey{CertFile: cert, KeyFile: key, Names: names}
	return nil
}

// namedCertKeys is the value of a flag that may be repeated.
type namedCertKeys []NamedCertKey

func (l *namedCertKeys) Type() string { return "namedCertKey" }

func (l *namedCertKeys) String() string {
	var all []string
	for _, n := range *l {
		all = append(all, n.String())
	}
	return strings.Join(all, ";")
}

// Set appends one.
func (l *namedCertKeys) Set(value string) error {
	var n NamedCertKey
	if err := n.Set(value); err != nil {
		return err
	}
	*l = append(*l, n)
	return nil
}
