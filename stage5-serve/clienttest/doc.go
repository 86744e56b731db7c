// Package clienttest has today's clients use the server of stage 5: client-go's
// informers, leader election, events and dynamic client, and controller-runtime.
// What they are promised elsewhere they must be able to rely on here. kubectl
// gets into the pods of a small kubelet, which speaks the real protocols and
// runs real processes: kubelet_test.go, and gate_test.go for the SSH tunnel to it.
//
// It is a module of its own, and in no workspace, so that none of this becomes
// a dependency of the server. "make clients" runs it.
//
// Article: none
// Upstream: staging/src/k8s.io/client-go/tools/cache/shared_informer.go SharedInformer
// Now: staging/src/k8s.io/client-go/tools/cache/shared_informer.go SharedInformer
// Reading: reference
package clienttest
