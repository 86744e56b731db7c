// Package bench measures what a request costs: the real server as a process of
// its own, over TLS and HTTP/2, with every write on disk before it is answered,
// beside a static server that sends ready bytes of the same size.
//
// `make bench` runs it. The figure to trust on a machine with other work is
// cpu-µs/op, the processor time of the server's process alone.
//
// Article: none
// Upstream: none
// Now: none
// Reading: reference
package bench
