package serviceaccount

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	optionsadmission "example.com/kube-apiserver/stage2-options/admission"
	"example.com/kube-apiserver/stage3-storage/admission"
	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage4-informers/client"
	"example.com/kube-apiserver/stage4-informers/informers"
	"example.com/kube-apiserver/stage4-informers/plugins/listers"
)

// Name is what --admission-control calls the plugin.
const Name = "ServiceAccount"

const (
	defaultName     = "default"
	mirror          = "kubernetes.io/config.mirror" // annotation of pods that a kubelet shows and does not ask for
	mountableOnly   = "kubernetes.io/enforce-mountable-secrets"
	ephemeralOnly   = "ephemeralcontainers"
	tokenVolume     = "kube-api-access-"
	tokenFolder     = "/var/run/secrets/kubernetes.io/serviceaccount"
	tokenSeconds    = 3607 // an hour, and 7 by which one sees whose default it is
	rootCertificate = "kube-root-ca.crt"
)

// New makes the plugin. It works once it was given informers and a client.
func New() optionsadmission.Interface {
	return &plugin{Handler: admission.Handler{rest.Create, rest.Update}}
}

type plugin struct {
	admission.Handler
	accounts *listers.Lister
	client   *client.Client
}

var accounts = catalog.Resource{Version: "v1", Name: "serviceaccounts", Kind: "ServiceAccount", Namespaced: true}

// SetInformers asks for an informer of service accounts.
func (p *plugin) SetInformers(f *informers.SharedInformerFactory) {
	p.accounts = listers.New(f, "serviceaccounts", "ServiceAccount", true)
}

// SetLoopback gives the client for what the informer does not know yet.
func (p *plugin) SetLoopback(c *client.Client) { p.client = c }

// ValidateInitialization says whether everything needed was given.
func (p *plugin) ValidateInitialization() error {
	if p.accounts == nil || p.client == nil {
		return errors.New("missing informers or client")
	}
	return nil
}

// Admit gives a new pod its account, its token and the account's pull secrets.
func (p *plugin) Admit(ctx context.Context, a *admission.Attributes) error {
	if !a.Of("pods") || a.Operation != rest.Create || isMirror(a.Object) {
		return nil // a kubelet does not expect that its mirror changes
	}
	spec := rules.Make(a.Object.Fields, "spec")
	if rules.Text(spec, "serviceAccountName") == "" {
		spec["serviceAccountName"], spec["serviceAccount"] = defaultName, defaultName
	}
	account, err := p.find(ctx, a, rules.Text(spec, "serviceAccountName"))
	if err != nil {
		return err
	}
	if mounts(account, spec) {
		mountToken(spec)
	}
	secrets := rules.List(account.Fields, "imagePullSecrets")
	if len(rules.List(spec, "imagePullSecrets")) == 0 && len(secrets) > 0 {
		spec["imagePullSecrets"] = object.CopyTree(secrets)
	}
	return nil
}

// Validate looks at the final pod: its account must be there and let it use
// its secrets.
func (p *plugin) Validate(ctx context.Context, a *admission.Attributes) error {
	created := a.Of("pods") && a.Operation == rest.Create
	debugged := a.Resource.GroupResource() == "pods" && a.Subresource == ephemeralOnly
	if !created && !debugged {
		return nil
	}
	if isMirror(a.Object) {
		if created {
			return checkMirror(a)
		}
		return nil
	}
	name := rules.Text(a.Object.Fields, "spec", "serviceAccountName")
	if name == "" {
		if debugged {
			return nil // it is older than the plugin
		}
		return admission.Forbidden(a, fmt.Sprintf("no service account specified for pod %s/%s", a.Key.Namespace, a.Key.Name))
	}
	account, err := p.find(ctx, a, name)
	if err != nil {
		return err
	}
	if account.Meta.Annotations[mountableOnly] == "true" {
		return checkSecrets(a, account)
	}
	return nil
}

func isMirror(pod *object.Object) bool {
	_, is := pod.Meta.Annotations[mirror]
	return is
}

// find waits for the default account for about a second: in a new namespace a
// controller is just making it.
//
// Upstream: plugin/pkg/admission/serviceaccount/admission.go getServiceAccount
func (p *plugin) find(ctx context.Context, a *admission.Attributes, name string) (*object.Object, error) {
	tries := 1
	if name == defaultName {
		tries = 10
	}
	account, err := p.accounts.Get(a.Key.Namespace, name)
	for i := 0; account == nil && err == nil && i < tries; i++ {
		if i > 0 {
			if err := pause(ctx); err != nil {
				return nil, err
			}
		}
		account, err = p.live(ctx, a.Key.Namespace, name)
	}
	if err == nil && account == nil {
		err = status.NotFound(status.Resource{Name: "serviceaccount"}, name)
	}
	if err != nil {
		return nil, admission.Forbidden(a, fmt.Sprintf("error looking up service account %s/%s: %v", a.Key.Namespace, name, err))
	}
	return account, nil
}

func pause(ctx context.Context) error {
	const least = 100 * time.Millisecond
	select {
	case <-time.After(least + rand.N(least)):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// live returns nil where there is no such account.
func (p *plugin) live(ctx context.Context, namespace, name string) (*object.Object, error) {
	item, err := p.client.Get(ctx, accounts, namespace, name)
	switch {
	case status.Is(err, "NotFound"):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return item.Object()
}

// mounts: the pod decides, then the account; both may say nothing.
func mounts(account *object.Object, spec rules.Tree) bool {
	if wants, says := spec["automountServiceAccountToken"].(bool); says {
		return wants
	}
	wants, says := account.Fields["automountServiceAccountToken"].(bool)
	return wants || !says
}
