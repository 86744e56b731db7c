// Command stage5-serve is the whole server: TLS, users and permissions, three servers
// in a chain, and an orderly stop.
package main

import (
	"fmt"
	"os"

	"example.com/kube-apiserver/stage1-main/process/flag"
	"example.com/kube-apiserver/stage1-main/process/logs"
	"example.com/kube-apiserver/stage1-main/process/signals"
	"example.com/kube-apiserver/stage1-main/process/verflag"
	"example.com/kube-apiserver/stage2-options/options/flagtable"
	"example.com/kube-apiserver/stage5-serve/app"
	"example.com/kube-apiserver/stage5-serve/flags"
	"github.com/spf13/pflag"
)

func main() {
	// Differs: rand.Seed stood here; since Go 1.20 the generator seeds itself. [A2.1]

	s := app.NewServerRunOptions()                            // an object of defaults [A2.2]
	s.AddFlags(pflag.CommandLine)                             // its fields become flags [A2.3]
	flags.AddFlags(s)                                         // and more of them in this stage than in the second
	flagtable.AddFlags(s.ServerRunOptions, pflag.CommandLine) // flags of 1.7 that do nothing here, or are refused
	verflag.AddFlags(pflag.CommandLine)

	flag.InitFlags() // the command line fills the object [A2.4]
	logs.InitLogs()
	defer logs.FlushLogs()

	verflag.PrintAndExitIfRequested()

	// Differs: the article passes wait.NeverStop; a signal that stops the server in order came later. [A3.1]
	if err := app.Run(s, signals.SetupSignalHandler()); err != nil {
		logs.FlushLogs() // Differs: os.Exit runs no deferred call, so the article's main loses the last lines
		fmt.Fprintf(os.Stderr, "%v\n", err)
		os.Exit(1)
	}
}
