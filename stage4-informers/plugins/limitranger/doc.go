// Package limitranger is the admission plugin LimitRanger: it gives containers
// the requests and limits that their namespace has as defaults, and refuses
// pods and claims that are outside of its bounds.
//
// Article: A3.4
// Upstream: plugin/pkg/admission/limitranger/admission.go limitRanger
// Now: plugin/pkg/admission/limitranger/admission.go LimitRanger
// Differs: where several bounds are broken they are told in the order of their names; upstream's order is that of Go's maps, by chance.
// Simplified: an informer without limits for a namespace is believed; upstream asks the API once in half a minute.
// Reading: reference
package limitranger
