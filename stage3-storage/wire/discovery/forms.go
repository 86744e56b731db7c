package discovery

import (
	"net/http"
	"strings"

	"example.com/kube-apiserver/stage3-storage/endpoints"
	"example.com/kube-apiserver/stage3-storage/server"
)

type object = map[string]any

// legacyVersions is the answer to a plain GET /api.
func legacyVersions(groups []server.GroupVersion, req *http.Request) any {
	versions := []string{}
	for _, g := range groups {
		versions = append(versions, g.Version)
	}
	return object{
		"kind": "APIVersions", "versions": versions,
		"serverAddressByClientCIDRs": []object{{"clientCIDR": "0.0.0.0/0", "serverAddress": req.Host}},
	}
}

// groupList is the answer to a plain GET /apis.
func groupList(all []server.GroupVersion, _ *http.Request) any {
	groups := []object{}
	for _, versions := range byGroup(all) {
		g := group(versions)
		delete(g, "kind")
		delete(g, "apiVersion")
		groups = append(groups, g)
	}
	return object{"kind": "APIGroupList", "apiVersion": "v1", "groups": groups}
}

func group(versions []server.GroupVersion) object {
	var list []object
	for _, v := range versions {
		list = append(list, object{"groupVersion": v.Group + "/" + v.Version, "version": v.Version})
	}
	return object{"kind": "APIGroup", "apiVersion": "v1", "name": versions[0].Group, "versions": list, "preferredVersion": list[0]}
}

// byGroup keeps the order in which groups were installed.
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
	return groups
}

// resourceList is the answer to GET /api/v1.
func resourceList(g server.GroupVersion) any {
	resources := []object{}
	for _, r := range g.Resources {
		o := object{"name": r.Name, "singularName": r.Singular, "namespaced": r.Namespaced, "kind": r.KindName, "verbs": r.Verbs}
		if r.Subresource != "" {
			o["name"], o["singularName"] = r.Name+"/"+r.Subresource, ""
		}
		if group, version := split(r.KindVersion); group != g.Group || version != g.Version {
			o["group"], o["version"] = group, version
		}
		if r.Subresource == "" {
			addNames(o, r)
		}
		resources = append(resources, o)
	}
	return object{"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": strings.TrimPrefix(g.Group+"/"+g.Version, "/"), "resources": resources}
}

func addNames(o object, r endpoints.APIResource) {
	if len(r.ShortNames) > 0 {
		o["shortNames"] = r.ShortNames
	}
	if len(r.Categories) > 0 {
		o["categories"] = r.Categories
	}
}

func split(apiVersion string) (group, version string) {
	if group, version, ok := strings.Cut(apiVersion, "/"); ok {
		return group, version
	}
	return "", apiVersion
}

// aggregate is the one document for all groups.
func aggregate(all []server.GroupVersion) any {
	items := []object{}
	for _, versions := range byGroup(all) {
		var list []object
		for _, v := range versions {
			list = append(list, object{"version": v.Version, "freshness": "Current", "resources": withSubresources(v)})
		}
		meta := object{}
		if name := versions[0].Group; name != "" {
			meta["name"] = name
		}
		items = append(items, object{"metadata": meta, "versions": list})
	}
	return object{"kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/v2", "metadata": object{}, "items": items}
}

func withSubresources(g server.GroupVersion) []object {
	list := []object{}
	at := map[string]int{}
	for _, r := range g.Resources {
		group, version := split(r.KindVersion)
		kind := object{"group": group, "version": version, "kind": r.KindName}
		if r.Subresource != "" {
			i, known := at[r.Name]
			if !known {
				continue
			}
			subs, _ := list[i]["subresources"].([]object)
			list[i]["subresources"] = append(subs, object{"subresource": r.Subresource, "responseKind": kind, "verbs": r.Verbs})
			continue
		}
		scope := "Cluster"
		if r.Namespaced {
			scope = "Namespaced"
		}
		o := object{"resource": r.Name, "responseKind": kind, "scope": scope, "singularResource": r.Singular, "verbs": r.Verbs}
		addNames(o, r)
		at[r.Name] = len(list)
		list = append(list, o)
	}
	return list
}
