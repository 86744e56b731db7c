package certs

import (
	"crypto/tls"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"example.com/kube-apiserver/stage2-options/options"
)

// GetNamedCertificateMap says which certificate is shown for which server
// name. Names that the flag gives beat those that a certificate has; among
// equals the earlier flag wins.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/options/serving.go GetNamedCertificateMap
func GetNamedCertificateMap(list []options.NamedCertKey) (map[string]*tls.Certificate, error) {
	byName := map[string]*tls.Certificate{}
	var given []func()
	for _, k := range slices.Backward(list) { // last to first: the earlier one overwrites
		cert, err := tls.LoadX509KeyPair(k.CertFile, k.KeyFile)
		if err != nil {
			return nil, fmt.Errorf("failed to load SNI cert and key: %w", err)
		}
		if len(k.Names) > 0 {
			given = append(given, func() { // after all that certificates say of themselves
				for _, name := range k.Names {
					byName[strings.ToLower(name)] = &cert
				}
			})
			continue
		}
		names := cert.Leaf.DNSNames
		if cn := cert.Leaf.Subject.CommonName; cn != "" && !strings.ContainsAny(cn, " @:") {
			names = append(names, cn)
		}
		for _, name := range names {
			byName[strings.ToLower(name)] = &cert
		}
	}
	for _, overwrite := range given {
		overwrite()
	}
	return byName, nil
}

// WriteKubeconfig writes a file with which kubectl reaches the server as the
// holder of a client certificate. Everything is in the file itself.
func WriteKubeconfig(path, server string, caPEM []byte, client Pair) error {
	text := func(b []byte) string { return base64.StdEncoding.EncodeToString(b) }
	return writeFile(path, fmt.Appendf(nil, `apiVersion: v1
kind: Config
current-context: stage5
clusters:
- name: stage5
  cluster:
    server: %s
    certificate-authority-data: %s
contexts:
- name: stage5
  context: {cluster: stage5, user: admin}
users:
- name: admin
  user:
    client-certificate-data: %s
    client-key-data: %s
`, server, text(caPEM), text(client.CertPEM), text(client.KeyPEM)), 0o600)
}
