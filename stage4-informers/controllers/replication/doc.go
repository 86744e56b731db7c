// Package replication is the controller that keeps as many pods as a
// replication controller wants.
//
// It is the pattern of all controllers, and what the handlers of a
// SharedInformer are there for: handlers note whom a change concerns; a worker
// looks at the whole in the cache, compares what is with what should be, and
// acts through the API; what it did comes back as news.
//
// Article: A3.14
// Upstream: pkg/controller/replication/replication_controller.go ReplicationManager
// Now: pkg/controller/replicaset/replica_set.go ReplicaSetController
// Differs: upstream runs it in kube-controller-manager.
// Simplified: whom to delete first is decided without regard to how pods are spread over nodes.
// Reading: reference
package replication
