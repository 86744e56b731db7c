package serviceaccount

import (
	"math/rand/v2"
	"slices"
	"strings"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
)

// mountToken adds the volume with the token, and mounts it in every container
// that does not have something of its own there.
//
// Upstream: plugin/pkg/admission/serviceaccount/admission.go mountServiceAccountToken
func mountToken(spec rules.Tree) {
	name := ""
	for _, v := range rules.Items(spec, "volumes") {
		if strings.HasPrefix(rules.Text(v, "name"), tokenVolume) {
			name = rules.Text(v, "name")
			break
		}
	}
	exists := name != ""
	if !exists {
		name = tokenVolume + suffix()
	}
	mounted := false
	for _, list := range []string{"initContainers", "containers"} {
		for _, c := range rules.Items(spec, list) {
			present := rules.List(c, "volumeMounts")
			taken := slices.ContainsFunc(present, func(v any) bool {
				m, _ := v.(rules.Tree)
				return m["mountPath"] == tokenFolder
			})
			if !taken {
				c["volumeMounts"] = append(present, rules.Tree{"name": name, "readOnly": true, "mountPath": tokenFolder})
				mounted = true
			}
		}
	}
	if mounted && !exists {
		spec["volumes"] = append(rules.List(spec, "volumes"), rules.Tree{"name": name, "projected": object.CopyTree(projected)})
	}
}

// projected is what a program needs to call the API: who it is, whom to trust,
// and where it is.
var projected = rules.Tree{
	"defaultMode": rules.Number(0o644),
	"sources": []any{
		rules.Tree{"serviceAccountToken": rules.Tree{"path": "token", "expirationSeconds": rules.Number(tokenSeconds)}},
		rules.Tree{"configMap": rules.Tree{"name": rootCertificate, "items": []any{rules.Tree{"key": "ca.crt", "path": "ca.crt"}}}},
		rules.Tree{"downwardAPI": rules.Tree{"items": []any{
			rules.Tree{"path": "namespace", "fieldRef": rules.Tree{"apiVersion": "v1", "fieldPath": "metadata.namespace"}},
		}}},
	},
}

// suffix has letters and digits that make no words.
func suffix() string {
	const letters = "bcdfghjklmnpqrstvwxz2456789"
	var b [5]byte
	for i := range b {
		b[i] = letters[rand.IntN(len(letters))]
	}
	return string(b[:])
}
