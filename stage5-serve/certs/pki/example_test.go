package pki_test

import (
	"fmt"
	"os"
	"path/filepath"

	"example.com/kube-apiserver/stage5-serve/certs/pki"
)

// The first start makes an authority and the server's certificate, the second
// one finds them.
func Example() {
	folder, _ := os.MkdirTemp("", "certs")
	defer os.RemoveAll(folder)
	for start := 1; start <= 2; start++ {
		authority, err := pki.LoadOrMakeAuthority(folder, "ca")
		if err != nil {
			fmt.Println(err)
			return
		}
		names := pki.Request{CommonName: "kube-apiserver", Names: []string{"localhost", "127.0.0.1"}}
		pair, made, _ := pki.MaybeDefaultWithSelfSignedCerts(folder, "apiserver", authority, names)
		cert, _ := pair.TLS()
		fmt.Printf("start %d: made %v, %s by %s\n", start, made, cert.Leaf.Subject, cert.Leaf.Issuer)
	}
	files, _ := filepath.Glob(folder + "/*")
	for _, file := range files {
		info, _ := os.Stat(file)
		fmt.Println(info.Mode(), info.Name())
	}
	// Output:
	// start 1: made true, CN=kube-apiserver by CN=kube-apiserver-ca
	// start 2: made false, CN=kube-apiserver by CN=kube-apiserver-ca
	// -rw-r--r-- apiserver.crt
	// -rw------- apiserver.key
	// -rw-r--r-- ca.crt
	// -rw------- ca.key
}
