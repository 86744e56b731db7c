package rbac

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage4-informers/cache"
	"example.com/kube-apiserver/stage4-informers/informers"
	"example.com/kube-apiserver/stage5-serve/identity/authorizer"
)

// Informed is the policy that the authorizer reads: the roles and bindings as
// the informers have last heard of them. Before they have their first list it
// is empty, and only the group of masters may do anything.
//
// Upstream: pkg/registry/rbac/validation/rule.go RoleGetter
// Now: plugin/pkg/auth/authorizer/rbac/rbac.go RoleGetter
type Informed struct {
	mu       sync.RWMutex // guards what follows; by namespace and name
	roles    map[string]map[string]authorizer.Role
	bindings map[string]map[string]authorizer.Binding
	sorted   map[string][]authorizer.Binding // made of bindings when it is asked for
}

// NewInformed registers with the informers of the four resources.
func NewInformed(f *informers.SharedInformerFactory) *Informed {
	p := &Informed{roles: map[string]map[string]authorizer.Role{}, bindings: map[string]map[string]authorizer.Binding{}, sorted: map[string][]authorizer.Binding{}}
	for _, r := range []catalog.Resource{Roles, ClusterRoles} {
		f.ForResource(r).AddEventHandler(follow(p, p.roles, roleOf))
	}
	for _, r := range []catalog.Resource{RoleBindings, ClusterRoleBindings} {
		f.ForResource(r).AddEventHandler(follow(p, p.bindings, bindingOf))
	}
	return p
}

// follow keeps a map as the informer's cache is.
func follow[T any](p *Informed, all map[string]map[string]T, read func(*object.Object) T) cache.ResourceEventHandler {
	set := func(item any) {
		o, err := item.(*object.Encoded).Object()
		if err != nil {
			return // the informer has decoded it to find its key
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		if all[o.Meta.Namespace] == nil {
			all[o.Meta.Namespace] = map[string]T{}
		}
		all[o.Meta.Namespace][o.Meta.Name] = read(o)
		delete(p.sorted, o.Meta.Namespace)
	}
	return cache.ResourceEventHandlerFuncs{
		AddFunc:    set,
		UpdateFunc: func(_, item any) { set(item) },
		DeleteFunc: func(item any) {
			key, err := cache.MetaNamespaceKeyFunc(item)
			if err != nil {
				return // as above
			}
			namespace, name, _ := cache.SplitMetaNamespaceKey(key)
			p.mu.Lock()
			defer p.mu.Unlock()
			delete(all[namespace], name)
			delete(p.sorted, namespace)
		},
	}
}

// Bindings is part of authorizer.Policy. They come in the order of their
// names, so that the reason of a decision does not change from time to time.
func (p *Informed) Bindings(_ context.Context, namespace string) ([]authorizer.Binding, error) {
	p.mu.RLock()
	list, made := p.sorted[namespace]
	here := p.bindings[namespace]
	p.mu.RUnlock()
	if made || here == nil {
		return list, nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	list = make([]authorizer.Binding, 0, len(here))
	for _, name := range slices.Sorted(maps.Keys(here)) {
		list = append(list, here[name])
	}
	p.sorted[namespace] = list
	return list, nil
}

// Role is part of authorizer.Policy.
func (p *Informed) Role(_ context.Context, namespace, name string) (authorizer.Role, error) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	if r, ok := p.roles[namespace][name]; ok {
		return r, nil
	}
	kind := "clusterrole"
	if namespace != "" {
		kind = "role"
	}
	return authorizer.Role{}, status.NotFound(status.Resource{Group: group, Name: kind}, name)
}

// stored is the policy as the store has it at this moment.
type stored map[string]rest.Storage

// Bindings is part of authorizer.Policy.
func (s stored) Bindings(ctx context.Context, namespace string) ([]authorizer.Binding, error) {
	storage := s[ClusterRoleBindings.Name]
	if namespace != "" {
		storage = s[RoleBindings.Name]
	}
	list, err := storage.(rest.Lister).List(ctx, namespace, rest.ListOptions{})
	if err != nil {
		return nil, fmt.Errorf("list bindings: %w", err)
	}
	var bindings []authorizer.Binding
	for _, item := range list.Items {
		o, err := item.Object()
		if err != nil {
			return bindings, err
		}
		bindings = append(bindings, bindingOf(o))
	}
	return bindings, nil
}

// Role is part of authorizer.Policy.
func (s stored) Role(ctx context.Context, namespace, name string) (authorizer.Role, error) {
	storage := s[ClusterRoles.Name]
	if namespace != "" {
		storage = s[Roles.Name]
	}
	item, err := storage.(rest.Getter).Get(ctx, rest.Key{Namespace: namespace, Name: name}, rest.GetOptions{})
	if err != nil {
		return authorizer.Role{}, err
	}
	o, err := item.Object()
	if err != nil {
		return authorizer.Role{}, err
	}
	return roleOf(o), nil
}
