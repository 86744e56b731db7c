package serviceaccount

import (
	"fmt"
	"slices"

	"example.com/kube-apiserver/stage3-storage/admission"
	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
)

// checkMirror: a pod that a kubelet shows belongs to nobody, so it may use
// nothing that somebody must be allowed to use.
func checkMirror(a *admission.Attributes) error {
	spec := rules.Map(a.Object.Fields, "spec")
	if rules.Text(spec, "serviceAccountName") != "" {
		return admission.Forbidden(a, "a mirror pod may not reference service accounts")
	}
	if len(secretsOf(a)) > 0 {
		return admission.Forbidden(a, "a mirror pod may not reference secrets")
	}
	for _, v := range rules.Items(spec, "volumes") {
		for _, source := range rules.Items(v, "projected", "sources") {
			if source["serviceAccountToken"] != nil {
				return admission.Forbidden(a, "a mirror pod may not use ServiceAccountToken volume projections")
			}
		}
	}
	return nil
}

// checkSecrets: an account may say that its pods use only the secrets that it lists.
//
// Upstream: plugin/pkg/admission/serviceaccount/admission.go limitSecretReferences
func checkSecrets(a *admission.Attributes, account *object.Object) error {
	var mountable, pullable []string
	for _, s := range rules.Items(account.Fields, "secrets") {
		mountable = append(mountable, rules.Text(s, "name"))
	}
	for _, s := range rules.Items(account.Fields, "imagePullSecrets") {
		pullable = append(pullable, rules.Text(s, "name"))
	}
	for _, use := range secretsOf(a) {
		if !slices.Contains(mountable, use.secret) {
			return admission.Forbidden(a, fmt.Sprintf("%s because service account %s does not reference that secret", use.what, account.Meta.Name))
		}
	}
	if a.Subresource != "" {
		return nil
	}
	for _, s := range rules.Items(a.Object.Fields, "spec", "imagePullSecrets") {
		if name := rules.Text(s, "name"); !slices.Contains(pullable, name) {
			return admission.Forbidden(a, fmt.Sprintf("imagePullSecrets[].name=%q is not allowed because service account %s does not reference that imagePullSecret", name, account.Meta.Name))
		}
	}
	return nil
}

// use is a secret that a pod wants, and the sentence in which it is refused.
type use struct{ secret, what string }

// secretsOf finds the secrets that a write brings into a pod: under
// /ephemeralcontainers only those of such containers.
func secretsOf(a *admission.Attributes) (uses []use) {
	spec := rules.Map(a.Object.Fields, "spec")
	if a.Subresource != "" {
		return secretsIn(spec, "ephemeralContainers", "ephemeral container")
	}
	for _, v := range rules.Items(spec, "volumes") {
		if name := rules.Text(v, "secret", "secretName"); name != "" {
			uses = append(uses, use{name, fmt.Sprintf("volume with secret.secretName=%q is not allowed", name)})
		}
	}
	uses = append(uses, secretsIn(spec, "initContainers", "init container")...)
	return append(uses, secretsIn(spec, "containers", "container")...)
}

// secretsIn finds those in the environment of containers; word is how a
// message calls one.
func secretsIn(spec rules.Tree, list, word string) (uses []use) {
	for _, c := range rules.Items(spec, list) {
		for _, e := range rules.Items(c, "env") {
			if name := rules.Text(e, "valueFrom", "secretKeyRef", "name"); name != "" {
				uses = append(uses, use{name, fmt.Sprintf("%s %s with envVar %s referencing secret.secretName=%q is not allowed", word, rules.Text(c, "name"), rules.Text(e, "name"), name)})
			}
		}
		for _, e := range rules.Items(c, "envFrom") {
			if name := rules.Text(e, "secretRef", "name"); name != "" {
				uses = append(uses, use{name, fmt.Sprintf("%s %s with envFrom referencing secret.secretName=%q is not allowed", word, rules.Text(c, "name"), name)})
			}
		}
	}
	return uses
}
