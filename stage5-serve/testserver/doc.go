// Package testserver starts a whole server for a test: isolated, with its data
// in a temporary folder, stopped in order when the test ends.
//
//	func TestMine(t *testing.T) {
//		s := testserver.Start(t, testserver.Options{})
//		resp, err := s.Client.Get(s.URL + "/api/v1/namespaces") // as an administrator
//		…
//	}
//
// Other programs get s.Kubeconfig, or URL, CA and Token.
//
// Article: none
// Upstream: cmd/kube-apiserver/app/testing/testserver.go StartTestServer
// Now: cmd/kube-apiserver/app/testing/testserver.go StartTestServer
// Differs: needs no etcd.
// Reading: reference
package testserver
