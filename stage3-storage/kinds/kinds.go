package kinds

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/field"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage3-storage/wire/metadata"
	"example.com/kube-apiserver/stage3-storage/wire/printers"
)

// Kind is a row: what the registry needs, and how a table shows it. A kind
// without columns is shown as printers shows unknown kinds.
type Kind struct {
	registry.Kind
	Columns    []printers.Column
	Conditions func(*object.Object) []printers.Condition // of a line of its table; may be nil
	// Deprecated is the warning that every request for the kind is answered with.
	Deprecated string
}

// Options are what the kinds have to know of the server.
type Options struct {
	EventTTL        time.Duration
	AllowPrivileged bool
	Services        *Allocator // addresses and node ports; must be set
	// NamespaceFinalizer keeps a deleted namespace until somebody has emptied it
	// and removes the name; "" where nobody does.
	NamespaceFinalizer string
	// AsGo, where set, is a part of an object as upstream's complaints show it:
	// with the names of a Go structure. Otherwise it is shown as it came.
	AsGo func(structure string, part any) any
}

func (o Options) asGo(structure string, part any) any {
	if o.AsGo == nil {
		return part
	}
	return o.AsGo(structure, part)
}

// diff shows what has changed in a part of an object.
func (o Options) diff(structure string, before, after any) string {
	return rules.Diff(o.asGo(structure, before), o.asGo(structure, after))
}

// Core is the table of the core group.
//
// Upstream: pkg/registry/core/rest/storage_core.go NewLegacyRESTStorage
func Core(o Options) []Kind {
	return []Kind{
		configMaps(), endpoints(), events(o), limitRanges(), namespaces(o), nodes(),
		persistentVolumeClaims(o), persistentVolumes(o), pods(o), podTemplates(o),
		replicationControllers(o), resourceQuotas(), secrets(), serviceAccounts(), services(o),
	}
}

// row makes a catalog row of the core group. key is where its objects are stored.
func row(name, singular, kind, key string, namespaced bool, shortNames ...string) catalog.Resource {
	return catalog.Resource{Version: "v1", Name: name, Singular: singular, Kind: kind, StoredUnder: key, Namespaced: namespaced, ShortNames: shortNames}
}

// all marks a row as one that "kubectl get all" shows.
func all(r catalog.Resource) catalog.Resource {
	r.Categories = []string{"all"}
	return r
}

type tree = rules.Tree

func spec(o *object.Object) tree   { return rules.Map(o.Fields, "spec") }
func status(o *object.Object) tree { return rules.Map(o.Fields, "status") }

// statusOnly is the strategy of a /status path: nothing else can change there.
func statusOnly(check func(o, old *object.Object) field.Errors) *registry.Strategy {
	return &registry.Strategy{OnlyNew: []string{"status"}, ValidateUpdate: check}
}

// defaulted applies a table to the whole object.
func defaulted(d rules.Defaults) func(*object.Object) {
	return func(o *object.Object) { d.Apply(o.Fields) }
}

// checked asks a table about the whole object.
func checked(f rules.Fields) func(*object.Object) field.Errors {
	return func(o *object.Object) field.Errors { return f.Check("", tree(o.Fields)) }
}

// immutable complains of every field of the object at at that has changed.
func immutable(at string, now, before tree, names ...string) field.Errors {
	var errs field.Errors
	for _, name := range names {
		if !rules.Same(now[name], before[name]) {
			errs = append(errs, field.Invalid(rules.Join(at, name), now[name], "field is immutable"))
		}
	}
	return errs
}

// selectable makes a Strategy.Field of a table: names of fields, and how to read them.
func selectable(fields map[string]func(*object.Object) string) func(*object.Object, string) (string, bool) {
	return func(o *object.Object, path string) (string, bool) {
		read, known := fields[path]
		if !known {
			return "", false
		}
		return read(o), true
	}
}

// text reads a string for selectable.
func text(path ...string) func(*object.Object) string {
	return func(o *object.Object) string { return rules.Text(o.Fields, path...) }
}

// sortedKeys are the keys of labels or annotations, in order.
func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }

// nameWarning: a name that is longer than a part of a host's name can be, or
// has dots, is cut or read as several.
func nameWarning(o, old *object.Object, use string) []string {
	problems := metadata.DNSLabel(o.Meta.Name)
	if old != nil || len(problems) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("metadata.name: this is used in %s, which can result in surprising behavior; a DNS label is recommended: %v", use, problems)}
}
