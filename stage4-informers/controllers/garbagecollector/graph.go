package garbagecollector

import (
	"slices"
	"sync"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
)

// The finalizers by which an owner waits for the collector.
const (
	orphanFinalizer     = "orphan"
	foregroundFinalizer = "foregroundDeletion"
)

// node is an object as an informer knows it. It does not change.
type node struct {
	row  catalog.Resource
	meta *object.Meta
}

func (n *node) deleting() bool { return n.meta.DeletionTimestamp != "" }

func (n *node) has(finalizer string) bool { return slices.Contains(n.meta.Finalizers, finalizer) }

// waits: the node goes when its dependents have gone.
func (n *node) waits() bool { return n.deleting() && n.has(foregroundFinalizer) }

// isAt says whether the node is where a reference from namespace points to.
func (n *node) isAt(ref object.OwnerReference, namespace string) bool {
	return n.row.Kind == ref.Kind && n.meta.Name == ref.Name && (!n.row.Namespaced || n.meta.Namespace == namespace)
}

// graph is all objects with who belongs to whom, by UID.
//
// Upstream: pkg/controller/garbagecollector/graph_builder.go GraphBuilder
type graph struct {
	mu         sync.Mutex // guards what follows
	nodes      map[string]*node
	dependents map[string]map[string]bool // of an owner, which need not be there
	gone       map[string]bool            // objects whose deletion was seen; a UID never comes back
}

// manyGone is when the graph forgets whom it saw go: the server will say it as well.
const manyGone = 1000

func newGraph() *graph {
	return &graph{nodes: map[string]*node{}, dependents: map[string]map[string]bool{}, gone: map[string]bool{}}
}

// put sets a node and returns whom this concerns.
func (g *graph) put(n *node) (concerned []string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	uid := n.meta.UID
	concerned = g.unlink(uid)
	g.nodes[uid] = n
	for _, ref := range n.meta.OwnerReferences {
		if g.dependents[ref.UID] == nil {
			g.dependents[ref.UID] = map[string]bool{}
		}
		g.dependents[ref.UID][uid] = true
	}
	return append(append(concerned, uid), g.waitingOwners(n)...)
}

// remove takes a node out whose object has gone, and returns whom this concerns.
func (g *graph) remove(uid string) (concerned []string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	concerned = g.unlink(uid)
	if len(g.gone) >= manyGone {
		clear(g.gone)
	}
	g.gone[uid] = true
	for dependent := range g.dependents[uid] {
		concerned = append(concerned, dependent)
	}
	return concerned
}

// unlink takes a node out and returns the owners that may have waited for it.
func (g *graph) unlink(uid string) []string {
	old := g.nodes[uid]
	if old == nil {
		return nil
	}
	delete(g.nodes, uid)
	for _, ref := range old.meta.OwnerReferences {
		delete(g.dependents[ref.UID], uid)
		if len(g.dependents[ref.UID]) == 0 {
			delete(g.dependents, ref.UID)
		}
	}
	return g.waitingOwners(old)
}

func (g *graph) waitingOwners(n *node) (uids []string) {
	for _, ref := range n.meta.OwnerReferences {
		if owner := g.nodes[ref.UID]; owner != nil && owner.waits() {
			uids = append(uids, ref.UID)
		}
	}
	return uids
}

// forget takes out the nodes of a resource that is served no longer. That its
// objects are gone was not said.
func (g *graph) forget(resource string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for uid, n := range g.nodes {
		if n.row.GroupResource() == resource {
			g.unlink(uid)
		}
	}
}

func (g *graph) get(uid string) *node {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.nodes[uid]
}

func (g *graph) sawGo(uid string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.gone[uid]
}

// owned are all nodes that have owners.
func (g *graph) owned() (uids []string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for uid, n := range g.nodes {
		if len(n.meta.OwnerReferences) > 0 {
			uids = append(uids, uid)
		}
	}
	return uids
}

func (g *graph) dependentsOf(uid string) (list []*node) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for dependent := range g.dependents[uid] {
		if dependent != uid { // who owns himself waits for nobody
			list = append(list, g.nodes[dependent])
		}
	}
	return list
}

// settled: every owner is known, is where the reference says, and does not
// wait for its dependents. There is nothing to do about such a node.
func (g *graph) settled(n *node) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return !slices.ContainsFunc(n.meta.OwnerReferences, func(ref object.OwnerReference) bool {
		owner := g.nodes[ref.UID]
		return owner == nil || !owner.isAt(ref, n.meta.Namespace) || owner.waits()
	})
}
