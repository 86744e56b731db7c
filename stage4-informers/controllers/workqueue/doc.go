// Package workqueue stands between the handlers of an informer, which only
// note what to look at, and the workers of a controller, which look.
//
// A controller's handler puts a key into the queue and returns. A worker takes
// the key, reads how things are now, and makes them what they should be. What
// happened in between does not matter, nor how often: a key that waits already
// is not put in twice, and one that is being worked on is looked at once more
// afterwards, by one worker at a time.
//
// Article: A3.14
// Upstream: staging/src/k8s.io/client-go/util/workqueue/rate_limitting_queue.go RateLimitingInterface
// Now: staging/src/k8s.io/client-go/util/workqueue/rate_limiting_queue.go TypedRateLimitingInterface
// Simplified: the loop that every controller of upstream has around its queue is part of it: Run.
// Reading: reference
package workqueue
