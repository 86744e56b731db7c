package pki

import (
	"encoding/base64"
	"fmt"
)

// WriteKubeconfig writes a file with which kubectl reaches the server as the
// holder of a client certificate. Everything is in the file itself, so that it
// can be copied; who reads it is that user, hence its mode. caPEM may hold
// several certificates.
func WriteKubeconfig(path, server string, caPEM []byte, client Pair) error {
	text := base64.StdEncoding.EncodeToString
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
