package resourcequota

import (
	"context"
	"errors"
	"time"

	optionsadmission "example.com/kube-apiserver/stage2-options/admission"
	"example.com/kube-apiserver/stage3-storage/admission"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage4-informers/client"
	"example.com/kube-apiserver/stage4-informers/informers"
	"example.com/kube-apiserver/stage4-informers/plugins/listers"
)

// Name is what --admission-control calls the plugin.
const Name = "ResourceQuota"

// New makes the plugin of its configuration, which may be nil. It works once it
// was given informers and a client.
func New(config []byte) (optionsadmission.Interface, error) {
	limited, err := readConfiguration(config)
	return &plugin{Handler: admission.Handler{rest.Create, rest.Update}, limited: limited}, err
}

type plugin struct {
	admission.Handler
	limited []limitedResource
	quotas  quotas
	line    line
}

// SetInformers asks for an informer of quotas.
func (p *plugin) SetInformers(f *informers.SharedInformerFactory) {
	p.quotas.lister = listers.New(f, "resourcequotas", "ResourceQuota", true)
}

// SetLoopback gives the client that writes the counts.
func (p *plugin) SetLoopback(c *client.Client) { p.quotas.client = c }

// ValidateInitialization says whether everything needed was given.
func (p *plugin) ValidateInitialization() error {
	if p.quotas.lister == nil || p.quotas.client == nil {
		return errors.New("missing informers or client")
	}
	return nil
}

// patience is how long counting may take, all attempts together.
const patience = 10 * time.Second

// Validate counts the object. It should be the last plugin: what it counts
// must not be refused afterwards.
func (p *plugin) Validate(ctx context.Context, a *admission.Attributes) error {
	e := evaluatorFor(a.Resource.GroupResource())
	if a.Key.Namespace == "" || a.Resource.Name == "namespaces" || e == nil || !e.handles(a) {
		return nil
	}
	if err := p.quotas.lister.Wait(ctx, a); err != nil {
		return err
	}
	known, err := p.quotas.known(a.Key.Namespace)
	if err != nil || len(known)+len(p.limited) == 0 {
		return err
	}
	r := newRequest(a, e, p.limited)
	// A client that goes away must not leave the others of its batch without an answer.
	ctx = context.WithoutCancel(ctx)
	p.line.serve(a.Key.Namespace, r, func(batch []*request) {
		ctx, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		p.count(ctx, a.Key.Namespace, batch)
	})
	return r.err
}

// attempts is how often a count is tried when others write it too. The first
// goes by what the informer knows.
const attempts = 5

// count decides on all requests of a batch and writes what they use.
//
// Upstream: plugin/pkg/admission/resourcequota/controller.go checkQuotas
func (p *plugin) count(ctx context.Context, namespace string, batch []*request) {
	written := map[string]bool{}
	for attempt := range attempts {
		l, err := p.ledger(ctx, namespace, written, attempt > 0)
		if err != nil {
			fail(batch, err)
			return
		}
		var passed []*request
		for _, r := range batch {
			if r.err = l.enter(r); r.err == nil {
				passed = append(passed, r)
			}
		}
		if attempt == 0 && len(passed) < len(batch) {
			continue
		}
		err = p.quotas.write(ctx, l, written)
		if err == nil {
			return
		}
		batch = passed
		fail(batch, err)
		if !status.Is(err, "Conflict") && !status.Is(err, "NotFound") {
			return
		}
	}
}

func fail(batch []*request, err error) {
	for _, r := range batch {
		r.err = err
	}
}

// ledger opens a page for each quota of the namespace. On those that are
// written already an earlier attempt has entered everything.
func (p *plugin) ledger(ctx context.Context, namespace string, written map[string]bool, fresh bool) (ledger, error) {
	var list []*object.Object
	var err error
	if fresh {
		list, err = p.quotas.live(ctx, namespace)
	} else {
		list, err = p.quotas.known(namespace)
	}
	if err != nil {
		return nil, err
	}
	var l ledger
	for _, q := range list {
		page := newPage(q)
		page.settled = written[q.Meta.Name]
		l = append(l, page)
	}
	return l, nil
}
