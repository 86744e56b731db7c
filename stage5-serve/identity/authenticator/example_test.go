package authenticator_test

import (
	"fmt"
	"net/http/httptest"

	"example.com/kube-apiserver/stage3-storage/registry/request"
	"example.com/kube-apiserver/stage5-serve/identity/authenticator"
)

// The same request with a good token, with none and with a bad one.
func Example() {
	who := authenticator.Union{
		authenticator.Tokens{{Secret: "alicetoken", User: request.User{Name: "alice", Groups: []string{"devs"}}}},
		authenticator.Anonymous{},
	}
	for _, header := range []string{"Bearer alicetoken", "", "Bearer mallory"} {
		req := httptest.NewRequest("GET", "/api", nil)
		req.Header.Set("Authorization", header)
		user, ok, err := who.Authenticate(req)
		fmt.Println(user.Name, user.Groups, ok, err)
	}
	// Output:
	// alice [devs system:authenticated] true <nil>
	// system:anonymous [system:unauthenticated] true <nil>
	//  [] false invalid bearer token
}
