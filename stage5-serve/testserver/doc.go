// Package testserver starts a whole server for a test: isolated, with its data
// in a temporary folder, stopped in order when the test ends.
//
//	func TestMine(t *testing.T) {
//		s := testserver.Start(t, testserver.Options{})
//		resp, err := s.Client.Get(s.URL + "/api/v1/namespaces") // as an administrator
//		…
//	}
//
// Other programs get s.Kubeconfig, or URL, CA and Token. client-go can share the
// client, whose connections end with the server:
//
//	clients, err := kubernetes.NewForConfigAndClient(&rest.Config{Host: s.URL}, s.Client)
//
// Each test with a server of its own may be parallel. Where one is to serve a
// whole package, TestMain makes it with New and ends it with Stop.
//
// The modules are published nowhere: yours names the folder of each in a replace
// line. The page "How to …" in docs has the commands.
//
// Article: none
// Upstream: test/integration/framework/master_utils.go RunAMaster
// Now: cmd/kube-apiserver/app/testing/testserver.go StartTestServer
// Differs: needs no etcd.
// Reading: reference
package testserver
