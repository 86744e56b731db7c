package verflag

import (
	"fmt"
	"os"
	"strconv"

	"example.com/kube-apiserver/stage1-main/process/version"
	"github.com/spf13/pflag"
)

// versionValue is false, true or raw.
type versionValue string

func (v *versionValue) String() string { return string(*v) }
func (v *versionValue) Type() string   { return "version" }

func (v *versionValue) Set(s string) error {
	if s == "raw" {
		*v = "raw"
		return nil
	}
	b, err := strconv.ParseBool(s)
	if err != nil {
		return fmt.Errorf("want true, false or raw")
	}
	*v = versionValue(strconv.FormatBool(b))
	return nil
}

var requested = versionValue("false")

// AddFlags registers --version. Without a value it means true.
func AddFlags(fs *pflag.FlagSet) {
	fs.Var(&requested, "version", "print the version and exit: --version, or --version=raw for all that is known")
	fs.Lookup("version").NoOptDefVal = "true"
}

// PrintAndExitIfRequested prints to stdout and ends the process with code 0 if
// --version was given. Only main calls it.
//
// Upstream: pkg/version/verflag/verflag.go PrintAndExitIfRequested
func PrintAndExitIfRequested() {
	switch requested {
	case "raw":
		fmt.Printf("%#v\n", version.Get())
		os.Exit(0)
	case "true":
		fmt.Printf("Kubernetes %s\n", version.Get().GitVersion)
		os.Exit(0)
	}
}
