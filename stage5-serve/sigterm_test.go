package main

import (
	"bytes"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// TestSIGTERMUnderLoadCutsNothing: writers and readers are at work when the
// signal comes. Whatever the server has begun to answer it answers, it ends
// with code 0, and every write that it has acknowledged is there afterwards.
func TestSIGTERMUnderLoadCutsNothing(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "tokens.csv"), []byte(`admintoken,admin,admin,"system:masters"`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, ForceAttemptHTTP2: true}}
	cmd, url := serve(t, client, folder)
	var mu sync.Mutex // guards what follows
	acknowledged := map[string]bool{}
	signalled := sync.OnceFunc(func() { cmd.Process.Signal(syscall.SIGTERM) })
	const maps = "/api/v1/namespaces/default/configmaps"
	var wg sync.WaitGroup
	for w := range 64 {
		wg.Go(func() {
			for i := range 10_000 {
				method, path, body, name := "GET", maps+"?limit=10", "", ""
				if w%4 != 0 {
					name = fmt.Sprintf("w%d-%d", w, i)
					method, path, body = "POST", maps, fmt.Sprintf(`{"metadata":{"name":%q},"data":{"v":%q}}`, name, name)
				}
				code, _, err := post(client, method, url+path, body)
				if err != nil {
					if !refused(err) {
						t.Errorf("%s %s was cut: %v", method, path, err)
					}
					return
				}
				if code >= 300 {
					t.Errorf("%s %s was answered with %d", method, path, code)
					return
				}
				mu.Lock()
				if name != "" {
					acknowledged[name] = true
				}
				if len(acknowledged) == 2000 {
					signalled()
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if err := cmd.Wait(); err != nil {
		t.Errorf("the server must end with code 0, it ended with %v", err)
	}
	client.CloseIdleConnections()
	cmd, url = serve(t, client, folder)
	defer cmd.Wait()
	defer cmd.Process.Kill()
	code, list, err := post(client, "GET", url+maps, "")
	if err != nil || code != 200 {
		t.Fatalf("after the stop the list is answered with %d, %v", code, err)
	}
	for name := range acknowledged {
		if !bytes.Contains(list, []byte(`"data":{"v":"`+name+`"}`)) {
			t.Errorf("%s was acknowledged, and after the stop it is not there", name)
		}
	}
}

// refused says whether a request has never reached the server: the socket was
// closed, or the connection had been told to take no more requests.
func refused(err error) bool {
	return errors.Is(err, syscall.ECONNREFUSED) || strings.Contains(err.Error(), "GOAWAY") && !strings.Contains(err.Error(), "after") ||
		strings.Contains(err.Error(), "client connection is not usable") || strings.Contains(err.Error(), "use of closed network connection")
}
