package discovery

import (
	"example.com/kube-apiserver/stage3-storage/endpoints"
	"example.com/kube-apiserver/stage3-storage/server"
)

// The one document for all that today's clients ask for.
//
// Now: staging/src/k8s.io/api/apidiscovery/v2/types.go APIGroupDiscoveryList
type (
	groupDiscoveryList struct {
		typeMeta
		Metadata struct{}         `json:"metadata"`
		Items    []groupDiscovery `json:"items"`
	}
	groupDiscovery struct {
		Metadata struct {
			Name string `json:"name,omitempty"`
		} `json:"metadata"`
		Versions []versionDiscovery `json:"versions"`
	}
	versionDiscovery struct {
		Version   string              `json:"version"`
		Resources []resourceDiscovery `json:"resources"`
		Freshness string              `json:"freshness"`
	}
	resourceDiscovery struct {
		Resource         string                 `json:"resource"`
		ResponseKind     groupVersionKind       `json:"responseKind"`
		Scope            string                 `json:"scope"`
		SingularResource string                 `json:"singularResource"`
		Verbs            []string               `json:"verbs"`
		ShortNames       []string               `json:"shortNames,omitempty"`
		Categories       []string               `json:"categories,omitempty"`
		Subresources     []subresourceDiscovery `json:"subresources,omitempty"`
	}
	subresourceDiscovery struct {
		Subresource  string           `json:"subresource"`
		ResponseKind groupVersionKind `json:"responseKind"`
		Verbs        []string         `json:"verbs"`
	}
	groupVersionKind struct {
		Group   string `json:"group"`
		Version string `json:"version"`
		Kind    string `json:"kind"`
	}
)

// aggregate is the document for some groups.
func aggregate(groups [][]server.GroupVersion) groupDiscoveryList {
	list := groupDiscoveryList{typeMeta: typeMeta{"APIGroupDiscoveryList", "apidiscovery.k8s.io/v2"}, Items: []groupDiscovery{}}
	for _, versions := range groups {
		var g groupDiscovery
		g.Metadata.Name = versions[0].Group
		for _, v := range versions {
			g.Versions = append(g.Versions, versionDiscovery{v.Version, withSubresources(v), "Current"})
		}
		list.Items = append(list.Items, g)
	}
	return list
}

// withSubresources hangs every subresource on its resource. One whose resource
// is of another server gets an empty one to hang on.
//
// Now: staging/src/k8s.io/apiserver/pkg/endpoints/installer.go ConvertGroupVersionIntoToDiscovery
func withSubresources(g server.GroupVersion) []resourceDiscovery {
	list := []resourceDiscovery{}
	at := map[string]int{}
	resource := func(r endpoints.APIResource) *resourceDiscovery {
		i, seen := at[r.Name]
		if !seen {
			i = len(list)
			at[r.Name], list = i, append(list, resourceDiscovery{Resource: r.Name, Scope: scope(r), Verbs: []string{}})
		}
		return &list[i]
	}
	for _, r := range g.Resources {
		one := resource(r)
		kind := groupVersionKind{Kind: r.KindName}
		kind.Group, kind.Version = foreign(g, r) // empty where they say nothing new
		if r.Subresource != "" {
			one.Subresources = append(one.Subresources, subresourceDiscovery{r.Subresource, kind, r.Verbs})
			continue
		}
		one.ResponseKind, one.SingularResource, one.Verbs = kind, r.Singular, r.Verbs
		one.ShortNames, one.Categories = r.ShortNames, r.Categories
	}
	return list
}

func scope(r endpoints.APIResource) string {
	if r.Namespaced {
		return "Namespaced"
	}
	return "Cluster"
}
