package app

import (
	"crypto/tls"
	"testing"

	"example.com/kube-apiserver/stage2-options/options"
)

func TestCipherSuitesWithWhichNobodyCanSpeakHTTP2AreRefused(t *testing.T) {
	for name, c := range map[string]struct {
		options options.SecureServingOptions
		refused bool
	}{
		"Go's choice":               {options.SecureServingOptions{}, false},
		"one that it needs":         {options.SecureServingOptions{CipherSuites: []uint16{tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256}}, false},
		"only others":               {options.SecureServingOptions{CipherSuites: []uint16{tls.TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384}}, true},
		"only others, from TLS 1.3": {options.SecureServingOptions{CipherSuites: []uint16{tls.TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384}, MinTLSVersion: tls.VersionTLS13}, false},
	} {
		if err := checkSuites(&c.options); (err != nil) != c.refused {
			t.Errorf("%s: must it be refused? %v; got %v", name, c.refused, err)
		}
	}
}
