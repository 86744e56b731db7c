// Package kubelet carries connections to where stage 3's subresources have
// found that they lead: to kubelets, which have the logs of containers and let
// one in, and to whatever listens on nodes, in pods and behind services. The
// way there, direct or by SSH tunnel, is stage 2's.
//
// Where to look: kubelet.go picks the transport, transport.go makes it; read.go
// passes on logs, proxy.go everything else, with pair.go for connections that
// have changed their protocol.
//
// Article: A3.2, A3.10
// Upstream: pkg/registry/core/pod/rest/subresources.go newThrottledUpgradeAwareProxyHandler
// Now: staging/src/k8s.io/apimachinery/pkg/util/proxy/upgradeaware.go UpgradeAwareHandler
// Differs: a WebSocket is passed on to the kubelet whatever it carries, as today's server does for nodes that say they speak v5.channel.k8s.io; for others it translates to SPDY, where here the kubelet refuses and kubectl falls back to SPDY by itself.
// Differs: who follows no log and gets no answer, or wants another protocol and gets none, is told after a while; upstream waits for ever.
// Differs: an answer that the node breaks off is broken off; upstream ends it as if it were whole.
// Differs: when one side of a connection has said its last word the other may finish, up to half a minute of silence; upstream closes both at once.
// Simplified: links in the HTML of pods are not rewritten, only those of redirects.
// Simplified: the bandwidth of a connection is not limited (--max-connection-bytes-per-sec).
// Reading: reference
package kubelet
