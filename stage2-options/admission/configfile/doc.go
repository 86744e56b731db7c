// Package configfile reads the file of --admission-control-config-file, which
// has something to say to single plugins.
//
// Article: A3.4
// Upstream: staging/src/k8s.io/apiserver/pkg/admission/config.go ReadAdmissionConfiguration
// Now: staging/src/k8s.io/apiserver/pkg/admission/config.go ReadAdmissionConfiguration
// Reading: reference
package configfile
