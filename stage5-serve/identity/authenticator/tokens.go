package authenticator

import (
	"crypto/subtle"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"unicode"

	"example.com/kube-apiserver/stage3-storage/registry/request"
)

// Tokens knows users by bearer tokens.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/authentication/token/tokenfile/tokenfile.go TokenAuthenticator
type Tokens []Token

// Token is one token and whose it is.
type Token struct {
	Secret string
	User   request.User
}

// Loopback knows the server's own client, which may do everything.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/config.go completedConfig.New
// Now: staging/src/k8s.io/apiserver/pkg/server/config.go AuthorizeClientBearerToken
func Loopback(secret string) Tokens {
	return Tokens{{secret, request.User{Name: APIServerUser, Groups: []string{SystemPrivilegedGroup}}}}
}

// Authenticate is part of Authenticator.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/authentication/request/bearertoken/bearertoken.go Authenticator
func (t Tokens) Authenticate(req *http.Request) (request.User, bool, error) {
	fields := strings.Fields(req.Header.Get("Authorization"))
	if len(fields) < 2 || !strings.EqualFold(fields[0], "bearer") {
		return request.User{}, false, nil
	}
	var found *request.User
	for i := range t { // all of them, so that the time it takes tells nothing
		if subtle.ConstantTimeCompare([]byte(t[i].Secret), []byte(fields[1])) == 1 {
			found = &t[i].User
		}
	}
	if found == nil || !forThisServer(req.Context()) {
		return request.User{}, false, errors.New("invalid bearer token")
	}
	return *found, true, nil
}

// Func asks an authenticator that may be exchanged between two requests.
type Func func() Authenticator

// Authenticate is part of Authenticator.
func (f Func) Authenticate(req *http.Request) (request.User, bool, error) {
	return f().Authenticate(req)
}

// ReadTokenFile reads lines of TOKEN,USER,UID and, if any, "GROUP,GROUP". Its
// errors name the file and the line, and never a token.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/authentication/token/tokenfile/tokenfile.go NewCSV
func ReadTokenFile(path string) (Tokens, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.FieldsPerRecord, r.TrimLeadingSpace = -1, true
	var tokens Tokens
	lines := map[string]int{} // of each token
	for {
		fields, err := r.Read()
		if err == io.EOF {
			return tokens, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		line, _ := r.FieldPos(0)
		if err := checkFields(fields, lines); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, line, err)
		}
		lines[fields[0]] = line
		tokens = append(tokens, Token{fields[0], request.User{Name: fields[1], UID: fields[2], Groups: groups(fields)}})
	}
}

func checkFields(fields []string, lines map[string]int) error {
	const want = `want TOKEN,USER,UID or TOKEN,USER,UID,"GROUP,GROUP"`
	switch {
	case len(fields) < 3:
		return fmt.Errorf("%d columns; %s", len(fields), want)
	case len(fields) > 4:
		return fmt.Errorf("%d columns; %s: several groups stand in one pair of quotes", len(fields), want)
	case fields[0] == "":
		return fmt.Errorf("the token is empty; %s", want)
	case strings.ContainsFunc(fields[0], unicode.IsSpace):
		return fmt.Errorf("a token with white space in it cannot be sent; %s", want)
	case fields[1] == "":
		return fmt.Errorf("the user is empty; %s", want)
	case lines[fields[0]] != 0:
		return fmt.Errorf("the token of line %d again; each token is of one user", lines[fields[0]])
	}
	return nil
}

func groups(fields []string) []string {
	if len(fields) < 4 {
		return nil
	}
	var list []string
	for group := range strings.SplitSeq(fields[3], ",") {
		if group = strings.TrimSpace(group); group != "" {
			list = append(list, group)
		}
	}
	return list
}
