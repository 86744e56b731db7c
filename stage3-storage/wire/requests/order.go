package requests

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// typeOf reads what a body says of itself, and finds out on the way whether it
// is JSON at all.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/runtime/serializer/json/meta.go SimpleMetaFactory
func typeOf(data []byte) (apiVersion, kind string, err error) {
	// The form of this struct is part of the text of errors.
	var t struct {
		APIVersion string `json:"apiVersion,omitempty"`
		Kind       string `json:"kind,omitempty"`
	}
	if err := json.Unmarshal(data, &t); err != nil {
		return "", "", fmt.Errorf("couldn't get version/kind; json parse error: %w", err)
	}
	if strings.Count(t.APIVersion, "/") > 1 {
		return "", "", fmt.Errorf("unexpected GroupVersion string: %s", t.APIVersion)
	}
	return t.APIVersion, t.Kind, nil
}

// typeIn is typeOf for a body that has been parsed: the tree knows it, unless
// there is something odd about the body. Then typeOf has to say what is meant:
// it takes Kind for kind, and of two the later one.
func typeIn(tree map[string]any, duplicates []string, data []byte) (apiVersion, kind string, err error) {
	apiVersion, versioned := tree["apiVersion"].(string)
	kind, named := tree["kind"].(string)
	odd := !versioned || !named || len(duplicates) > 0 || strings.Count(apiVersion, "/") > 1
	for key := range tree {
		odd = odd || key != "kind" && strings.EqualFold(key, "kind") || key != "apiVersion" && strings.EqualFold(key, "apiVersion")
	}
	if odd {
		return typeOf(data)
	}
	return apiVersion, kind, nil
}

// sortByPosition puts complaints that name a field into the order in which the
// fields stand in data. Others come first.
func sortByPosition(complaints []string, data []byte) {
	if len(complaints) < 2 {
		return
	}
	o := order{dec: json.NewDecoder(bytes.NewReader(data)), at: map[string]int{}}
	o.value("")
	position := func(complaint string) int {
		_, quoted, _ := strings.Cut(complaint, " field ")
		path, _ := strconv.Unquote(quoted) // "" has no position
		return o.at[path]
	}
	slices.SortStableFunc(complaints, func(a, b string) int { return position(a) - position(b) })
}

// order finds out where each path stands. What it reads has been parsed before.
type order struct {
	dec *json.Decoder
	at  map[string]int
}

func (o order) value(path string) {
	o.at[path] = len(o.at)
	token, _ := o.dec.Token()
	if _, nested := token.(json.Delim); !nested {
		return
	}
	for i := 0; o.dec.More(); i++ {
		if token == json.Delim('[') {
			o.value(fmt.Sprintf("%s[%d]", path, i))
			continue
		}
		key, _ := o.dec.Token()
		o.value(strings.TrimPrefix(fmt.Sprintf("%s.%v", path, key), "."))
	}
	o.dec.Token() // the end of it
}
