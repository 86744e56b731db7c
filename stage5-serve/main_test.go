package main

import (
	"bufio"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"example.com/kube-apiserver/stage3-storage/object"
)

// TestMain lets the test binary be the server: a child process with this
// variable set runs the real main.
func TestMain(m *testing.M) {
	if os.Getenv("RUN_MAIN") == "1" {
		main()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// serve starts the real server as a child on a folder and returns its URL,
// when it is ready.
func serve(t *testing.T, client *http.Client, folder string) (*exec.Cmd, string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "--secure-port=0", "--bbolt-file="+filepath.Join(folder, "state.db"),
		"--cert-dir="+filepath.Join(folder, "certs"), "--token-auth-file="+filepath.Join(folder, "tokens.csv"))
	cmd.Env = append(os.Environ(), "RUN_MAIN=1")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		if rest, ok := strings.CutPrefix(lines.Text(), "serving "); ok {
			go io.Copy(io.Discard, stderr) // ends with the child
			url := strings.Fields(rest)[0]
			for code := 0; code != http.StatusOK; { // the hooks are at work
				var err error
				if code, _, err = post(client, "GET", url+"/readyz", ""); err != nil {
					t.Fatal(err)
				}
			}
			return cmd, url
		}
	}
	t.Fatal("the server ended before it served")
	return nil, ""
}

func post(client *http.Client, method, url, body string) (int, []byte, error) {
	req, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	req.Header.Set("Authorization", "Bearer admintoken")
	req.Header.Set("Content-Type", "application/json")
	resp, err := client.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	return resp.StatusCode, answer, err
}

func TestAcknowledgedWritesSurviveKill9OfTheServer(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "tokens.csv"), []byte(`admintoken,admin,admin,"system:masters"`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	acknowledged := map[string]int64{} // name → revision
	highest := int64(0)
	for round := range 3 {
		cmd, url := serve(t, client, folder)
		for name, rev := range writeUntilKilled(t, cmd, client, url, round, 60+40*round) {
			acknowledged[name] = rev
			if rev <= highest && round == 0 {
				continue
			}
			highest = max(highest, rev)
		}
		client.CloseIdleConnections()
	}
	cmd, url := serve(t, client, folder)
	defer cmd.Wait()
	defer cmd.Process.Kill()
	for name, rev := range acknowledged {
		code, answer, err := post(client, "GET", url+"/api/v1/namespaces/default/configmaps/"+name, "")
		if err != nil || code != 200 {
			t.Fatalf("%s was acknowledged, and after the kill it is answered with %d, %v", name, code, err)
		}
		if got, data := read(t, answer); got != rev || data != name {
			t.Errorf("%s was acknowledged at revision %d; it is at %d and holds %q", name, rev, got, data)
		}
	}
	code, answer, err := post(client, "POST", url+"/api/v1/namespaces/default/configmaps", `{"metadata":{"name":"after"},"data":{"v":"after"}}`)
	if err != nil || code != 201 {
		t.Fatalf("a write after the kill: %d, %v", code, err)
	}
	if rev, _ := read(t, answer); rev <= highest {
		t.Errorf("revision %d was given out before the kill, and %d after it", highest, rev)
	}
}

func read(t *testing.T, answer []byte) (rev int64, data string) {
	t.Helper()
	e, err := object.FromWire(answer)
	if err != nil {
		t.Fatalf("half an object came back: %v", err)
	}
	obj, err := e.Object()
	if err != nil {
		t.Fatal(err)
	}
	fields, _ := obj.Fields["data"].(map[string]any)
	data, _ = fields["v"].(string)
	return e.Revision(), data
}

// writeUntilKilled lets 16 writers post until n writes were acknowledged, then
// kills the server in the midst of the others.
func writeUntilKilled(t *testing.T, cmd *exec.Cmd, client *http.Client, url string, round, n int) map[string]int64 {
	t.Helper()
	var mu sync.Mutex
	told := map[string]int64{}
	var wg sync.WaitGroup
	for w := range 16 {
		wg.Go(func() {
			for i := range 10_000 {
				name := fmt.Sprintf("w%d-%d-%d", round, w, i)
				code, answer, err := post(client, "POST", url+"/api/v1/namespaces/default/configmaps", fmt.Sprintf(`{"metadata":{"name":%q},"data":{"v":%q}}`, name, name))
				if err != nil || code != 201 {
					return // the server is gone
				}
				e, err := object.FromWire(answer)
				if err != nil {
					return // cut off in the midst of its answer
				}
				mu.Lock()
				told[name] = e.Revision()
				if len(told) == n {
					cmd.Process.Kill()
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	cmd.Process.Kill() // in case the writers gave up before
	cmd.Wait()         // reports the kill
	if len(told) < n {
		t.Fatalf("the server ended by itself after %d writes", len(told))
	}
	return told
}
