// Package options holds everything that a user can ask of the server: twelve
// groups of defaults and some loose ones, filled by flags, then defaulted and
// validated. To see what a flag does, start at the group's AddFlags.
//
// The flags here are 1.7's, and work, from this stage or a later one on. Package
// flagtable has the others: today's, and this server's own, that work; those that
// are harmless, which are accepted without effect; and those whose user would
// wrongly feel safe, which are refused.
//
// Article: A2.2, A2.3, A3.5, A3.6
// Upstream: cmd/kube-apiserver/app/options/options.go ServerRunOptions
// Now: pkg/controlplane/apiserver/options/options.go Options
// Differs: --bind-address is 127.0.0.1, not every address of the machine; --cert-dir is a folder where the server is started, not one of the system's.
// Differs: 1.7 computes a default for --service-cluster-ip-range and throws it away, then asks for one; here it is kept.
// Differs: nothing is written to disk before everything is validated; 1.7 makes its certificates while it looks for defaults.
// Simplified: the sizes of 1.7's watch caches are not computed.
// Reading: core
package options
