// Package tunnel reaches nodes through SSH, for clusters whose nodes have no
// address that the API server could connect to, only one on which they accept
// SSH. Each node has a tunnel that its own goroutine opens, watches, and opens
// again; a connection to whatever address goes through one of those that are
// open.
//
// Article: A3.2
// Upstream: pkg/master/tunneler/ssh.go SSHTunneler
// Now: none
// Differs: a key file that is there is used as it is; 1.7 makes a new pair, and removes the old key, if the .pub file beside it is missing.
// Differs: the key is Ed25519 in OpenSSH's own format; 1.7 makes RSA in PEM.
// Differs: if nodes cannot be listed the tunnels stay open, and the time of the last sync stays old; 1.7 closes them all and calls that a sync.
// Differs: an open tunnel is asked for a sign of life by SSH itself; 1.7 asks the node's kubelet on its read-only port, which is closed today.
// Differs: without an installer the key is expected on the nodes; 1.7's health turns red after ten minutes.
// Simplified: as in 1.7, nobody checks the host keys of nodes. What is inside a tunnel has to protect itself, as TLS to a kubelet does.
// Reading: reference
package tunnel
