// Package admission gives plugins a say in every write: they may change the
// object, and they may refuse it. Reads never come here.
//
// Article: A3.4
// Upstream: staging/src/k8s.io/apiserver/pkg/admission/interfaces.go Interface
// Now: staging/src/k8s.io/apiserver/pkg/admission/interfaces.go MutationInterface
// Differs: 1.7 has one phase in which a plugin may do both; here, as today, all plugins that change come first and those that only judge see the final object.
// Reading: core
package admission
