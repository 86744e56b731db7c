package app_test

import (
	"fmt"
	"io"
	"net"
	"strings"
	"testing"

	"example.com/kube-apiserver/stage1-main/app"
	"example.com/kube-apiserver/stage1-main/options"
	"example.com/kube-apiserver/stage1-main/process/wait"
	"example.com/kube-apiserver/stage1-main/startup"
)

func quiet() *options.ServerRunOptions {
	s := options.NewServerRunOptions()
	s.Startup = startup.New(io.Discard)
	return s
}

func TestAWrongOptionEndsRunBeforeAnythingListens(t *testing.T) {
	s := quiet()
	s.InsecureServing.BindPort = 70000
	if err := app.Run(s, wait.NeverStop); err == nil || !strings.HasPrefix(err.Error(), "--insecure-port=70000: ") {
		t.Errorf("the error must name the flag, got %v", err)
	}
}

func TestTheFirstScreenSaysWhereTheServerIs(t *testing.T) {
	s := quiet()
	var screen strings.Builder
	s.Startup = startup.New(&screen)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.InsecureServing.BindPort = ln.Addr().(*net.TCPAddr).Port
	ln.Close()
	stopCh := make(chan struct{})
	close(stopCh)
	if err := app.Run(s, stopCh); err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("serving http://127.0.0.1:%d ", s.InsecureServing.BindPort); !strings.Contains(screen.String(), want) {
		t.Errorf("the first screen must say %q, it is\n%s", want, screen.String())
	}
}

func ExampleRun() {
	s := options.NewServerRunOptions()
	s.Startup = startup.New(io.Discard)
	s.InsecureServing.BindPort = 0 // no port at all
	stopCh := make(chan struct{})
	close(stopCh) // it stops in order as soon as it has started
	fmt.Println(app.Run(s, stopCh))
	// Output: <nil>
}
