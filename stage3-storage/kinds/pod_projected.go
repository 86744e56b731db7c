package kinds

import (
	"fmt"
	"strings"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object/field"
)

// projection is a volume of several sources that is being checked: their files
// lie in one directory.
type projection struct {
	at    string
	files map[string]bool
}

// projected is a volume of several sources. Some complaints name the volume and
// not the source: upstream's paths.
//
// Upstream: pkg/api/validation/validation.go validateProjectionSources
func projected(at string, v any) field.Errors {
	t, _ := v.(tree)
	errs := rules.FileMode(at+".defaultMode", t["defaultMode"])
	p := projection{at, map[string]bool{}}
	sources := rules.Fields{
		{Name: "secret", Check: p.keys},
		{Name: "configMap", Check: p.keys},
		{Name: "downwardAPI", Check: p.downward},
		{Name: "serviceAccountToken", Check: p.token},
		{Name: "clusterTrustBundle", Check: p.trustBundle},
		{Name: "podCertificate", Check: p.certificate},
	}
	for i, s := range rules.Items(t, "sources") {
		path, n := rules.Index(at+".sources", i), 0
		for _, source := range sources {
			if s[source.Name] != nil {
				n++
				errs = append(errs, source.Check(rules.Join(path, source.Name), s[source.Name])...)
			}
		}
		if n > 1 {
			errs = append(errs, field.Forbidden(path, "may not specify more than 1 volume type per source"))
		}
	}
	return errs
}

// take notes a file, and complains with shown where it is there already.
func (p projection) take(file, shown string) (errs field.Errors) {
	if p.files[file] {
		errs = append(errs, field.Invalid(p.at, shown, "conflicting duplicate paths"))
	}
	p.files[file] = true
	return errs
}

func (p projection) keys(at string, v any) field.Errors {
	t, _ := v.(tree)
	errs := rules.Required()(at+".name", t["name"])
	for i, item := range rules.Items(t, "items") {
		errs = append(errs, keyToPath.Check(rules.Index(at+".items", i), item)...)
		if file := rules.Text(item, "path"); file != "" {
			errs = append(errs, p.take(file, rules.Text(t, "name"))...)
		}
	}
	return errs
}

func (p projection) downward(at string, v any) (errs field.Errors) {
	t, _ := v.(tree)
	for _, item := range rules.Items(t, "items") {
		errs = append(errs, downwardFile(at, item)...)
		if file := rules.Text(item, "path"); file != "" {
			errs = append(errs, p.take(file, file)...)
		}
	}
	return errs
}

func (p projection) token(at string, v any) (errs field.Errors) {
	t, _ := v.(tree)
	switch n := rules.Int(t, "expirationSeconds"); {
	case n < 600:
		errs = append(errs, field.Invalid(at+".expirationSeconds", n, "may not specify a duration less than 10 minutes"))
	case n > 1<<32:
		errs = append(errs, field.Invalid(at+".expirationSeconds", n, "may not specify a duration larger than 2^32 seconds"))
	}
	return append(errs, rules.Required(rules.Words(rules.VolumePath))(p.at+".path", t["path"])...)
}

// trustBundle is found by its name or by who signed it.
func (p projection) trustBundle(at string, v any) (errs field.Errors) {
	t, _ := v.(tree)
	switch name, signer := t["name"], t["signerName"]; {
	case name != nil && signer != nil:
		errs = append(errs, field.Invalid(at, t, "only one of name and signerName may be used"))
	case name != nil:
		errs = append(errs, rules.RequiredAs("must be a valid object name")(at+".name", name)...)
		if t["labelSelector"] != nil {
			errs = append(errs, field.Invalid(at+".labelSelector", t["labelSelector"], "labelSelector must be unset if name is specified"))
		}
	case signer != nil:
		errs = append(errs, rules.RequiredAs("must be a valid signer name", rules.Words(signerName))(at+".signerName", signer)...)
		errs = append(errs, rules.LabelSelector(at+".labelSelector", t["labelSelector"])...)
	default:
		errs = append(errs, field.Required(at, "either name or signerName must be specified"))
	}
	errs = append(errs, rules.Required(rules.Words(rules.VolumePath))(at+".path", t["path"])...)
	file := rules.Text(t, "path")
	return append(errs, p.take(file, file)...)
}

func signerName(s string) []string {
	if domain, path, ok := strings.Cut(s, "/"); !ok || path == "" || !strings.Contains(domain, ".") {
		return []string{"must be a fully qualified domain and path of the form 'example.com/signer-name'"}
	}
	return nil
}

// certificate is a key and a certificate that the node gets for the pod.
func (p projection) certificate(at string, v any) field.Errors {
	const shortest, longest, longestOwn = 3600, 91 * 24 * 3600, 24 * 3600
	t, _ := v.(tree)
	signer := rules.Text(t, "signerName")
	errs := rules.Fields{
		{Name: "signerName", Check: rules.Strictly(signerName)},
		{Name: "keyType", Check: rules.MustBe("RSA3072", "RSA4096", "ECDSAP256", "ECDSAP384", "ECDSAP521", "ED25519")},
	}.Check(at, t)
	if n := rules.Int(t, "maxExpirationSeconds"); t["maxExpirationSeconds"] != nil {
		most := int64(longest)
		if domain, _, _ := strings.Cut(signer, "/"); domain == "kubernetes.io" || strings.HasSuffix(domain, ".kubernetes.io") {
			most = longestOwn
		}
		switch {
		case n < shortest:
			errs = append(errs, field.Invalid(at+".maxExpirationSeconds", n, fmt.Sprintf("if provided, maxExpirationSeconds must be >= %d", shortest)))
		case n > most:
			errs = append(errs, field.Invalid(at+".maxExpirationSeconds", n, fmt.Sprintf("if provided, maxExpirationSeconds must be <= %d", most)))
		}
	}
	files := 0
	for _, name := range []string{"credentialBundlePath", "keyPath", "certificateChainPath"} {
		if file := rules.Text(t, name); file != "" {
			files++
			errs = append(errs, rules.Words(rules.VolumePath)(rules.Join(at, name), file)...)
			errs = append(errs, p.take(file, file)...)
		}
	}
	if files == 0 {
		errs = append(errs, field.Required(at, "specify at least one of credentialBundlePath, keyPath, and certificateChainPath"))
	}
	return errs
}
