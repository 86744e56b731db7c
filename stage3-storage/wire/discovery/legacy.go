package discovery

import (
	"crypto/sha256"
	"encoding/base64"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"example.com/kube-apiserver/stage3-storage/endpoints"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/server"
	"example.com/kube-apiserver/stage3-storage/wire/metadata"
)

// The documents of 2017, one per question. Their fields have the order in
// which upstream writes them, because people look at them with "get --raw".
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/types.go APIResourceList
type (
	typeMeta struct {
		Kind       string `json:"kind,omitempty"`
		APIVersion string `json:"apiVersion,omitempty"`
	}
	apiVersions struct {
		typeMeta
		Versions  []string        `json:"versions"`
		Addresses []serverAddress `json:"serverAddressByClientCIDRs"`
	}
	serverAddress struct {
		ClientCIDR    string `json:"clientCIDR"`
		ServerAddress string `json:"serverAddress"`
	}
	apiGroupList struct {
		typeMeta
		Groups []apiGroup `json:"groups"`
	}
	apiGroup struct {
		typeMeta
		Name             string         `json:"name"`
		Versions         []groupVersion `json:"versions"`
		PreferredVersion groupVersion   `json:"preferredVersion"`
	}
	groupVersion struct {
		GroupVersion string `json:"groupVersion"`
		Version      string `json:"version"`
	}
	apiResourceList struct {
		typeMeta
		GroupVersion string        `json:"groupVersion"`
		Resources    []apiResource `json:"resources"`
	}
	apiResource struct {
		Name               string   `json:"name"`
		SingularName       string   `json:"singularName"`
		Namespaced         bool     `json:"namespaced"`
		Group              string   `json:"group,omitempty"`
		Version            string   `json:"version,omitempty"`
		Kind               string   `json:"kind"`
		Verbs              []string `json:"verbs"`
		ShortNames         []string `json:"shortNames,omitempty"`
		Categories         []string `json:"categories,omitempty"`
		StorageVersionHash string   `json:"storageVersionHash,omitempty"`
	}
)

// legacyVersions is the answer to a plain GET /api.
func legacyVersions(groups [][]server.GroupVersion, host string) apiVersions {
	versions := []string{}
	for _, g := range slices.Concat(groups...) {
		versions = append(versions, g.Version)
	}
	return apiVersions{typeMeta{Kind: "APIVersions"}, versions, []serverAddress{{"0.0.0.0/0", host}}}
}

// groupList is the answer to a plain GET /apis.
func groupList(groups [][]server.GroupVersion) apiGroupList {
	list := apiGroupList{typeMeta{"APIGroupList", "v1"}, []apiGroup{}}
	for _, versions := range groups {
		g := group(versions)
		g.typeMeta = typeMeta{} // the list says it for all
		list.Groups = append(list.Groups, g)
	}
	return list
}

// group is the answer to GET /apis/GROUP.
func group(versions []server.GroupVersion) apiGroup {
	g := apiGroup{typeMeta: typeMeta{"APIGroup", "v1"}, Name: versions[0].Group}
	for _, v := range versions {
		g.Versions = append(g.Versions, groupVersion{v.Group + "/" + v.Version, v.Version})
	}
	g.PreferredVersion = g.Versions[0]
	return g
}

// resourceList is the answer to GET /api/v1 and GET /apis/GROUP/VERSION. That
// of the core group has no apiVersion: clients older than it are spared it.
func resourceList(g server.GroupVersion) apiResourceList {
	list := apiResourceList{typeMeta{"APIResourceList", "v1"}, g.Group + "/" + g.Version, []apiResource{}}
	if g.Group == "" {
		list.APIVersion, list.GroupVersion = "", g.Version
	}
	for _, r := range g.Resources {
		one := apiResource{Name: r.Name, SingularName: r.Singular, Namespaced: r.Namespaced, Kind: r.KindName, Verbs: r.Verbs}
		one.Group, one.Version = foreign(g, r)
		if r.Subresource == "" {
			one.ShortNames, one.Categories, one.StorageVersionHash = r.ShortNames, r.Categories, storageVersionHash(r)
		} else {
			one.Name, one.SingularName = r.Name+"/"+r.Subresource, ""
		}
		list.Resources = append(list.Resources, one)
	}
	return list
}

// foreign is where the kind of a path comes from, if not from the path's own
// group version: scales and evictions do.
func foreign(g server.GroupVersion, r endpoints.APIResource) (group, version string) {
	group, version = metadata.SplitVersion(r.KindVersion)
	if group == g.Group && version == g.Version {
		return "", ""
	}
	return group, version
}

// storageVersionHash changes when objects are stored in another version, so
// that who migrates them notices. What is stored nowhere has none.
//
// Now: staging/src/k8s.io/apiserver/pkg/endpoints/discovery/storageversionhash.go StorageVersionHash
func storageVersionHash(r endpoints.APIResource) string {
	stored, ok := r.Storage.(interface{ Row() registry.Kind })
	if !ok {
		return ""
	}
	row := stored.Row().Resource
	sum := sha256.Sum256([]byte(row.Group + "/" + row.Version + "/" + r.KindName))
	return base64.StdEncoding.EncodeToString(sum[:8])
}

// byGroup keeps the order in which groups were installed. In a group the
// version that is liked best is first.
func byGroup(all []server.GroupVersion) [][]server.GroupVersion {
	var groups [][]server.GroupVersion
	at := map[string]int{}
	for _, g := range all {
		i, seen := at[g.Group]
		if !seen {
			i = len(groups)
			at[g.Group], groups = i, append(groups, nil)
		}
		groups[i] = append(groups[i], g)
	}
	for _, versions := range groups {
		slices.SortStableFunc(versions, func(a, b server.GroupVersion) int { return compareVersions(b.Version, a.Version) })
	}
	return groups
}

var versionForm = regexp.MustCompile(`^v(\d+)(?:(alpha|beta)(\d+))?$`)

// compareVersions: v2 is above v1, which is above v2beta1, above v1alpha1,
// above what is no version at all.
//
// Now: staging/src/k8s.io/apimachinery/pkg/version/helpers.go CompareKubeAwareVersionStrings
func compareVersions(a, b string) int {
	rank := func(v string) []int {
		m := versionForm.FindStringSubmatch(v)
		if m == nil {
			return []int{0}
		}
		major, _ := strconv.Atoi(m[1]) // digits, or none
		minor, _ := strconv.Atoi(m[3])
		return []int{map[string]int{"alpha": 1, "beta": 2, "": 3}[m[2]], major, minor}
	}
	if c := slices.Compare(rank(a), rank(b)); c != 0 {
		return c
	}
	return strings.Compare(b, a)
}
