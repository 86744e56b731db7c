package serviceaccount

import (
	"crypto/ecdsa"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/big"
	"net/http"
	"slices"
)

// Install adds the two documents by which others can verify our tokens: where
// the keys are, and the keys. base is the address at which this server is
// reached, for issuers that are no address of their own.
//
// Now: pkg/serviceaccount/openidmetadata.go NewOpenIDMetadataProvider
func (t *Tokens) Install(handle func(path string, h http.Handler), host string) error {
	var set []map[string]any
	var algorithms []string
	for _, k := range t.Keys.public {
		set = append(set, jwk(k))
		if !slices.Contains(algorithms, k.method.Alg()) {
			algorithms = append(algorithms, k.method.Alg())
		}
	}
	slices.Sort(algorithms)
	for path, document := range map[string]struct {
		mediaType string
		content   any
	}{
		"/openid/v1/jwks": {"application/jwk-set+json", map[string]any{"keys": set}},
		"/.well-known/openid-configuration": {"application/json", map[string]any{
			"issuer": t.Issuers[0], "jwks_uri": "https://" + host + "/openid/v1/jwks", "response_types_supported": []string{"id_token"},
			"subject_types_supported": []string{"public"}, "id_token_signing_alg_values_supported": algorithms,
		}},
	} {
		body, err := json.Marshal(document.content)
		if err != nil {
			return fmt.Errorf("make %s: %w", path, err)
		}
		handle(path, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", document.mediaType)
			w.Header().Set("Cache-Control", "public, max-age=3600")
			w.Write(body) // a client that has gone needs no answer
		}))
	}
	return nil
}

// jwk is a public key as RFC 7517 writes it.
func jwk(k key) map[string]any {
	text := base64.RawURLEncoding.EncodeToString
	m := map[string]any{"use": "sig", "kid": k.id, "alg": k.method.Alg()}
	switch p := k.public.(type) {
	case *rsa.PublicKey:
		m["kty"], m["n"], m["e"] = "RSA", text(p.N.Bytes()), text(big.NewInt(int64(p.E)).Bytes())
	case *ecdsa.PublicKey:
		point, err := p.Bytes() // 4, x and y, of the same length
		if err != nil {
			break // a key that was loaded is a point on its curve
		}
		half := (len(point) - 1) / 2
		m["kty"], m["crv"], m["x"], m["y"] = "EC", p.Params().Name, text(point[1:1+half]), text(point[1+half:])
	}
	return m
}
