// Package patch makes the wanted object of a live one and a patch, in the three
// forms that clients send: JSON patch, JSON merge patch, strategic merge patch.
//
// Objects are parsed JSON trees. The live one is never changed; the wanted one
// may share parts with it. A patch that cannot be understood is a 400, one that
// does not fit the live object a 422, always as a Status.
//
// Article: none
// Upstream: staging/src/k8s.io/apiserver/pkg/endpoints/handlers/rest.go patchResource
// Now: staging/src/k8s.io/apiserver/pkg/endpoints/handlers/patch.go patcher
// Differs: a strategic patch whose list items lack their merge key is a 422 with a reason; upstream lets it become a 500 without one.
// Differs: directives are checked before anything is merged, and none is ever left in the object; upstream forgets those inside of what it takes over whole.
// Differs: {$patch: merge}, which upstream knows and refuses, says what happens anyway; {$patch: replace} works where nothing is to be replaced, too.
// Differs: a number that an integer has no place for is refused; upstream cuts it to size if it comes in a strategic patch.
// Simplified: an order that contradicts the list beside it is followed; upstream answers 500.
// Reading: reference
package patch
