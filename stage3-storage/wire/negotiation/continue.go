package negotiation

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
)

// continueToken is where the next page begins. Its form is upstream's.
//
// Now: staging/src/k8s.io/apiserver/pkg/storage/continue.go continueToken
type continueToken struct {
	APIVersion string `json:"v"`
	Revision   int64  `json:"rv"`
	Start      string `json:"start"`
}

func encodeContinue(p *rest.Position) string {
	if p == nil {
		return ""
	}
	data, err := json.Marshal(continueToken{"meta.k8s.io/v1", p.Revision, p.Start})
	if err != nil {
		panic(fmt.Sprintf("negotiation: a continue token cannot be encoded: %v", err)) // strings and numbers always can
	}
	return base64.RawURLEncoding.EncodeToString(data)
}

// DecodeContinue reads the token that a list was answered with; "" is none.
//
// Now: staging/src/k8s.io/apiserver/pkg/storage/continue.go DecodeContinue
func DecodeContinue(s string) (*rest.Position, error) {
	if s == "" {
		return nil, nil
	}
	var t continueToken
	data, err := base64.RawURLEncoding.DecodeString(s)
	if err == nil {
		err = json.Unmarshal(data, &t)
	}
	switch {
	case err != nil:
	case t.APIVersion != "meta.k8s.io/v1":
		err = fmt.Errorf("server does not recognize this encoded version %s", t.APIVersion)
	case t.Revision == 0:
		err = errors.New("incorrect encoded start resourceVersion (version meta.k8s.io/v1)")
	case t.Start == "":
		err = errors.New("encoded start key empty (version meta.k8s.io/v1)")
	case strings.Contains("/"+t.Start+"/", "/../"):
		err = errors.New(t.Start)
	default:
		return &rest.Position{Revision: t.Revision, Start: t.Start}, nil
	}
	return nil, status.BadRequest("invalid continue token: continue key is not valid: %v", err)
}
