package flag

import (
	"regexp"
	"strings"

	"example.com/kube-apiserver/stage1-main/process/logs"
	"github.com/spf13/pflag"
)

// PrintFlags logs every flag with its value, for who asks with -v=4 what the
// process was told.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/util/flag/flags.go InitFlags
func PrintFlags(fs *pflag.FlagSet) {
	fs.VisitAll(func(f *pflag.Flag) { logs.V(4).Infof("FLAG: --%s=%q", f.Name, Shown(f)) })
}

var passwordInURL = regexp.MustCompile(`://[^/@\s]*@`)

// Shown is the value of a flag as it may be printed: without the password that
// a URL may have in it.
func Shown(f *pflag.Flag) string {
	value := f.Value.String()
	if strings.HasPrefix(f.Value.Type(), "string") {
		value = strings.TrimSuffix(strings.TrimPrefix(value, "["), "]")
	}
	if value == "<nil>" {
		return ""
	}
	return passwordInURL.ReplaceAllString(value, "://(not shown)@")
}
