package pki_test

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"example.com/kube-apiserver/stage5-serve/certs/pki"
)

var serving = pki.Request{CommonName: "kube-apiserver", Names: []string{"localhost", "127.0.0.1", "::1", "kubernetes.default.svc", "10.0.0.1"}}

// handshake lets a server show a certificate to a client who trusts roots and
// asks for name. It returns what the client says and what certificates it showed.
func handshake(t *testing.T, server, client *tls.Config) (shown []*x509.Certificate, err error) {
	t.Helper()
	ln, err := tls.Listen("tcp", "127.0.0.1:0", server)
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	served := make(chan []*x509.Certificate)
	go func() {
		defer close(served)
		conn, err := ln.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		if c := conn.(*tls.Conn); c.Handshake() == nil {
			served <- c.ConnectionState().PeerCertificates
		}
	}()
	conn, err := tls.Dial("tcp", ln.Addr().String(), client)
	if err == nil {
		conn.Close()
	}
	return <-served, err
}

func pool(pems ...[]byte) *x509.CertPool {
	p := x509.NewCertPool()
	for _, pem := range pems {
		p.AppendCertsFromPEM(pem)
	}
	return p
}

func authority(t *testing.T) *pki.Authority {
	t.Helper()
	a, err := pki.NewAuthority("ours")
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func tlsCert(t *testing.T, p pki.Pair) tls.Certificate {
	t.Helper()
	c, err := p.TLS()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestClientsVerifyTheServerUnderEachOfItsNames(t *testing.T) {
	a := authority(t)
	pair, _, err := pki.MaybeDefaultWithSelfSignedCerts(t.TempDir(), "apiserver", a, serving)
	if err != nil {
		t.Fatal(err)
	}
	server := &tls.Config{Certificates: []tls.Certificate{tlsCert(t, pair)}}
	for _, name := range serving.Names {
		if _, err := handshake(t, server, &tls.Config{ServerName: name, RootCAs: pool(a.CertPEM)}); err != nil {
			t.Errorf("a client that trusts the authority must accept the server as %s: %v", name, err)
		}
	}
	_, err = handshake(t, server, &tls.Config{ServerName: "elsewhere", RootCAs: pool(a.CertPEM)})
	if _, ok := errors.AsType[x509.HostnameError](err); !ok {
		t.Errorf("a name that is not in the certificate must be refused as such, got %v", err)
	}
	_, err = handshake(t, server, &tls.Config{ServerName: "localhost", RootCAs: pool(authority(t).CertPEM)})
	if err == nil {
		t.Error("a client that trusts another authority of the same name accepted the server")
	}
}

func TestFilesAreReadableByTheRightPeople(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "certs")
	a, err := pki.LoadOrMakeAuthority(folder, "ca")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := pki.MaybeDefaultWithSelfSignedCerts(folder, "apiserver", a, serving); err != nil {
		t.Fatal(err)
	}
	if err := pki.WriteKubeconfig(filepath.Join(folder, "admin.kubeconfig"), "https://127.0.0.1:6443", a.CertPEM, a.Pair); err != nil {
		t.Fatal(err)
	}
	want := map[string]os.FileMode{
		".": 0o755 | os.ModeDir, "apiserver.crt": 0o644, "apiserver.key": 0o600,
		"ca.crt": 0o644, "ca.key": 0o600, "admin.kubeconfig": 0o600,
	}
	for name, mode := range want {
		info, err := os.Stat(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode() != mode {
			t.Errorf("%s must have mode %v, has %v", name, mode, info.Mode())
		}
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != len(want)-1 {
		t.Errorf("nothing else may be left in the folder, not even temporary files: %v", entries)
	}
}

func TestWhatIsThereIsUsedAgain(t *testing.T) {
	folder := t.TempDir()
	first, err := pki.LoadOrMakeAuthority(folder, "ca")
	if err != nil {
		t.Fatal(err)
	}
	pair, made, err := pki.MaybeDefaultWithSelfSignedCerts(folder, "apiserver", first, serving)
	if err != nil || !made {
		t.Fatalf("the first start must make the pair: made %v, error %v", made, err)
	}
	second, err := pki.LoadOrMakeAuthority(folder, "ca")
	if err != nil {
		t.Fatal(err)
	}
	if string(second.CertPEM) != string(first.CertPEM) {
		t.Error("the second start made another authority; everybody who trusted the first one is locked out")
	}
	again, made, err := pki.MaybeDefaultWithSelfSignedCerts(folder, "apiserver", second, serving)
	if err != nil {
		t.Fatal(err)
	}
	if made || string(again.CertPEM) != string(pair.CertPEM) {
		t.Error("the second start made another pair, though the first one was good")
	}
}

func TestANewNameOfTheServerGetsIntoItsCertificate(t *testing.T) {
	folder, a := t.TempDir(), authority(t)
	if _, _, err := pki.MaybeDefaultWithSelfSignedCerts(folder, "apiserver", a, serving); err != nil {
		t.Fatal(err)
	}
	more := serving
	more.Names = append([]string{"192.0.2.7"}, serving.Names...)
	pair, made, err := pki.MaybeDefaultWithSelfSignedCerts(folder, "apiserver", a, more)
	if err != nil || !made {
		t.Fatalf("a server that is now 192.0.2.7 too needs a new certificate: made %v, error %v", made, err)
	}
	if err := tlsCert(t, pair).Leaf.VerifyHostname("192.0.2.7"); err != nil {
		t.Errorf("the new certificate is not for the new name: %v", err)
	}
}

func TestAPairThatSomebodyPutThereIsLeftAlone(t *testing.T) {
	folder := t.TempDir()
	other, err := pki.NewAuthority("somebody else's")
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := other.Issue(pki.Request{CommonName: "theirs", Names: []string{"api.example.com"}})
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(folder, "apiserver.crt"), theirs.CertPEM)
	write(t, filepath.Join(folder, "apiserver.key"), theirs.KeyPEM)
	pair, made, err := pki.MaybeDefaultWithSelfSignedCerts(folder, "apiserver", authority(t), serving)
	if err != nil || made || string(pair.CertPEM) != string(theirs.CertPEM) {
		t.Errorf("a pair of another authority must be used as it is, whatever its names: made %v, error %v", made, err)
	}
}

func TestHalfAPairIsAClearError(t *testing.T) {
	for _, missing := range []string{"apiserver.crt", "apiserver.key"} {
		folder, a := t.TempDir(), authority(t)
		if _, _, err := pki.MaybeDefaultWithSelfSignedCerts(folder, "apiserver", a, serving); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(filepath.Join(folder, missing)); err != nil {
			t.Fatal(err)
		}
		_, made, err := pki.MaybeDefaultWithSelfSignedCerts(folder, "apiserver", a, serving)
		if made || err == nil || !strings.Contains(err.Error(), missing) || !strings.Contains(err.Error(), "pair") {
			t.Errorf("without %s the error must name the file and say that they are a pair, got %v", missing, err)
		}
	}
}

func TestAFolderThatIsNoneIsNotCalledHalfAPair(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	write(t, file, nil)
	_, err := pki.LoadOrMakeAuthority(file, "ca")
	if err == nil || !strings.Contains(err.Error(), "ca.crt: not a directory") || strings.Contains(err.Error(), "pair") {
		t.Errorf("where the folder is a file, that and nothing else must be said, got %v", err)
	}
}

func TestAKeyOfAnotherCertificateIsAClearError(t *testing.T) {
	folder, a := t.TempDir(), authority(t)
	if _, _, err := pki.MaybeDefaultWithSelfSignedCerts(folder, "apiserver", a, serving); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(folder, "apiserver.key"), a.KeyPEM)
	_, _, err := pki.MaybeDefaultWithSelfSignedCerts(folder, "apiserver", a, serving)
	if err == nil || !strings.Contains(err.Error(), "apiserver.key") {
		t.Errorf("a key that does not belong to the certificate must be an error that names the files, got %v", err)
	}
}

func TestOnlyAnAuthorityIsReadAsOne(t *testing.T) {
	folder := t.TempDir()
	leaf, err := authority(t).Issue(serving)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(folder, "ca.crt"), leaf.CertPEM)
	write(t, filepath.Join(folder, "ca.key"), leaf.KeyPEM)
	if _, err := pki.LoadOrMakeAuthority(folder, "ca"); err == nil || !strings.Contains(err.Error(), "ca.crt") {
		t.Errorf("what a server's certificate signs is trusted by nobody; the error must name ca.crt, got %v", err)
	}
}

func TestTheKubeconfigIsEnoughToGetIn(t *testing.T) {
	a := authority(t)
	pair, err := a.Issue(serving)
	if err != nil {
		t.Fatal(err)
	}
	admin, err := a.Issue(pki.Request{CommonName: "kubernetes-admin", Organization: []string{"system:masters"}})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "admin.kubeconfig")
	if err := pki.WriteKubeconfig(path, "https://127.0.0.1:6443", a.CertPEM, admin); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	field := func(name string) []byte {
		m := regexp.MustCompile(name + `: (\S+)`).FindSubmatch(data)
		if m == nil {
			t.Fatalf("the kubeconfig has no %s:\n%s", name, data)
		}
		value, err := base64.StdEncoding.DecodeString(string(m[1]))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return value
	}
	client := pki.Pair{CertPEM: field("client-certificate-data"), KeyPEM: field("client-key-data")}
	shown, err := handshake(t,
		&tls.Config{Certificates: []tls.Certificate{tlsCert(t, pair)}, ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: pool(a.CertPEM)},
		&tls.Config{ServerName: "127.0.0.1", RootCAs: pool(field("certificate-authority-data")), Certificates: []tls.Certificate{tlsCert(t, client)}})
	if err != nil || len(shown) == 0 {
		t.Fatalf("with what stands in the kubeconfig both sides must accept each other: %v", err)
	}
	if who := shown[0].Subject.String(); who != "CN=kubernetes-admin,O=system:masters" {
		t.Errorf("the server must see the administrator, saw %s", who)
	}
}

func TestOnlyTheServerItselfTrustsTheLoopbackCertificate(t *testing.T) {
	cert, roots, err := pki.Loopback()
	if err != nil {
		t.Fatal(err)
	}
	server := &tls.Config{Certificates: []tls.Certificate{cert}}
	if _, err := handshake(t, server, &tls.Config{ServerName: pki.LoopbackName, RootCAs: roots}); err != nil {
		t.Errorf("the server's own client must accept it: %v", err)
	}
	_, others, err := pki.Loopback()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := handshake(t, server, &tls.Config{ServerName: pki.LoopbackName, RootCAs: others}); err == nil {
		t.Error("the client of another server accepted it, though the names are all that they share")
	}
}
