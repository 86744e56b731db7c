package certs_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"example.com/kube-apiserver/stage2-options/options"
	"example.com/kube-apiserver/stage2-options/options/flagtable"
	"example.com/kube-apiserver/stage5-serve/certs"
	"example.com/kube-apiserver/stage5-serve/certs/pki"
)

// A certificate is shown under the names that stand in it, or under those that
// the flag gives it instead.
func Example() {
	folder, _ := os.MkdirTemp("", "certs")
	defer os.RemoveAll(folder)
	authority, _ := pki.NewAuthority("ours")
	pair, _ := authority.Issue(pki.Request{CommonName: "web", Names: []string{"web.example.com"}})
	cert, key := filepath.Join(folder, "web.crt"), filepath.Join(folder, "web.key")
	os.WriteFile(cert, pair.CertPEM, 0o600)
	os.WriteFile(key, pair.KeyPEM, 0o600)
	for _, flag := range []string{cert + "," + key, cert + "," + key + ":*.example.org"} {
		named, err := flagtable.NamedCertKey(flag)
		if err != nil {
			fmt.Println(err)
			return
		}
		byName, err := certs.GetNamedCertificateMap([]options.NamedCertKey{named})
		fmt.Println(slices.Sorted(maps.Keys(byName)), err)
	}
	// Output:
	// [web web.example.com] <nil>
	// [*.example.org] <nil>
}
