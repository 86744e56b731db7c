package server_test

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"

	stage1 "example.com/kube-apiserver/stage1-main/server"
	stage4 "example.com/kube-apiserver/stage4-informers/server"
	"example.com/kube-apiserver/stage5-serve/certs/pki"
	"example.com/kube-apiserver/stage5-serve/server"
)

// A server over TLS that stops when it is told to.
func Example() {
	cert, roots, err := pki.Loopback()
	if err != nil {
		fmt.Println(err)
		return
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0") // opened long before it is served
	if err != nil {
		fmt.Println(err)
		return
	}
	s := server.New(stage4.New(generic("example", nil)), &server.SecureServingInfo{
		Listener: ln, Cert: func() *tls.Certificate { return &cert }, SNICerts: func() map[string]*tls.Certificate { return nil },
	})
	stopCh := make(chan struct{})
	s.On(stage1.Listening, "ask", func(context.Context) error {
		client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, ServerName: pki.LoopbackName}, ForceAttemptHTTP2: true}}
		resp, err := client.Get("https://" + ln.Addr().String() + "/healthz")
		if err == nil {
			fmt.Println(resp.Proto, resp.Status)
			err = resp.Body.Close()
		}
		client.CloseIdleConnections()
		close(stopCh)
		return err
	})
	fmt.Println(s.PrepareRun().Run(stopCh))
	// Output:
	// HTTP/2.0 200 OK
	// <nil>
}
