package kinds

import (
	"bytes"
	"fmt"
	"regexp"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/field"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/wire/printers"
)

// maxData is how much a ConfigMap or a Secret may hold.
const maxData = 1 << 20

var dataKey = regexp.MustCompile(`^[-._a-zA-Z0-9]+$`)

func configMaps() Kind {
	return Kind{registry.Kind{
		Resource: row("configmaps", "configmap", "ConfigMap", "configmaps", true, "cm"),
		Strategy: registry.Strategy{
			Validate: func(o *object.Object) field.Errors {
				errs := checkData(o, "data", "binaryData")
				for k := range asTree(o.Fields["binaryData"]) {
					if _, both := asTree(o.Fields["data"])[k]; both {
						errs = append(errs, field.Invalid("data["+k+"]", k, "duplicate of key present in binaryData"))
					}
				}
				return errs
			},
			ValidateUpdate: func(o, old *object.Object) field.Errors {
				return append(checkImmutable(o, old, "data", "binaryData"), checkData(o, "data", "binaryData")...)
			},
		},
	}, []printers.Column{
		printers.Name,
		{Name: "Data", Type: "string", Of: "data", Cell: func(o *object.Object) any {
			return len(asTree(o.Fields["data"])) + len(asTree(o.Fields["binaryData"]))
		}},
		printers.Age,
	}}
}

func secrets() Kind {
	// The write-only field is merged into the one that is kept.
	fold := func(o *object.Object) {
		if text := asTree(o.Fields["stringData"]); text != nil {
			data := asTree(o.Fields["data"])
			if data == nil {
				data = tree{}
				o.Fields["data"] = data
			}
			for k, v := range text {
				data[k] = base64Text(asString(v))
			}
		}
		delete(o.Fields, "stringData")
		if t := asString(o.Fields["type"]); t == "" {
			o.Fields["type"] = "Opaque"
		}
	}
	return Kind{registry.Kind{
		Resource: row("secrets", "secret", "Secret", "secrets", true),
		Strategy: registry.Strategy{
			Default:  fold,
			Validate: func(o *object.Object) field.Errors { return append(checkData(o, "data"), checkSecretType(o)...) },
			ValidateUpdate: func(o, old *object.Object) field.Errors {
				var errs field.Errors
				if o.Fields["type"] != old.Fields["type"] {
					errs = append(errs, field.Invalid("type", o.Fields["type"], "field is immutable"))
				}
				errs = append(errs, checkImmutable(o, old, "data")...)
				return append(append(errs, checkData(o, "data")...), checkSecretType(o)...)
			},
			Field: func(o *object.Object, path string) (string, bool) { return asString(o.Fields["type"]), path == "type" },
		},
	}, []printers.Column{
		printers.Name,
		{Name: "Type", Type: "string", Of: "type", Cell: func(o *object.Object) any { return asString(o.Fields["type"]) }},
		{Name: "Data", Type: "string", Of: "data", Cell: func(o *object.Object) any { return len(asTree(o.Fields["data"])) }},
		printers.Age,
	}}
}

// secretKeys are the keys that secrets of a certain type must have.
var secretKeys = map[string][]string{
	"kubernetes.io/dockercfg":        {".dockercfg"},
	"kubernetes.io/dockerconfigjson": {".dockerconfigjson"},
	"kubernetes.io/ssh-auth":         {"ssh-privatekey"},
	"kubernetes.io/tls":              {"tls.crt", "tls.key"},
}

func checkSecretType(o *object.Object) (errs field.Errors) {
	for _, k := range secretKeys[asString(o.Fields["type"])] {
		if _, ok := asTree(o.Fields["data"])[k]; !ok {
			errs = append(errs, field.Required("data["+k+"]", ""))
		}
	}
	if t := asString(o.Fields["type"]); t == "kubernetes.io/basic-auth" {
		data := asTree(o.Fields["data"])
		if data["username"] == nil && data["password"] == nil {
			errs = append(errs, field.Required("data[username]", ""), field.Required("data[password]", ""))
		}
	}
	if asString(o.Fields["type"]) == "kubernetes.io/service-account-token" && o.Meta.Annotations["kubernetes.io/service-account.name"] == "" {
		errs = append(errs, field.Required("metadata.annotations[kubernetes.io/service-account.name]", ""))
	}
	return errs
}

func checkData(o *object.Object, names ...string) (errs field.Errors) {
	total := 0
	for _, name := range names {
		data := asTree(o.Fields[name])
		for _, k := range sortedKeys(data) {
			total += len(asString(data[k]))
			if name != "data" || o.Kind == "Secret" {
				total -= len(asString(data[k])) / 4 // what base64 adds does not count
			}
			for _, p := range dataKeyProblems(k) {
				errs = append(errs, field.Invalid(fmt.Sprintf("%s[%s]", name, k), k, p))
			}
		}
	}
	if total > maxData {
		path := ""
		if o.Kind == "Secret" {
			path = "data"
		}
		errs = append(errs, field.TooLong(path, maxData))
	}
	return errs
}

func dataKeyProblems(k string) (problems []string) {
	if len(k) > 253 {
		problems = append(problems, "must be no more than 253 bytes")
	}
	switch {
	case !dataKey.MatchString(k):
		problems = append(problems, "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')")
	case k == ".":
		problems = append(problems, "must not be '.'")
	case k == "..":
		problems = append(problems, "must not be '..'")
	case len(k) > 2 && k[:2] == "..":
		problems = append(problems, "must not start with '..'")
	}
	return problems
}

func checkImmutable(o, old *object.Object, names ...string) (errs field.Errors) {
	if !asBool(old.Fields["immutable"]) {
		return nil
	}
	if !asBool(o.Fields["immutable"]) {
		errs = append(errs, field.Forbidden("immutable", "field is immutable when `immutable` is set"))
	}
	for _, name := range names {
		if !sameJSON(o.Fields[name], old.Fields[name]) {
			errs = append(errs, field.Forbidden(name, "field is immutable when `immutable` is set"))
		}
	}
	return errs
}

// sameJSON compares two parts of objects by their encoding.
func sameJSON(a, b any) bool {
	x, y := object.Object{Fields: tree{"v": a}}, object.Object{Fields: tree{"v": b}}
	return bytes.Equal(x.Encode(), y.Encode())
}
