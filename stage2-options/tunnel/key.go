package tunnel

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/crypto/ssh"
)

// loadKey reads the private key, after making a pair if there is none.
//
// Upstream: pkg/master/tunneler/ssh.go generateSSHKey
func loadKey(file string) (ssh.Signer, error) {
	if file == "" {
		return nil, errors.New("no key file for SSH tunnels")
	}
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		text, err = generateKey(file)
	}
	if err != nil {
		return nil, err
	}
	signer, err := ssh.ParsePrivateKey(text)
	if err != nil {
		return nil, fmt.Errorf("read key %s: %w", file, err)
	}
	return signer, nil
}

// generateKey makes a pair: the private key in file, and beside it, with .pub
// at the end of its name, the line that a node's authorized_keys needs. The
// private key comes last, because it is what later runs look for.
func generateKey(file string) ([]byte, error) {
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make a key: %w", err)
	}
	public, err := ssh.NewPublicKey(private.Public())
	if err != nil {
		return nil, fmt.Errorf("make a key: %w", err)
	}
	block, err := ssh.MarshalPrivateKey(private, "kube-apiserver")
	if err != nil {
		return nil, fmt.Errorf("make a key: %w", err)
	}
	text := pem.EncodeToMemory(block)
	if err := writeWhole(file+".pub", ssh.MarshalAuthorizedKey(public)); err != nil {
		return nil, err
	}
	return text, writeWhole(file, text)
}

// writeWhole writes a file that only its owner may read, whole or not at all:
// a process that ends in between leaves no half of a key.
func writeWhole(file string, text []byte) error {
	temporary, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*")
	if err != nil {
		return fmt.Errorf("write key: %w", err)
	}
	_, err = temporary.Write(text)
	if err = errors.Join(err, temporary.Close()); err == nil {
		err = os.Rename(temporary.Name(), file)
	}
	if err != nil {
		os.Remove(temporary.Name())
		return fmt.Errorf("write key: %w", err)
	}
	return nil
}
