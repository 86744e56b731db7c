package flags_test

import (
	"crypto/tls"
	"io"
	"slices"
	"strings"
	"testing"

	"example.com/kube-apiserver/stage5-serve/flags"
	"github.com/spf13/pflag"
)

func parse(args ...string) (*flags.ServerRunOptions, *pflag.FlagSet, error) {
	s, fs := flags.NewServerRunOptions(), pflag.NewFlagSet("kube-apiserver", pflag.ContinueOnError)
	fs.SetOutput(io.Discard)
	s.AddFlags(fs)
	flags.AddFlags(s)
	return s, fs, fs.Parse(args)
}

func TestVersionsAndCipherSuitesOfTLSHaveUpstreamsNames(t *testing.T) {
	s, fs, err := parse("--tls-min-version=VersionTLS13",
		"--tls-cipher-suites=TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256, TLS_RSA_WITH_AES_128_CBC_SHA,TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305")
	if err != nil {
		t.Fatal(err)
	}
	if s.SecureServing.MinTLSVersion != tls.VersionTLS13 {
		t.Errorf("the oldest version is %x, want that of TLS 1.3", s.SecureServing.MinTLSVersion)
	}
	want := []uint16{tls.TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256, tls.TLS_RSA_WITH_AES_128_CBC_SHA, tls.TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256}
	if !slices.Equal(s.SecureServing.CipherSuites, want) {
		t.Errorf("the suites are %x, want %x: secure, insecure, and one by its old name", s.SecureServing.CipherSuites, want)
	}
	for name, want := range map[string]string{
		"tls-min-version":   "VersionTLS13",
		"tls-cipher-suites": "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,TLS_RSA_WITH_AES_128_CBC_SHA,TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
	} {
		if got := fs.Lookup(name).Value.String(); got != want {
			t.Errorf("--%s shows %q, want %q", name, got, want)
		}
	}
	if s, _, err := parse("--tls-min-version=", "--tls-cipher-suites="); err != nil || s.SecureServing.MinTLSVersion != 0 || s.SecureServing.CipherSuites != nil {
		t.Errorf("nothing at all is the default, got %+v and %v", s.SecureServing, err)
	}
}

func TestAWrongNameOfTLSIsToldTheRightOnes(t *testing.T) {
	for arg, says := range map[string][]string{
		"--tls-min-version=TLS13":            {`"TLS13"`, "--tls-min-version", "VersionTLS10, VersionTLS11, VersionTLS12, VersionTLS13"},
		"--tls-cipher-suites=TLS_NULL,other": {`"TLS_NULL"`, "--tls-cipher-suites", "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256, "},
	} {
		_, _, err := parse(arg)
		for _, part := range says {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%s: want an error that says %s, got %v", arg, part, err)
			}
		}
	}
}
