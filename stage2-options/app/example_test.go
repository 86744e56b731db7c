package app_test

import (
	"fmt"
	"io"

	"example.com/kube-apiserver/stage1-main/startup"
	"example.com/kube-apiserver/stage2-options/app"
	"example.com/kube-apiserver/stage2-options/options"
)

func ExampleCreateKubeAPIServerConfig() {
	s := options.NewServerRunOptions()
	s.Startup = startup.New(io.Discard)
	s.DryRun = true // the store is not looked at
	nodeTunneler, proxyTransport, _ := app.CreateNodeDialer(s)
	config, _, err := app.CreateKubeAPIServerConfig(s, nodeTunneler, proxyTransport)
	fmt.Println(err, len(config.AdmissionControl), config.ServiceIPRange.String(), config.APIServerServiceIP)
	// Output: <nil> 1 10.0.0.0/24 10.0.0.1
}
