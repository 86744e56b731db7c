package kinds

import (
	"time"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage3-storage/wire/printers"
)

// Kind is a row: what the registry needs, and how a table shows it.
type Kind struct {
	registry.Kind
	Columns []printers.Column
}

// Options are what the kinds have to know of the server.
type Options struct {
	EventTTL        time.Duration
	AllowPrivileged bool
	Services        *Allocator // addresses and node ports
}

// Core is the table of the core group.
func Core(o Options) []Kind {
	return []Kind{
		configMaps(), endpoints(), events(o), namespaces(), nodes(), pods(o),
		replicationControllers(), secrets(), serviceAccounts(), services(o),
	}
}

// row makes a catalog row of the core group.
func row(name, singular, kind, key string, namespaced bool, shortNames ...string) catalog.Resource {
	return catalog.Resource{Version: "v1", Name: name, Singular: singular, Kind: kind, StoredUnder: key, Namespaced: namespaced, ShortNames: shortNames}
}

// statusOnly is the strategy of a /status path: nothing else can change there.
func statusOnly() *registry.Strategy { return &registry.Strategy{OnlyNew: []string{"status"}} }

// emptyStatus gives an object the empty status that its Go type has upstream.
func emptyStatus(o *object.Object) {
	if o.Fields["status"] == nil {
		o.Fields["status"] = tree{}
	}
}
