// Package options holds everything that a user can ask of the server: twelve
// groups of defaults and some loose ones, filled by flags, then defaulted and
// validated. To see what a flag does, start at the group's AddFlags.
//
// A flag works, or it is harmless (accepted without effect, and says so), or
// it is refused, because whoever set it would wrongly feel safe. What is
// written here works or has a field already; package flagtable has the rest of 1.7's flags.
//
// Article: A2.2, A2.3, A3.5, A3.6
// Upstream: cmd/kube-apiserver/app/options/options.go ServerRunOptions
// Now: pkg/controlplane/apiserver/options/options.go Options
// Differs: --bind-address is 127.0.0.1, not every address of the machine; --cert-dir is a folder where the server is started, not one of the system's.
// Differs: --service-cluster-ip-range has the default that 1.7 computes and throws away; nothing is written to disk before everything is validated.
// Simplified: a flag that nothing reads yet is accepted with a warning.
// Reading: core
package options
