package app_test

import (
	"fmt"

	"example.com/kube-apiserver/stage5-serve/app"
)

// What is different about a server that one may leave running.
func Example() {
	s := app.NewServerRunOptions()
	fmt.Println("https on", s.SecureServing.BindAddress, s.SecureServing.BindPort)
	fmt.Println("plain http on port", s.InsecureServing.BindPort)
	fmt.Println("authorization by", s.Authorization.Modes)
	// Output:
	// https on 127.0.0.1 6443
	// plain http on port 0
	// authorization by [RBAC]
}
