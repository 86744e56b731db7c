package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os/signal"
	"strings"
	"syscall"
	"testing"

	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage5-serve/testserver"
)

// The files of this process may grow to 2 MB only, as on a disk that is full.
func TestAFullDiskIsAnsweredAndReadsAndLaterWritesGoOn(t *testing.T) {
	s := testserver.Start(t, testserver.Options{Args: []string{"--controllers="}})
	const maps = "/api/v1/namespaces/default/configmaps"
	create := func(i int) (int, []byte) {
		return answer(t, s.Client, "POST", s.URL+maps, fmt.Sprintf(`{"metadata":{"name":"m%d"},"data":{"v":%q}}`, i, strings.Repeat("x", 100_000)))
	}
	full(t, func() {
		stored, code, body := 0, http.StatusCreated, []byte(nil)
		for code == http.StatusCreated && stored < 100 {
			if code, body = create(stored); code == http.StatusCreated {
				stored++
			}
		}
		var refused status.Status // without a reason: as upstream, where it has none for what its store says
		if err := json.Unmarshal(body, &refused); err != nil || code != http.StatusInternalServerError || refused.Kind != "Status" ||
			refused.Status != "Failure" || refused.Code != code || !strings.Contains(refused.Message, "state.db: file too large") {
			t.Errorf("a write that does not fit is answered with 500 and a Status that says why, got %d, %v: %.300s", code, err, body)
		}
		var list struct{ Items []any }
		code, body = answer(t, s.Client, "GET", s.URL+maps+"", "")
		if err := json.Unmarshal(body, &list); err != nil || code != http.StatusOK || len(list.Items) != stored {
			t.Errorf("%d writes were acknowledged; the list is answered with %d and has %d (%v)", stored, code, len(list.Items), err)
		}
	})
	if code, body := create(100); code != http.StatusCreated {
		t.Errorf("with space again, a write is answered with 201, got %d: %.300s", code, body)
	}
}

// full lets no file of this process grow beyond 2 MB while f runs.
func full(t *testing.T, f func()) {
	t.Helper()
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &before); err != nil {
		t.Skipf("this system limits no files: %v", err)
	}
	signal.Ignore(syscall.SIGXFSZ) // then the write fails, and not the process
	defer signal.Reset(syscall.SIGXFSZ)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 2 << 20, Max: before.Max}); err != nil {
		t.Skipf("this system limits no files: %v", err)
	}
	defer syscall.Setrlimit(syscall.RLIMIT_FSIZE, &before)
	f()
}

func answer(t *testing.T, client *http.Client, method, url, body string) (int, []byte) {
	t.Helper()
	code, data, err := post(client, method, url, body)
	if err != nil {
		t.Fatal(err)
	}
	return code, data
}
