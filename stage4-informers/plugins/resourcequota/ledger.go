package resourcequota

import (
	"fmt"
	"slices"
	"strings"

	"example.com/kube-apiserver/stage3-storage/admission"
	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage4-informers/plugins/amounts"
)

// request is one write that wants to be counted.
type request struct {
	attributes *admission.Attributes
	evaluator  *evaluator
	limited    []limitedResource // those of the configuration that are about it

	turn, served chan struct{} // see line
	err          error
}

func newRequest(a *admission.Attributes, e *evaluator, limited []limitedResource) *request {
	r := &request{attributes: a, evaluator: e, turn: make(chan struct{}), served: make(chan struct{})}
	for _, l := range limited {
		if l.APIGroup == a.Resource.Group && l.Resource == a.Resource.Name {
			r.limited = append(r.limited, l)
		}
	}
	return r
}

// page is the account of one quota. Only what its status says counts: a spec
// that nobody has taken note of yet limits nothing.
type page struct {
	quota      *object.Object
	hard, used amounts.List
	changed    bool
	settled    bool // the requests are counted here already
}

func newPage(q *object.Object) *page {
	s := rules.Map(q.Fields, "status")
	return &page{quota: q, hard: amounts.Of(rules.Map(s, "hard")), used: amounts.Of(rules.Map(s, "used"))}
}

// ledger is the account of a namespace.
type ledger []*page

// enter counts a request on all pages that it concerns, or on none.
//
// Upstream: plugin/pkg/admission/resourcequota/controller.go checkRequest
func (l ledger) enter(r *request) error {
	forbidden := func(format string, args ...any) error {
		return admission.Forbidden(r.attributes, fmt.Sprintf(format, args...))
	}
	obj := r.attributes.Object
	var pages []*page
	var covered []string
	for _, p := range l {
		counted := p.counted(r.evaluator, obj)
		if len(counted) == 0 {
			continue
		}
		if problem := r.evaluator.missing(counted, obj); problem != "" {
			return forbidden("failed quota: %s: %s", p.quota.Meta.Name, problem)
		}
		if len(p.used.Only(counted)) < len(counted) {
			return forbidden("status unknown for quota: %s, resources: %s", p.quota.Meta.Name, strings.Join(counted, ","))
		}
		pages, covered = append(pages, p), append(covered, counted...)
	}
	if problem := r.uncovered(l, covered); problem != "" {
		return forbidden("%s", problem)
	}
	if len(pages) == 0 {
		return nil
	}
	asked, negative := r.asks()
	if len(negative) > 0 {
		return forbidden("quota usage is negative for resource(s): %s", strings.Join(negative, ","))
	}
	pages = slices.DeleteFunc(pages, func(p *page) bool { return p.settled })
	for _, p := range pages {
		if over := p.over(asked); len(over) > 0 {
			return forbidden("exceeded quota: %s, requested: %s, used: %s, limited: %s",
				p.quota.Meta.Name, asked.Only(over), p.used.Only(over), p.hard.Only(over))
		}
	}
	if r.attributes.DryRun || r.attributes.Taken {
		return nil // nothing will be stored
	}
	for _, p := range pages {
		if more := asked.Only(p.hard.Names()); len(more) > 0 {
			p.used.Add(more)
			p.changed = true
		}
	}
	return nil
}

// asks is how much more is wanted than the object had before, and what is
// wanted of less than nothing.
func (r *request) asks() (asked amounts.List, negative []string) {
	asked = r.evaluator.usage(r.attributes.Object)
	for _, name := range asked.Names() {
		if q := asked[name]; q.Sign() < 0 {
			negative = append(negative, name)
		}
	}
	if r.attributes.Operation == rest.Update && r.attributes.Old != nil {
		for name, was := range r.evaluator.usage(r.attributes.Old) {
			rest := asked[name].DeepCopy()
			rest.Sub(was)
			asked[name] = rest
		}
	}
	for name, q := range asked {
		if q.Sign() <= 0 {
			delete(asked, name)
		}
	}
	return asked, negative
}

// counted are the resources that the quota limits and objects of this kind
// use; none where the quota is not about this object.
func (p *page) counted(e *evaluator, obj *object.Object) (names []string) {
	for _, s := range scopesOf(p.quota) {
		if !e.inScope(s, obj) {
			return nil
		}
	}
	return slices.DeleteFunc(p.hard.Names(), func(name string) bool { return !e.counts(name) })
}

// over are the resources of which too much is asked.
func (p *page) over(asked amounts.List) (names []string) {
	for _, name := range asked.Names() {
		hard, limited := p.hard[name]
		sum := p.used[name].DeepCopy()
		sum.Add(asked[name])
		if limited && sum.Cmp(hard) > 0 {
			names = append(names, name)
		}
	}
	return names
}
