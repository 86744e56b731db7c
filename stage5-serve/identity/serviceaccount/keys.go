package serviceaccount

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/golang-jwt/jwt/v5"
)

// key is a public key with its name, which stands in every token that it verifies.
type key struct {
	id     string
	public crypto.PublicKey
	method jwt.SigningMethod
}

// Keys sign and verify. The first of the public keys belongs to the one that signs.
type Keys struct {
	signer crypto.Signer
	public []key
}

// LoadKeys reads the key that signs and those that verify besides. Where no
// file is given for the first, sa.key in folder is, and is made if it is not there.
func LoadKeys(folder, signingFile string, more []string) (*Keys, error) {
	flag := "--service-account-signing-key-file"
	if signingFile == "" {
		flag, signingFile = "--cert-dir", filepath.Join(folder, "sa.key")
		if err := makeKey(signingFile); err != nil {
			return nil, err
		}
	}
	parsed, err := readKeys(signingFile)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", flag, err)
	}
	signer, ok := parsed[0].(crypto.Signer)
	if !ok {
		return nil, fmt.Errorf("%s: %s: holds a public key; signing takes the private one", flag, signingFile)
	}
	keys := &Keys{signer: signer}
	if err := keys.add(signer); err != nil {
		return nil, fmt.Errorf("%s: %s: %w", flag, signingFile, err)
	}
	for _, file := range more {
		parsed, err := readKeys(file)
		for _, k := range parsed {
			err = errors.Join(err, keys.add(k))
		}
		if err != nil {
			return nil, fmt.Errorf("--service-account-key-file=%s: %w", file, err)
		}
	}
	return keys, nil
}

// add adds the public half of a key, once.
func (k *Keys) add(any any) error {
	if s, ok := any.(crypto.Signer); ok {
		any = s.Public()
	}
	der, err := x509.MarshalPKIXPublicKey(any)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(der)
	public := key{id: base64.RawURLEncoding.EncodeToString(sum[:]), public: any}
	switch p := any.(type) {
	case *rsa.PublicKey:
		public.method = jwt.SigningMethodRS256
	case *ecdsa.PublicKey:
		public.method = map[string]jwt.SigningMethod{"P-256": jwt.SigningMethodES256, "P-384": jwt.SigningMethodES384, "P-521": jwt.SigningMethodES512}[p.Params().Name]
	}
	if public.method == nil {
		return fmt.Errorf("a key of type %T cannot be used; want RSA or an ECDSA key on P-256, P-384 or P-521", any)
	}
	for _, have := range k.public {
		if have.id == public.id {
			return nil
		}
	}
	k.public = append(k.public, public)
	return nil
}

// find returns a key by its name.
func (k *Keys) find(id string) (key, bool) {
	for _, have := range k.public {
		if have.id == id {
			return have, true
		}
	}
	return key{}, false
}

// makeKey writes a new private key, unless the file is there.
func makeKey(path string) error {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	der, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	err = errors.Join(pem.Encode(f, &pem.Block{Type: "PRIVATE KEY", Bytes: der}), f.Sync(), f.Close())
	if err != nil {
		os.Remove(path) // half a key is none
	}
	return err
}

// readKeys reads all keys of a PEM file, private and public ones.
func readKeys(path string) ([]any, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var keys []any
	for block, rest := pem.Decode(data); block != nil; block, rest = pem.Decode(rest) {
		k, err := parseKey(block)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if k != nil {
			keys = append(keys, k)
		}
	}
	if len(keys) == 0 {
		return nil, fmt.Errorf("%s: no key in PEM form in it", path)
	}
	return keys, nil
}

func parseKey(block *pem.Block) (any, error) {
	switch block.Type {
	case "PRIVATE KEY":
		return x509.ParsePKCS8PrivateKey(block.Bytes)
	case "EC PRIVATE KEY":
		return x509.ParseECPrivateKey(block.Bytes)
	case "RSA PRIVATE KEY":
		return x509.ParsePKCS1PrivateKey(block.Bytes)
	case "PUBLIC KEY":
		return x509.ParsePKIXPublicKey(block.Bytes)
	case "RSA PUBLIC KEY":
		return x509.ParsePKCS1PublicKey(block.Bytes)
	case "CERTIFICATE":
		cert, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, err
		}
		return cert.PublicKey, nil
	}
	return nil, nil // parameters of a curve and the like
}
