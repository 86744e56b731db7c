package replication

import (
	"context"
	"sync"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage4-informers/client"
)

// burst is how many pods are created or deleted before the controller looks again.
const burst = 500

// manage creates the pods that are missing, or deletes those that are too many.
//
// Upstream: pkg/controller/replication/replication_controller.go manageReplicas
func (c *Controller) manage(ctx context.Context, key string, rc *object.Object, pods []*object.Object) error {
	missing := int(rules.Int(rc.Fields, "spec", "replicas")) - len(pods)
	switch {
	case missing > 0:
		missing = min(missing, burst)
		c.expected.expect(key, missing)
		made, err := slowStart(missing, func() error { return c.create(ctx, rc) })
		for range missing - made {
			c.expected.created(key)
		}
		c.queue.AddAfter(key, patience)
		return err
	case missing < 0:
		gone := ranked(pods)[:min(-missing, burst)]
		uids := make([]string, len(gone))
		for i, pod := range gone {
			uids[i] = pod.Meta.UID
		}
		c.expected.expect(key, 0, uids...)
		c.queue.AddAfter(key, patience)
		return c.deleteAll(ctx, key, rc, gone)
	}
	return nil
}

func (c *Controller) create(ctx context.Context, rc *object.Object) error {
	made, err := c.client.Create(ctx, podRow, rc.Meta.Namespace, fromTemplate(rc))
	if client.HasCause(err, "NamespaceTerminating") {
		return nil // it would be refused again and again, and the pods would go as well
	}
	if err != nil {
		c.events.Event(ctx, rc, "Warning", "FailedCreate", "Error creating: "+err.Error())
		return err
	}
	if pod := metaOf(made); pod != nil {
		c.events.Event(ctx, rc, "Normal", "SuccessfulCreate", "Created pod: "+pod.Name)
	}
	return nil
}

// slowStart does something n times: first once, then twice at a time, then
// four times, and so on until something fails. What is refused will mostly be
// refused again, and a thousand refusals help nobody.
//
// Now: pkg/controller/replicaset/replica_set.go slowStartBatch
func slowStart(n int, do func() error) (done int, err error) {
	for size := 1; done < n && err == nil; size *= 2 {
		results := make([]error, min(size, n-done))
		var batch sync.WaitGroup
		for i := range results {
			batch.Go(func() { results[i] = do() })
		}
		batch.Wait()
		for _, failed := range results {
			if failed == nil {
				done++
			} else {
				err = failed
			}
		}
	}
	return done, err
}

func (c *Controller) deleteAll(ctx context.Context, key string, rc *object.Object, pods []*object.Object) error {
	results := make([]error, len(pods))
	var running sync.WaitGroup
	for i, pod := range pods {
		running.Go(func() {
			err := c.client.Delete(ctx, podRow, pod.Meta.Namespace, pod.Meta.Name, client.DeleteOptions{PropagationPolicy: "Background", UID: pod.Meta.UID})
			switch {
			case err == nil:
				c.events.Event(ctx, rc, "Normal", "SuccessfulDelete", "Deleted pod: "+pod.Meta.Name)
				return
			case !status.Is(err, "NotFound"):
				c.events.Event(ctx, rc, "Warning", "FailedDelete", "Error deleting: "+err.Error())
				results[i] = err
			}
			c.expected.deleted(key, pod.Meta.UID)
		})
	}
	running.Wait()
	for _, err := range results {
		if err != nil {
			return err
		}
	}
	return nil
}
