package flags

import (
	"crypto/tls"
	"fmt"
	"slices"
	"strings"
)

// name is what a flag calls a number of package crypto/tls.
type name struct {
	text   string
	number uint16
}

func find(names []name, text string) (uint16, error) {
	i := slices.IndexFunc(names, func(n name) bool { return n.text == text })
	if i < 0 {
		var known []string
		for _, n := range names {
			known = append(known, n.text)
		}
		return 0, fmt.Errorf("%q is not known; there are %s", text, strings.Join(known, ", "))
	}
	return names[i].number, nil
}

func text(names []name, number uint16) string {
	i := slices.IndexFunc(names, func(n name) bool { return n.number == number })
	if i < 0 {
		return ""
	}
	return names[i].text
}

// tlsVersion is a value such as VersionTLS12.
//
// Now: staging/src/k8s.io/component-base/cli/flag/ciphersuites_flag.go TLSVersion
type tlsVersion uint16

var versions = []name{
	{"VersionTLS10", tls.VersionTLS10}, {"VersionTLS11", tls.VersionTLS11}, {"VersionTLS12", tls.VersionTLS12}, {"VersionTLS13", tls.VersionTLS13},
}

func (v *tlsVersion) Type() string { return "string" }

func (v *tlsVersion) String() string { return text(versions, uint16(*v)) }

// Set takes a name; an empty one is the default.
func (v *tlsVersion) Set(value string) (err error) {
	var number uint16
	if value != "" {
		number, err = find(versions, value)
	}
	*v = tlsVersion(number)
	return err
}

// cipherSuites are values such as TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256.
//
// Now: staging/src/k8s.io/component-base/cli/flag/ciphersuites_flag.go TLSCipherSuites
type cipherSuites []uint16

// suites are all that Go has: those that it finds secure, the others, and two
// by the names that they had before they were standards.
func suites() (list []name) {
	for _, s := range slices.Concat(tls.CipherSuites(), tls.InsecureCipherSuites()) {
		list = append(list, name{s.Name, s.ID})
	}
	return append(list,
		name{"TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305", tls.TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256},
		name{"TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305", tls.TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256})
}

func (c *cipherSuites) Type() string { return "stringSlice" }

func (c *cipherSuites) String() string {
	var names []string
	for _, number := range *c {
		names = append(names, text(suites(), number))
	}
	return strings.Join(names, ",")
}

// Set takes the names of a list; what was set before is forgotten.
func (c *cipherSuites) Set(value string) error {
	*c = nil
	for item := range strings.SplitSeq(value, ",") {
		if item = strings.TrimSpace(item); item == "" {
			continue
		}
		number, err := find(suites(), item)
		if err != nil {
			return err
		}
		*c = append(*c, number)
	}
	return nil
}
