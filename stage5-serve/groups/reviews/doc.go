// Package reviews serves questions that are asked by POST and leave nothing
// behind: who am I, may I, may he, what may I, whose token is this.
//
// Article: none
// Upstream: pkg/registry/authorization/subjectaccessreview/rest.go REST
// Now: pkg/registry/authorization/subjectaccessreview/rest.go REST
// Simplified: selectors in a question are checked for their form and not looked at otherwise: no authorizer here goes by them.
// Reading: reference
package reviews
