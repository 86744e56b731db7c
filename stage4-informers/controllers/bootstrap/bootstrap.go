package bootstrap

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net"
	"time"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage4-informers/client"
	"example.com/kube-apiserver/stage4-informers/server"
)

// Controller creates what is missing; what is there it leaves alone.
type Controller struct {
	Client    *client.Client
	ServiceIP net.IP // cluster IP of the service "kubernetes"
	Address   net.IP // where this server is reached
	Port      int
}

// portName is that of the service, whatever this server speaks.
const portName = "https"

// systemNamespaces are those that today's server makes.
var systemNamespaces = []string{"default", "kube-system", "kube-public", "kube-node-lease"}

// every is how often the controller looks whether something has gone, and again
// how soon after it was not allowed to create it.
const (
	every = 10 * time.Second
	again = time.Second
)

// once creates everything that is missing. refused is what the server answers
// where it does not let it, because of a quota, say; what comes after is
// created all the same. err is that there was no answer.
func (c *Controller) once(ctx context.Context) (refused, err error) {
	for _, w := range c.wanted() {
		switch err := c.create(ctx, w.resource, w.object); {
		case isAnswer(err):
			refused = errors.Join(refused, err)
		case err != nil:
			return refused, err
		}
	}
	return refused, nil
}

func isAnswer(err error) bool {
	_, ok := errors.AsType[*status.Status](err)
	return ok
}

type wanted struct {
	resource catalog.Resource
	object   *object.Object
}

// wanted is what there has to be, in the order in which it can be created.
func (c *Controller) wanted() (list []wanted) {
	for _, name := range systemNamespaces {
		list = append(list, wanted{catalog.Resource{Version: "v1", Name: "namespaces", Kind: "Namespace"},
			&object.Object{APIVersion: "v1", Kind: "Namespace", Meta: object.Meta{Name: name}}})
	}
	return append(list,
		wanted{catalog.Resource{Version: "v1", Name: "services", Kind: "Service"}, c.service()},
		wanted{catalog.Resource{Version: "v1", Name: "endpoints", Kind: "Endpoints"}, c.endpoints()})
}

func (c *Controller) service() *object.Object {
	labels := map[string]string{"component": "apiserver", "provider": "kubernetes"}
	return &object.Object{APIVersion: "v1", Kind: "Service", Meta: object.Meta{Name: "kubernetes", Namespace: "default", Labels: labels},
		Fields: map[string]any{"spec": map[string]any{
			"clusterIP": c.ServiceIP.String(), "type": "ClusterIP", "sessionAffinity": "None",
			"ports": []any{map[string]any{"name": portName, "port": json.Number("443"), "protocol": "TCP", "targetPort": json.Number(fmt.Sprint(c.Port))}},
		}}}
}

func (c *Controller) endpoints() *object.Object {
	return &object.Object{APIVersion: "v1", Kind: "Endpoints",
		Meta: object.Meta{Name: "kubernetes", Namespace: "default", Labels: map[string]string{"endpointslice.kubernetes.io/skip-mirror": "true"}},
		Fields: map[string]any{"subsets": []any{map[string]any{
			"addresses": []any{map[string]any{"ip": c.Address.String()}},
			"ports":     []any{map[string]any{"name": portName, "port": json.Number(fmt.Sprint(c.Port)), "protocol": "TCP"}},
		}}}}
}

func (c *Controller) create(ctx context.Context, r catalog.Resource, obj *object.Object) error {
	if _, err := c.Client.Get(ctx, r, obj.Meta.Namespace, obj.Meta.Name); !status.Is(err, "NotFound") {
		return err
	}
	_, err := c.Client.Create(ctx, r, obj.Meta.Namespace, obj)
	if status.Is(err, "AlreadyExists") {
		return nil
	}
	if err != nil {
		return fmt.Errorf("create %s %s: %w", r.Name, obj.Meta.Name, err)
	}
	return nil
}

// PostStartHook creates everything at once and then looks again and again, until
// the server stops. A server that refuses some of it goes on: whoever has
// forbidden it may think better of it. One that does not even answer itself has
// failed.
//
// Upstream: pkg/master/controller.go PostStartHook
func (c *Controller) PostStartHook(hook server.PostStartHookContext) error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	refused, err := c.once(ctx)
	if err != nil {
		select {
		case <-hook.StopCh:
			return nil // the server stops before it has begun
		default:
			return err
		}
	}
	say("", refused)
	hook.Go(func(ctx context.Context) { c.run(ctx, refused) })
	return nil
}

// run looks again until ctx ends. problem is what the last look found.
func (c *Controller) run(ctx context.Context, problem error) {
	for {
		pause := every
		if problem != nil {
			pause = again
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
		refused, err := c.once(ctx)
		if ctx.Err() != nil {
			return
		}
		before := fmt.Sprint(problem)
		problem = errors.Join(refused, err)
		say(before, problem)
	}
}

// say logs a problem, unless it is still the one before.
func say(before string, problem error) {
	if problem != nil && before != fmt.Sprint(problem) {
		log.Printf("bootstrap: %v (will try again)", problem)
	}
}
