package rules

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"example.com/kube-apiserver/stage3-storage/wire/metadata"
)

// The functions in this file say what is wrong with a text, or nothing. The
// sentences are those that clients of upstream read.

var (
	isPortName   = regexp.MustCompile(`^[-a-z0-9]+$`)
	isDataKey    = regexp.MustCompile(`^[-._a-zA-Z0-9]+$`)
	isHeader     = regexp.MustCompile(`^[-A-Za-z0-9]+$`)
	hasLetter    = regexp.MustCompile(`[a-z]`)
	isLabelValue = regexp.MustCompile(`^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$`)
)

// PortName is a service name as in RFC 6335.
func PortName(s string) (problems []string) {
	if len(s) > 15 {
		problems = append(problems, "must be no more than 15 characters")
	}
	if !isPortName.MatchString(s) {
		problems = append(problems, "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)")
	}
	if !hasLetter.MatchString(s) {
		problems = append(problems, "must contain at least one letter (a-z)")
	}
	if strings.Contains(s, "--") {
		problems = append(problems, "must not contain consecutive hyphens")
	}
	if strings.HasPrefix(s, "-") || strings.HasSuffix(s, "-") {
		problems = append(problems, "must not begin or end with a hyphen")
	}
	return problems
}

// DataKey is a key of a ConfigMap or a Secret: it has to serve as a file name.
func DataKey(s string) (problems []string) {
	if len(s) > 253 {
		problems = append(problems, "must be no more than 253 characters")
	}
	if !isDataKey.MatchString(s) {
		problems = append(problems, "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')")
	}
	switch {
	case s == ".", s == "..":
		problems = append(problems, "must not be '"+s+"'")
	case strings.HasPrefix(s, ".."):
		problems = append(problems, "must not start with '..'")
	}
	return problems
}

// EnvName is the name of an environment variable.
func EnvName(s string) []string {
	wrong := func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsPrint(r) || r == '=' }
	if strings.ContainsFunc(s, wrong) {
		return []string{"a valid environment variable name must consist only of printable ASCII characters other than '='"}
	}
	return nil
}

// HeaderName is the name of an HTTP header.
func HeaderName(s string) []string {
	if !isHeader.MatchString(s) {
		return []string{"a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')"}
	}
	return nil
}

// LabelValue is the value of a label.
func LabelValue(s string) (problems []string) {
	if len(s) > 63 {
		problems = append(problems, "must be no more than 63 bytes")
	}
	if !isLabelValue.MatchString(s) {
		problems = append(problems, "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')")
	}
	return problems
}

// EndpointIP is an address at which a service can be.
func EndpointIP(s string) []string {
	a, ok := ParseIP(s)
	switch {
	case !ok:
		return []string{"must be a valid IP address"}
	case a.IsUnspecified():
		return []string{"may not be unspecified (" + s + ")"}
	case a.IsLoopback():
		return []string{"may not be in the loopback range (127.0.0.0/8, ::1/128)"}
	case a.IsLinkLocalUnicast():
		return []string{"may not be in the link-local range (169.254.0.0/16, fe80::/10)"}
	case a.IsLinkLocalMulticast():
		return []string{"may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)"}
	}
	return nil
}

var isServiceDomain = regexp.MustCompile(`^_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*$`)

// ServiceDomain is a domain that may have underscores, as those of services have.
func ServiceDomain(s string) (problems []string) {
	if len(s) > 253 {
		problems = append(problems, "must be no more than 253 characters")
	}
	if !isServiceDomain.MatchString(s) {
		problems = append(problems, "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*')")
	}
	return problems
}

// NoBacksteps is a path that does not lead up.
func NoBacksteps(s string) []string {
	if slices.Contains(strings.Split(s, "/"), "..") {
		return []string{"must not contain '..'"}
	}
	return nil
}

// RelativePath is a path below where it starts.
func RelativePath(s string) (problems []string) {
	if path.IsAbs(s) {
		problems = append(problems, "must be a relative path")
	}
	return append(problems, NoBacksteps(s)...)
}

// VolumePath is a relative path that does not look like the kubelet's own files.
func VolumePath(s string) []string {
	problems := RelativePath(s)
	if strings.HasPrefix(s, "..") && !strings.HasPrefix(s, "../") {
		problems = append(problems, "must not start with '..'")
	}
	return problems
}

// AbsolutePath starts at the root.
func AbsolutePath(s string) []string {
	if !path.IsAbs(s) {
		return []string{"must be an absolute path"}
	}
	return nil
}

// The checks below are made of the functions above and of the registry's.
var (
	Subdomain = Words(metadata.DNSSubdomain)
	Label     = Words(metadata.DNSLabel)
	Qualified = Words(metadata.QualifiedName)
)

// LabelKey is the key of a label, which must be there.
var LabelKey = Strictly(metadata.QualifiedName)
