package app_test

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
)

func TestATunnelIsOpenedToTheExternalAddressOfANode(t *testing.T) {
	node, err := net.Listen("tcp", "127.0.0.1:0") // an SSH server that says nothing
	if err != nil {
		t.Fatal(err)
	}
	defer node.Close()
	folder := t.TempDir()
	url, _, stop := run(t, folder)
	for name, addresses := range map[string]string{
		"inside": `[{"type": "InternalIP", "address": "10.1.2.3"}]`,
		"edge":   fmt.Sprintf(`[{"type": "InternalIP", "address": "10.1.2.4"}, {"type": "ExternalIP", "address": %q}]`, node.Addr()),
	} {
		body := fmt.Sprintf(`{"apiVersion": "v1", "kind": "Node", "metadata": {"name": %q}, "status": {"addresses": %s}}`, name, addresses)
		resp, err := http.Post(url+"/api/v1/nodes", "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusCreated {
			t.Fatalf("the node %s was not created: %s", name, resp.Status)
		}
	}
	stop()

	_, _, stop = run(t, folder, "--ssh-user=core", "--ssh-keyfile="+filepath.Join(folder, "id"))
	defer stop()
	conn, err := node.Accept() // without a tunnel the test ends with its deadline
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if line, err := bufio.NewReader(conn).ReadString('\n'); err != nil || !strings.HasPrefix(line, "SSH-2.0-") {
		t.Errorf("whoever connects to a node speaks SSH, this one says %q, %v", line, err)
	}
}
