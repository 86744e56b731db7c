package catalog

import "example.com/kube-apiserver/stage3-storage/object/status"

// Resource is one row: how a kind of objects is called and where it lives.
type Resource struct {
	Group, Version string // the core group is ""
	Name           string // plural, lower case: the path segment
	Singular, Kind string
	Namespaced     bool
	ShortNames     []string
	Categories     []string
	StoredUnder    string // key below the server's prefix, such as "pods" or "services/specs"
}

// APIVersion is the apiVersion of the row's objects: "v1", "apps/v1".
func (r Resource) APIVersion() string {
	if r.Group == "" {
		return r.Version
	}
	return r.Group + "/" + r.Version
}

// GroupResource is the form in which error messages and logs name a resource:
// "pods", "deployments.apps".
func (r Resource) GroupResource() string { return r.Named().String() }

// Named is that for an error that says which resource it speaks of.
func (r Resource) Named() status.Resource { return status.Resource{Group: r.Group, Name: r.Name} }
