package options_test

import (
	"fmt"
	"net"
	"strings"
	"testing"

	"example.com/kube-apiserver/stage1-main/options"
	"github.com/spf13/pflag"
)

func TestParsedValueLandsInTheStruct(t *testing.T) {
	s := options.NewServerRunOptions()
	fs := pflag.NewFlagSet("test", pflag.ContinueOnError)
	s.AddFlags(fs)
	if err := fs.Parse([]string{"--insecure-port=9090"}); err != nil {
		t.Fatal(err)
	}
	if got := s.InsecureServing.BindPort; got != 9090 {
		t.Errorf("after parsing --insecure-port=9090 the field BindPort is %d: the flag must be bound to the field's address, not to a copy", got)
	}
}

func TestPortInUseIsOneLineThatNamesTheFlag(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	o := options.NewInsecureServingOptions()
	o.BindPort = taken.Addr().(*net.TCPAddr).Port
	_, err = o.Listen()
	if err == nil || !strings.HasPrefix(err.Error(), fmt.Sprintf("--insecure-port=%d: ", o.BindPort)) || strings.Contains(err.Error(), "\n") {
		t.Errorf("want one line that begins with the flag and its value, got %v", err)
	}
}

func ExampleServerRunOptions_AddFlags() {
	s := options.NewServerRunOptions()
	fs := pflag.NewFlagSet("kube-apiserver", pflag.ContinueOnError)
	s.AddFlags(fs)
	fmt.Println("before:", s.InsecureServing.BindPort)
	fs.Parse([]string{"--insecure-port", "0"})
	fmt.Println("after: ", s.InsecureServing.BindPort)
	// Output:
	// before: 8080
	// after:  0
}
