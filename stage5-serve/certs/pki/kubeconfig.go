package pki

import (
	"bytes"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"os"
	"regexp"
	"slices"
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

var clientCertificate = regexp.MustCompile(`client-certificate-data: (\S+)`)

// getsIn tells whether a kubeconfig leads to the server, trusts it and shows
// one of our certificates. It then stays as it is: somebody may have added a
// context, or chosen a namespace, with "kubectl config".
func (a *Authority) getsIn(path, server string, caPEM []byte) bool {
	text, err := os.ReadFile(path)
	ca := base64.StdEncoding.EncodeToString(caPEM)
	if err != nil || !bytes.Contains(text, []byte("server: "+server+"\n")) || !bytes.Contains(text, []byte(ca+"\n")) {
		return false
	}
	return slices.ContainsFunc(clientCertificate.FindAllSubmatch(text, -1), func(found [][]byte) bool {
		data, _ := base64.StdEncoding.DecodeString(string(found[1])) // what is none is no PEM either
		block, _ := pem.Decode(data)
		if block == nil {
			return false
		}
		cert, err := x509.ParseCertificate(block.Bytes)
		return err == nil && cert.CheckSignatureFrom(a.cert) == nil && !expiring(cert)
	})
}
