package metadata

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/field"
)

const subdomainFmt = `[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*`

// The forms of names are looked at without regular expressions: every write of
// every object asks for a dozen of them.

func isLabel(s string) bool { return isWord(s, "-") && strings.ToLower(s) == s }

func isSubdomain(s string) bool {
	for part := range strings.SplitSeq(s, ".") {
		if !isLabel(part) {
			return false
		}
	}
	return true
}

func isQualified(s string) bool { return isWord(s, "-_.") }

// isWord says that s begins and ends with a letter or a digit, and has others
// of them and of marks between.
func isWord(s, marks string) bool {
	for i := range len(s) {
		c := s[i]
		letter := 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9'
		if inside := 0 < i && i < len(s)-1; !letter && (!inside || strings.IndexByte(marks, c) < 0) {
			return false
		}
	}
	return s != ""
}

// DNSSubdomain returns what keeps name from being a DNS subdomain, which most
// objects' names have to be.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/util/validation/validation.go IsDNS1123Subdomain
func DNSSubdomain(name string) []string {
	var problems []string
	if len(name) > 253 {
		problems = append(problems, "must be no more than 253 characters")
	}
	if !isSubdomain(name) {
		problems = append(problems, "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '"+subdomainFmt+"')")
	}
	return problems
}

// DNSLabel returns what keeps name from being a DNS label.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/util/validation/validation.go IsDNS1123Label
func DNSLabel(name string) []string {
	var problems []string
	if len(name) > 63 {
		problems = append(problems, "must be no more than 63 characters")
	}
	switch {
	case isLabel(name):
	case isSubdomain(name):
		problems = append(problems, "must not contain dots") // nothing else keeps it from being a label
	default:
		problems = append(problems, "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')")
	}
	return problems
}

// PathSegment returns what keeps name from being a part of a URL, which every name has to be.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/api/validation/path/name.go IsValidPathSegmentName
func PathSegment(name string) (problems []string) {
	if name == "." || name == ".." {
		return []string{"may not be '" + name + "'"}
	}
	for _, c := range []string{"/", "%"} {
		if strings.Contains(name, c) {
			problems = append(problems, "may not contain '"+c+"'")
		}
	}
	return problems
}

// SplitVersion takes an apiVersion apart; the core group is "".
func SplitVersion(apiVersion string) (group, version string) {
	group, version, named := strings.Cut(apiVersion, "/")
	if !named {
		return "", group
	}
	return group, version
}

// QualifiedName returns what keeps key from being the key of a label, an
// annotation or a finalizer: a name, perhaps with a prefix and a slash.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/util/validation/validation.go IsQualifiedName
func QualifiedName(key string) []string {
	const form = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
	prefix, name, slash := strings.Cut(key, "/")
	if strings.Count(key, "/") > 1 {
		return []string{"a valid label key " + form + " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"}
	}
	var problems []string
	if !slash {
		name = prefix
	} else if prefix == "" {
		problems = append(problems, "prefix part must be non-empty")
	} else {
		for _, p := range DNSSubdomain(prefix) {
			problems = append(problems, "prefix part "+p)
		}
	}
	switch {
	case name == "":
		problems = append(problems, "name part must be non-empty")
	case len(name) > 63:
		problems = append(problems, "name part must be no more than 63 bytes")
	}
	if !isQualified(name) {
		problems = append(problems, "name part "+form)
	}
	return problems
}

// Validate checks what holds for the metadata of every kind. old is nil at
// creation; name, which may be nil, is the rule of the kind for its names.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/api/validation/objectmeta.go ValidateObjectMeta
func Validate(obj, old *object.Object, name func(string) []string) field.Errors {
	m := obj.Meta
	var errs field.Errors
	if old != nil {
		errs = immutableMeta(m, old.Meta)
	} else {
		errs = validateName(m, name)
	}
	errs = append(errs, ValidateLabels("metadata.labels", m.Labels)...)
	total := 0
	for _, k := range slices.Sorted(maps.Keys(m.Annotations)) {
		total += len(k) + len(m.Annotations[k])
		for _, p := range QualifiedName(strings.ToLower(k)) {
			errs = append(errs, field.Invalid("metadata.annotations", k, p))
		}
	}
	if total > 256<<10 {
		errs = append(errs, field.TooLong("metadata.annotations", 256<<10))
	}
	errs = append(errs, validateOwners(m.OwnerReferences)...)
	return append(errs, validateFinalizers(m.Finalizers, old == nil)...)
}

// maskTrailingDash makes of a name's beginning something that a whole name could be.
func maskTrailingDash(base string) string {
	if len(base) > 1 && strings.HasSuffix(base, "-") {
		return base[:len(base)-2] + "a"
	}
	return base
}

func validateName(m object.Meta, check func(string) []string) (errs field.Errors) {
	if check == nil {
		check = DNSSubdomain
	}
	if m.GenerateName != "" {
		for _, p := range check(maskTrailingDash(m.GenerateName)) {
			errs = append(errs, field.Invalid("metadata.generateName", m.GenerateName, p))
		}
	}
	if m.Name == "" {
		errs = append(errs, field.Required("metadata.name", "name or generateName is required"))
	} else {
		for _, p := range check(m.Name) {
			errs = append(errs, field.Invalid("metadata.name", m.Name, p))
		}
	}
	if m.Generation < 0 {
		errs = append(errs, field.Invalid("metadata.generation", m.Generation, "must be greater than or equal to 0"))
	}
	return errs
}

// validateFinalizers checks their form at the creation, and at any time that
// one without a slash is one of the few that are known.
func validateFinalizers(finalizers []string, atCreation bool) (errs field.Errors) {
	for _, f := range finalizers {
		if atCreation {
			for _, p := range QualifiedName(f) {
				errs = append(errs, field.Invalid("metadata.finalizers", f, p))
			}
		}
	}
	if atCreation && slices.Contains(finalizers, "orphan") && slices.Contains(finalizers, "foregroundDeletion") {
		errs = append(errs, field.Invalid("metadata.finalizers", finalizers, "finalizer orphan and foregroundDeletion cannot be both set"))
	}
	for i, f := range finalizers {
		if !strings.Contains(f, "/") && !slices.Contains([]string{"orphan", "foregroundDeletion", "kubernetes"}, f) {
			errs = append(errs, field.Invalid(fmt.Sprintf("metadata.finalizers[%d]", i), f, "name is neither a standard finalizer name nor is it fully qualified"))
		}
	}
	return errs
}

func immutableMeta(m, old object.Meta) (errs field.Errors) {
	if old.DeletionTimestamp != "" {
		added := slices.DeleteFunc(slices.Clone(m.Finalizers), func(f string) bool { return slices.Contains(old.Finalizers, f) })
		if len(added) > 0 {
			errs = append(errs, field.Forbidden("metadata.finalizers", fmt.Sprintf("no new finalizers can be added if the object is being deleted, found new finalizers %#v", added)))
		}
	}
	if m.UID != old.UID {
		errs = append(errs, field.Invalid("metadata.uid", m.UID, "field is immutable"))
	}
	if m.DeletionTimestamp != old.DeletionTimestamp {
		errs = append(errs, field.Invalid("metadata.deletionTimestamp", m.DeletionTimestamp, "field is immutable"))
	}
	if g, before := m.DeletionGracePeriodSeconds, old.DeletionGracePeriodSeconds; g != nil && (before == nil || *g != *before) {
		errs = append(errs, field.Invalid("metadata.deletionGracePeriodSeconds", *g, "field is immutable"))
	}
	return errs
}

// ValidateLabels checks keys and values of labels.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/validation/validation.go ValidateLabels
func ValidateLabels(path string, labels map[string]string) field.Errors {
	var errs field.Errors
	for _, k := range slices.Sorted(maps.Keys(labels)) {
		for _, p := range QualifiedName(k) {
			errs = append(errs, field.Invalid(path, k, p))
		}
		v := labels[k]
		if len(v) > 63 {
			errs = append(errs, field.Invalid(path, v, "must be no more than 63 bytes"))
		}
		if v != "" && !isQualified(v) {
			errs = append(errs, field.Invalid(path, v, "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"))
		}
	}
	return errs
}

func validateOwners(owners []object.OwnerReference) (errs field.Errors) {
	controller := ""
	for i, o := range owners {
		path := fmt.Sprintf("metadata.ownerReferences[%d]", i)
		for _, f := range []struct{ name, value string }{{"apiVersion", o.APIVersion}, {"kind", o.Kind}, {"name", o.Name}, {"uid", o.UID}} {
			if f.value == "" {
				errs = append(errs, field.Required(path+"."+f.name, "must not be empty"))
			}
		}
		if group, version := SplitVersion(o.APIVersion); o.APIVersion != "" && (version == "" || strings.Contains(version, "/")) {
			errs = append(errs, field.Invalid(path+".apiVersion", o.APIVersion, "must be <group>/<version> or <version>"))
		} else if group == "" && version == "v1" && o.Kind == "Event" {
			errs = append(errs, field.Invalid(path, o, "/v1, Kind=Event is disallowed from being an owner"))
		}
		if o.Controller == nil || !*o.Controller {
			continue
		}
		if name := o.Kind + "/" + o.Name; controller == "" {
			controller = name
		} else {
			errs = append(errs, field.Invalid("metadata.ownerReferences", owners,
				fmt.Sprintf(`Only one reference can have Controller set to true. Found "true" in references for %s and %s`, controller, name)))
		}
	}
	return errs
}
