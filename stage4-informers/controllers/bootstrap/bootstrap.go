package bootstrap

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net"
	"time"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage4-informers/client"
)

// Controller creates what is missing; what is there it leaves alone.
type Controller struct {
	Client     *client.Client
	ServiceIP  net.IP // cluster IP of the service "kubernetes"
	Address    net.IP // where this server is reached
	Port       int
	PortName   string // "https", "http"
	Namespaces []string
}

// SystemNamespaces are those that today's server makes.
var SystemNamespaces = []string{"default", "kube-system", "kube-public", "kube-node-lease"}

// every is how often the controller looks whether something has gone.
const every = 10 * time.Second

// Once creates everything that is missing.
func (c *Controller) Once(ctx context.Context) error {
	for _, name := range c.Namespaces {
		ns := &object.Object{APIVersion: "v1", Kind: "Namespace", Meta: object.Meta{Name: name}}
		if err := c.create(ctx, catalog.Resource{Version: "v1", Name: "namespaces", Kind: "Namespace"}, "", ns); err != nil {
			return err
		}
	}
	labels := map[string]string{"component": "apiserver", "provider": "kubernetes"}
	service := &object.Object{APIVersion: "v1", Kind: "Service", Meta: object.Meta{Name: "kubernetes", Namespace: "default", Labels: labels},
		Fields: map[string]any{"spec": map[string]any{
			"clusterIP": c.ServiceIP.String(), "type": "ClusterIP", "sessionAffinity": "None",
			"ports": []any{map[string]any{"name": c.PortName, "port": json.Number("443"), "protocol": "TCP", "targetPort": json.Number(fmt.Sprint(c.Port))}},
		}}}
	if err := c.create(ctx, catalog.Resource{Version: "v1", Name: "services", Kind: "Service"}, "default", service); err != nil {
		return err
	}
	return c.create(ctx, catalog.Resource{Version: "v1", Name: "endpoints", Kind: "Endpoints"}, "default", c.endpoints())
}

func (c *Controller) endpoints() *object.Object {
	return &object.Object{APIVersion: "v1", Kind: "Endpoints",
		Meta: object.Meta{Name: "kubernetes", Namespace: "default", Labels: map[string]string{"endpointslice.kubernetes.io/skip-mirror": "true"}},
		Fields: map[string]any{"subsets": []any{map[string]any{
			"addresses": []any{map[string]any{"ip": c.Address.String()}},
			"ports":     []any{map[string]any{"name": c.PortName, "port": json.Number(fmt.Sprint(c.Port)), "protocol": "TCP"}},
		}}}}
}

func (c *Controller) create(ctx context.Context, r catalog.Resource, namespace string, obj *object.Object) error {
	if _, err := c.Client.Get(ctx, r, namespace, obj.Meta.Name); !status.Is(err, "NotFound") {
		return err
	}
	_, err := c.Client.Create(ctx, r, namespace, obj)
	if status.Is(err, "AlreadyExists") {
		return nil
	}
	if err != nil {
		return fmt.Errorf("create %s %s: %w", r.Name, obj.Meta.Name, err)
	}
	return nil
}

// Start creates everything at once and then looks again and again, in a
// goroutine started with spawn, until its context ends.
func (c *Controller) Start(spawn func(func(context.Context)), stopCh <-chan struct{}) error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if err := c.Once(ctx); err != nil {
		select {
		case <-stopCh:
			return nil // the server stops before it has begun
		default:
			return err
		}
	}
	spawn(c.run)
	return nil
}

func (c *Controller) run(ctx context.Context) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if err := c.Once(ctx); err != nil && ctx.Err() == nil {
				log.Printf("bootstrap: %v (will try again)", err)
			}
		}
	}
}
