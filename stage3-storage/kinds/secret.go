package kinds

import (
	"encoding/base64"
	"encoding/json"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/field"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/wire/printers"
)

func secrets() Kind {
	return Kind{
		Kind: registry.Kind{
			Resource: row("secrets", "secret", "Secret", "secrets", true),
			Strategy: registry.Strategy{
				Default:  defaultSecret,
				Validate: checkSecret,
				ValidateUpdate: func(o, old *object.Object) field.Errors {
					errs := immutable("", o.Fields, old.Fields, "type")
					errs = append(errs, sealed(o, old, "data")...)
					return append(errs, checkSecret(o)...)
				},
				Field: selectable(map[string]func(*object.Object) string{"type": text("type")}),
			},
		},
		Columns: []printers.Column{
			printers.Name,
			{Name: "Type", Type: "string", Of: "type", Cell: textAt("", "type")},
			{Name: "Data", Type: "string", Of: "data", Cell: func(o *object.Object) any { return len(rules.Map(o.Fields, "data")) }},
			printers.Age,
		},
	}
}

// defaultSecret moves the write-only stringData into data. It is a default and
// not part of PrepareForCreate so that whoever tracks the owners of fields sees
// the field that is kept.
//
// Upstream: pkg/api/v1/conversion.go Convert_v1_Secret_To_api_Secret
// Now: pkg/apis/core/v1/conversion.go Convert_v1_Secret_To_core_Secret
func defaultSecret(o *object.Object) {
	rules.Fill(o.Fields, "type", "Opaque")
	if plain := rules.Map(o.Fields, "stringData"); len(plain) > 0 {
		data := rules.Make(o.Fields, "data")
		for k := range plain {
			data[k] = base64.StdEncoding.EncodeToString([]byte(rules.Text(plain, k)))
		}
	}
	delete(o.Fields, "stringData")
}

// secretKeys are the keys that secrets of a certain type must have.
var secretKeys = map[string][]string{
	"kubernetes.io/dockercfg":        {".dockercfg"},
	"kubernetes.io/dockerconfigjson": {".dockerconfigjson"},
	"kubernetes.io/tls":              {"tls.crt", "tls.key"},
}

// checkSecret returns all that is wrong with a Secret.
//
// Upstream: pkg/api/validation/validation.go ValidateSecret
func checkSecret(o *object.Object) field.Errors {
	data := rules.Map(o.Fields, "data")
	var errs field.Errors
	size := 0
	for _, k := range rules.Keys(data) {
		errs = append(errs, dataKey("data", k)...)
		size += decodedLen(data[k])
	}
	if size > maxData {
		errs = append(errs, field.TooLong("data", maxData))
	}
	kind := rules.Text(o.Fields, "type")
	for _, k := range secretKeys[kind] {
		if _, there := data[k]; !there {
			errs = append(errs, field.Required(rules.Key("data", k), ""))
		}
	}
	return append(errs, checkSecretOfType(kind, o, data)...)
}

// checkSecretOfType has the rules that are more than a key that must be there.
func checkSecretOfType(kind string, o *object.Object, data tree) (errs field.Errors) {
	const account = "kubernetes.io/service-account.name"
	switch kind {
	case "kubernetes.io/service-account-token":
		if o.Meta.Annotations[account] == "" {
			errs = append(errs, field.Required(rules.Key("metadata.annotations", account), ""))
		}
	case "kubernetes.io/basic-auth":
		if data["username"] == nil && data["password"] == nil {
			errs = append(errs, field.Required("data[username]", ""), field.Required("data[password]", ""))
		}
	case "kubernetes.io/ssh-auth":
		if rules.Text(data, "ssh-privatekey") == "" {
			errs = append(errs, field.Required("data[ssh-privatekey]", ""))
		}
	case "kubernetes.io/dockercfg", "kubernetes.io/dockerconfigjson":
		key := secretKeys[kind][0]
		text, there := data[key].(string)
		body, err := base64.StdEncoding.DecodeString(text)
		if err == nil {
			err = json.Unmarshal(body, &map[string]any{})
		}
		if there && err != nil {
			errs = append(errs, field.Invalid(rules.Key("data", key), "<secret contents redacted>", err.Error()))
		}
	}
	return errs
}
