package app_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	killedFolder = "STAGE3_TEST_FOLDER" // set in the process that is to be killed
	inAll        = "/api/v1/services"
	inDefault    = "/api/v1/namespaces/default/services"
	someAddress  = 126 // in the network of smallNetwork, without the network itself and its broadcast address
)

var smallNetwork = []string{"--service-cluster-ip-range=10.0.0.0/25", "--service-node-port-range=30000-30199"}

type service struct {
	Metadata struct{ Name string }
	Spec     struct {
		ClusterIP string
		Ports     []struct{ NodePort int }
	}
}

// send sends JSON and reads JSON.
func send(method, url, body string, into any) (int, error) {
	req, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		return 0, err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		return 0, err
	}
	return res.StatusCode, json.Unmarshal(b, into)
}

func nodePort(name string) string {
	return fmt.Sprintf(`{"apiVersion":"v1","kind":"Service","metadata":{"name":%q},"spec":{"type":"NodePort","ports":[{"port":80}]}}`, name)
}

// A child makes and deletes services until it is killed. What it told of is
// there afterwards, no address belongs to two, and none is lost.
func TestAddressesOfServicesAfterKill9(t *testing.T) {
	if folder := os.Getenv(killedFolder); folder != "" {
		makeServicesUntilKilled(t, folder)
		return
	}
	folder := t.TempDir()
	for _, n := range []int{1, 60} {
		told := killAfter(t, folder, n)
		url, _, stop := run(t, folder, smallNetwork...)
		there := services(t, url)
		for name, ip := range told {
			if ip != "?" && there[name].Spec.ClusterIP != ip {
				t.Errorf("the child told that %s has the address %q (none: that it is gone); it has %q", name, ip, there[name].Spec.ClusterIP)
			}
		}
		made := 0
		for ; made <= someAddress; made++ {
			code, err := send("POST", url+inDefault, nodePort(fmt.Sprintf("more-%d-%d", n, made)), new(service))
			if err != nil || code != http.StatusCreated {
				break
			}
		}
		if made+len(there) != someAddress {
			t.Errorf("%d services were there and %d more were made, of %d addresses", len(there), made, someAddress)
		}
		services(t, url)
		for i := range made {
			if _, err := send("DELETE", fmt.Sprintf("%s%s/more-%d-%d", url, inDefault, n, i), "", new(struct{})); err != nil {
				t.Fatal(err)
			}
		}
		stop()
	}
}

// services are all there are, each with an address and a port of its own.
func services(t *testing.T, url string) map[string]service {
	t.Helper()
	var list struct{ Items []service }
	if _, err := send("GET", url+inAll, "", &list); err != nil {
		t.Fatal(err)
	}
	all, owner := map[string]service{}, map[string]string{}
	for _, s := range list.Items {
		all[s.Metadata.Name] = s
		for _, what := range []string{s.Spec.ClusterIP, fmt.Sprint(s.Spec.Ports[0].NodePort)} {
			if other := owner[what]; other != "" || what == "" || what == "0" {
				t.Errorf("%s has %q, which %q has too", s.Metadata.Name, what, other)
			}
			owner[what] = s.Metadata.Name
		}
	}
	return all
}

// killAfter kills the child after n lines and returns what all of them said.
func killAfter(t *testing.T, folder string, n int) map[string]string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestAddressesOfServicesAfterKill9$")
	cmd.Env = append(os.Environ(), killedFolder+"="+folder)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	told := map[string]string{}
	lines := 0
	for in := bufio.NewScanner(out); in.Scan(); {
		var name, ip string
		if c, _ := fmt.Sscanf(in.Text(), "told %s %s .", &name, &ip); c != 2 || !strings.HasSuffix(in.Text(), " .") {
			continue
		}
		told[name] = strings.Trim(ip, "-")
		if lines++; lines == n {
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := cmd.Wait(); lines < n {
		t.Fatalf("the child ended by itself after %d of %d lines: %v", lines, n, err)
	}
	return told
}

// makeServicesUntilKilled tells of each service with its address, and of each
// deletion with "-". The dot says that a line is complete.
func makeServicesUntilKilled(t *testing.T, folder string) {
	url, _, _ := run(t, folder, smallNetwork...)
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			for i := 0; ; i++ {
				name := fmt.Sprintf("s%d-%d-%d", os.Getpid(), w, i)
				var s service
				if code, err := send("POST", url+inDefault, nodePort(name), &s); err != nil || code != http.StatusCreated {
					fmt.Println("failed", code, err)
					return
				}
				fmt.Printf("told %s %s .\n", name, s.Spec.ClusterIP)
				if i < 3 {
					continue // three of each stay
				}
				// Before it is asked for: who is killed between the two has told of nothing that holds.
				fmt.Printf("told %s ? .\n", name)
				if code, err := send("DELETE", url+inDefault+"/"+name, "", new(struct{})); err != nil || code != http.StatusOK {
					fmt.Println("failed", code, err)
					return
				}
				fmt.Printf("told %s - .\n", name)
			}
		})
	}
	wg.Wait()
}
