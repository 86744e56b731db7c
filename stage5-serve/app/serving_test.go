package app_test

import (
	"crypto/x509"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/kube-apiserver/stage5-serve/certs/pki"
	"example.com/kube-apiserver/stage5-serve/testserver"
)

// serverPair writes a server's certificate and its key, and returns the
// authority that has signed it.
func serverPair(t *testing.T, folder string) *pki.Authority {
	t.Helper()
	authority, err := pki.NewAuthority("own")
	if err != nil {
		t.Fatal(err)
	}
	pair, err := authority.Issue(pki.Request{CommonName: "mine", Names: []string{"127.0.0.1"}})
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(folder, "tls.crt"), string(pair.CertPEM))
	write(t, filepath.Join(folder, "tls.key"), string(pair.KeyPEM))
	return authority
}

// given are the flags for the files of serverPair.
func given(folder string) []string {
	return []string{"--tls-cert-file=" + filepath.Join(folder, "tls.crt"), "--tls-private-key-file=" + filepath.Join(folder, "tls.key")}
}

func TestTheAdministratorTrustsAGivenCertificate(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	own := serverPair(t, folder)
	s := testserver.Start(t, testserver.Options{Args: given(folder)}) // it speaks to the server as the kubeconfig says
	resp, err := s.Client.Get(s.URL + "/version")
	if err != nil {
		t.Fatalf("what the server shows must be trusted by who has the kubeconfig: %v", err)
	}
	resp.Body.Close()
	if !strings.Contains(string(s.CA), string(own.CertPEM)) {
		t.Error("the kubeconfig must carry the chain of the given certificate")
	}
}

func TestACertificateThatChangesIsShownWithoutARestart(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	serverPair(t, folder)
	s := testserver.Start(t, testserver.Options{Args: given(folder)})
	next := serverPair(t, folder)
	client := s.As("")
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(next.CertPEM)
	client.Transport.(interface{ Unwrap() *http.Transport }).Unwrap().TLSClientConfig.RootCAs = roots
	for again := time.NewTicker(50 * time.Millisecond); ; <-again.C { // it is looked for every second; the test's timeout bounds it
		resp, err := client.Get(s.URL + "/version")
		if err == nil {
			resp.Body.Close()
			return
		}
		if !strings.Contains(err.Error(), "unknown authority") {
			t.Fatal(err)
		}
	}
}

func TestHundredsOfWatchesOfOneClientGoOn(t *testing.T) {
	t.Parallel()
	s := start(t)
	var watches, gets sync.WaitGroup
	began := make(chan struct{}, 300)
	for range 300 {
		watches.Go(func() {
			resp, err := s.Client.Get(s.url + "/api/v1/namespaces/default/configmaps?watch=true")
			if err != nil {
				t.Error(err)
				return
			}
			defer resp.Body.Close()
			began <- struct{}{}
			buf := make([]byte, 1<<16)
			if n, err := resp.Body.Read(buf); err != nil || !strings.Contains(string(buf[:n]), `"ADDED"`) {
				t.Errorf("a watch must tell what is added, it said %q, %v", buf[:n], err)
			}
		})
	}
	for range 300 {
		<-began
	}
	for i := range 50 {
		gets.Go(func() {
			resp, err := s.Client.Get(fmt.Sprintf("%s/version?%d", s.url, i))
			if err != nil {
				t.Error(err)
				return
			}
			resp.Body.Close()
		})
	}
	gets.Wait()
	if code, answer := s.do(t, "POST", "/api/v1/namespaces/default/configmaps", `{"metadata":{"name":"seen"}}`); code != http.StatusCreated {
		t.Errorf("POST beside 300 watches: got %d\n%s", code, answer)
	}
	watches.Wait()
}

func TestATokenFileIsReadAgainWhenItChanges(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	s := testserver.Start(t, testserver.Options{Folder: folder})
	tokens := filepath.Join(folder, "tokens.csv")
	text, err := os.ReadFile(tokens)
	if err != nil {
		t.Fatal(err)
	}
	write(t, tokens, string(text)+"new,carol,carol,\"devs\"\n")
	for again := time.NewTicker(50 * time.Millisecond); ; <-again.C {
		resp, err := s.As("new").Get(s.URL + "/version")
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode == 200 {
			return
		}
	}
}
