package flags

import (
	"time"

	"example.com/kube-apiserver/stage2-options/options"
	"example.com/kube-apiserver/stage3-storage/kinds/subresources"
)

// ServerRunOptions are stage 2's, and the fields that this stage alone reads.
//
// Upstream: cmd/kube-apiserver/app/options/options.go ServerRunOptions
type ServerRunOptions struct {
	*options.ServerRunOptions
	KubeletConfig   KubeletOptions
	RequestHeader   RequestHeaderOptions
	ServiceAccounts ServiceAccountOptions
}

// NewServerRunOptions returns the default of every flag.
//
// Upstream: cmd/kube-apiserver/app/options/options.go NewServerRunOptions
func NewServerRunOptions() *ServerRunOptions {
	return &ServerRunOptions{
		ServerRunOptions: options.NewServerRunOptions(),
		KubeletConfig:    KubeletOptions{Kubelet: subresources.DefaultKubelet(), Timeout: 5 * time.Second},
		ServiceAccounts:  ServiceAccountOptions{Lookup: true},
	}
}

// KubeletOptions say how to reach kubelets, for logs and exec.
//
// Upstream: pkg/kubelet/client/kubelet_client.go KubeletClientConfig
type KubeletOptions struct {
	subresources.Kubelet
	Timeout                   time.Duration
	CertFile, KeyFile, CAFile string
}

// RequestHeaderOptions let a proxy in front say who the user is.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/options/authentication.go RequestHeaderAuthenticationOptions
type RequestHeaderOptions struct {
	UsernameHeaders, GroupHeaders, ExtraHeaderPrefixes []string

	ClientCAFile string
	AllowedNames []string
}

// ServiceAccountOptions are about the tokens of service accounts; the keys that
// verify them have a default that stage 2 derives, and are in its options.
//
// Upstream: pkg/kubeapiserver/options/authentication.go ServiceAccountAuthenticationOptions
type ServiceAccountOptions struct {
	SigningKeyFile string        // the key that signs them
	Issuers        []string      // the first is in new tokens, all are accepted
	Lookup         bool          // whether a token dies with its account
	MaxExpiration  time.Duration // of new tokens; 0 for no limit
	APIAudiences   []string      // what tokens for this server are for; without any, the issuers
}
