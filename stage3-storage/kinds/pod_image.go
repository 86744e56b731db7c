package kinds

import (
	"regexp"
	"strings"
)

// imageName is a registry, a path, a tag and a digest, of which the last two
// may be missing.
var imageName = regexp.MustCompile(`^(?:` + host + `(?:\.` + host + `)*|\[[a-fA-F0-9:]+\])(?::[0-9]+)?` +
	`/(` + step + `(?:/` + step + `)*)` +
	`(?::(\w[\w.-]{0,127}))?` +
	`(@sha256:[a-f0-9]{64}|@sha384:[a-f0-9]{96}|@sha512:[a-f0-9]{128})?$`)

const (
	host = `(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)`
	step = `[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*`
)

// isID is what would be taken for an image's own number.
var isID = regexp.MustCompile(`^[a-f0-9]{64}$`)

// pullPolicy: an image with the tag latest may change and is pulled every time;
// that is the tag of what has neither tag nor digest. What is no image's name
// has none.
//
// Upstream: pkg/util/parsers/parsers.go ParseImageName
func pullPolicy(image string) string {
	const longest = 255
	if isID.MatchString(image) {
		return "IfNotPresent"
	}
	registry, _, found := strings.Cut(image, "/")
	if !found || !strings.ContainsAny(registry, ".:") && registry != "localhost" && strings.ToLower(registry) == registry {
		image = "localhost/" + image // its registry has no say in what follows
	}
	m := imageName.FindStringSubmatch(image)
	if m == nil || len(m[1]) > longest {
		return "IfNotPresent"
	}
	if tag, digest := m[2], m[3]; tag == "latest" || tag == "" && digest == "" {
		return "Always"
	}
	return "IfNotPresent"
}
