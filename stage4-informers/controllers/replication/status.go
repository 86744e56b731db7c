package replication

import (
	"context"
	"slices"
	"time"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
)

// report writes the status, if it is another one than before.
//
// Upstream: pkg/controller/replicaset/replica_set_utils.go calculateStatus
func (c *Controller) report(ctx context.Context, key string, rc *object.Object, pods []*object.Object, failure error) error {
	wait := time.Duration(rules.Int(rc.Fields, "spec", "minReadySeconds")) * time.Second
	counts := count(rc, pods, wait)
	if counts["availableReplicas"] < counts["readyReplicas"] {
		c.queue.AddAfter(key, wait) // that a pod is ready long enough makes no news
	}
	before := rules.Map(rc.Fields, "status")
	now := rules.Tree{"replicas": rules.Number(int64(len(pods)))}
	for name, n := range counts {
		if n > 0 {
			now[name] = rules.Number(n)
		}
	}
	if list := conditions(before, int64(len(pods)) < rules.Int(rc.Fields, "spec", "replicas"), failure); len(list) > 0 {
		now["conditions"] = list
	}
	if rules.Same(now, before) {
		return nil
	}
	next := rc.DeepCopy()
	next.Fields["status"] = now
	_, err := c.client.Update(ctx, replicationControllers, "status", next)
	if status.Is(err, "NotFound") {
		return nil
	}
	return err
}

// count says how many pods are how far. wait is how long one has to be ready
// before it is available.
func count(rc *object.Object, pods []*object.Object, wait time.Duration) map[string]int64 {
	counts := map[string]int64{"observedGeneration": rc.Meta.Generation}
	labels := rules.Strings(rc.Fields, "spec", "template", "metadata", "labels")
	for _, pod := range pods {
		if hasAll(pod.Meta.Labels, labels) {
			counts["fullyLabeledReplicas"]++
		}
		if ready := condition(pod, "Ready"); ready != nil {
			counts["readyReplicas"]++
			since, err := time.Parse(time.RFC3339, rules.Text(ready, "lastTransitionTime"))
			if wait == 0 || err == nil && time.Since(since) >= wait {
				counts["availableReplicas"]++
			}
		}
	}
	return counts
}

func hasAll(labels, wanted map[string]string) bool {
	for k, v := range wanted {
		if labels[k] != v {
			return false
		}
	}
	return true
}

// conditions are those from before, and whether pods could be made or deleted.
func conditions(before rules.Tree, creating bool, failure error) []any {
	isFailure := func(v any) bool { m, _ := v.(rules.Tree); return rules.Text(m, "type") == "ReplicaFailure" }
	list := slices.Clone(rules.List(before, "conditions"))
	switch {
	case failure == nil:
		return slices.DeleteFunc(list, isFailure)
	case slices.ContainsFunc(list, isFailure):
		return list
	}
	reason := "FailedDelete"
	if creating {
		reason = "FailedCreate"
	}
	return append(list, rules.Tree{
		"type": "ReplicaFailure", "status": "True", "reason": reason, "message": failure.Error(), "lastTransitionTime": object.Now(),
	})
}
