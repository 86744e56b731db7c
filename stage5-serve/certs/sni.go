package certs

import (
	"crypto/tls"
	"fmt"
	"net"
	"slices"
	"strings"

	"example.com/kube-apiserver/stage2-options/options"
)

// GetNamedCertificateMap says which certificate is shown for which server
// name. Names that the flag gives beat those that stand in a certificate;
// among equals the earlier flag wins.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/serve.go GetNamedCertificateMap
func GetNamedCertificateMap(flags []options.NamedCertKey) (map[string]*tls.Certificate, error) {
	loaded := make([]*tls.Certificate, len(flags))
	for i, f := range flags {
		cert, err := tls.LoadX509KeyPair(f.CertFile, f.KeyFile)
		if err != nil {
			return nil, fmt.Errorf("failed to load SNI cert and key: --tls-sni-cert-key=%s: %w", f, err)
		}
		loaded[i] = &cert
	}
	byName := map[string]*tls.Certificate{}
	put := func(names []string, cert *tls.Certificate) {
		for _, name := range names {
			byName[strings.ToLower(name)] = cert // what comes later overwrites
		}
	}
	//step:5.4 who writes last wins
	for i, f := range slices.Backward(flags) {
		if len(f.Names) == 0 {
			put(namesIn(loaded[i]), loaded[i])
		}
	}
	for i, f := range slices.Backward(flags) {
		put(f.Names, loaded[i])
	}
	//step:end
	return byName, nil
}

// namesIn are the names in a certificate. Addresses are none: a client that
// goes to an address sends no server name.
func namesIn(cert *tls.Certificate) []string {
	names := cert.Leaf.DNSNames
	cn := cert.Leaf.Subject.CommonName
	if cn == "" || strings.ContainsAny(cn, " @:/") || net.ParseIP(cn) != nil {
		return names
	}
	return append([]string{cn}, names...)
}
