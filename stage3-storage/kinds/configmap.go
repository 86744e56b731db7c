package kinds

import (
	"encoding/base64"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/field"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/wire/printers"
)

func configMaps() Kind {
	return Kind{
		Kind: registry.Kind{
			Resource: row("configmaps", "configmap", "ConfigMap", "configmaps", true, "cm"),
			Strategy: registry.Strategy{
				Validate: checkConfigMap,
				ValidateUpdate: func(o, old *object.Object) field.Errors {
					return append(sealed(o, old, "data", "binaryData"), checkConfigMap(o)...)
				},
			},
		},
		Columns: []printers.Column{
			printers.Name,
			{Name: "Data", Type: "string", Of: "data", Cell: func(o *object.Object) any {
				return len(rules.Map(o.Fields, "data")) + len(rules.Map(o.Fields, "binaryData"))
			}},
			printers.Age,
		},
	}
}

// checkConfigMap returns all that is wrong with a ConfigMap.
//
// Upstream: pkg/api/validation/validation.go ValidateConfigMap
func checkConfigMap(o *object.Object) field.Errors {
	data, binary := rules.Map(o.Fields, "data"), rules.Map(o.Fields, "binaryData")
	var errs field.Errors
	size := 0
	for _, k := range rules.Keys(data) {
		errs = append(errs, dataKey("data", k)...)
		if _, both := binary[k]; both {
			errs = append(errs, field.Invalid(rules.Key("data", k), k, "duplicate of key present in binaryData"))
		}
		size += len(rules.Text(data, k))
	}
	for _, k := range rules.Keys(binary) {
		errs = append(errs, dataKey("binaryData", k)...)
		size += decodedLen(binary[k])
	}
	if size > maxData {
		errs = append(errs, field.TooLong("[]", maxData)) // upstream's word for the whole object
	}
	return errs
}

// maxData is how much a ConfigMap or a Secret may hold.
const maxData = 1 << 20

func dataKey(at, key string) (errs field.Errors) {
	for _, p := range rules.DataKey(key) {
		errs = append(errs, field.Invalid(rules.Key(at, key), key, p))
	}
	return errs
}

// decodedLen is how many bytes a base64 text stands for.
func decodedLen(v any) int {
	s, _ := v.(string)
	n := base64.StdEncoding.DecodedLen(len(s))
	for i := len(s); i > 0 && s[i-1] == '='; i-- {
		n--
	}
	return n
}

// sealed refuses changes of an object that its author has declared immutable.
func sealed(o, old *object.Object, names ...string) (errs field.Errors) {
	const why = "field is immutable when `immutable` is set"
	if !rules.Bool(old.Fields, "immutable") {
		return nil
	}
	if !rules.Bool(o.Fields, "immutable") {
		errs = append(errs, field.Forbidden("immutable", why))
	}
	for _, name := range names {
		if !rules.Same(o.Fields[name], old.Fields[name]) {
			errs = append(errs, field.Forbidden(name, why))
		}
	}
	return errs
}
