// Package flagtable has the flags of 1.7 that do not work here, a row each, and
// the names that some of them have today.
//
// A harmless flag is accepted, so that a command line written for
// kube-apiserver starts this server too; it says in --help, and when it is
// set, that nothing comes of it. A flag is refused if its user counts on a
// protection, or on users or logs, that would silently not be there. A flag
// that begins to work moves to its group in package options.
//
// Here is also what users of real command lines need besides: names that flags
// had before; today's flags that enable and disable plugins, and --controllers;
// values that have to be taken apart; and --dry-run, with what it and --help
// print of all flags, since that is where their class shows.
//
// Article: A2.3
// Upstream: cmd/kube-apiserver/app/options/options.go AddFlags
// Now: pkg/controlplane/apiserver/options/options.go AddFlags
// Differs: the flags that 1.7 gets from other packages as they are loaded stand here as well.
// Reading: reference
package flagtable
