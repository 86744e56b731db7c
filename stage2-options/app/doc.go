// Package app turns options into a configuration, in the article's order, and
// then serves what stage 1 serves.
//
// Article: A3.1, A3.2, A3.3, A3.4, A3.5, A3.6, A3.7, A3.8
// Upstream: cmd/kube-apiserver/app/server.go CreateKubeAPIServerConfig
// Now: cmd/kube-apiserver/app/config.go NewConfig
// Reading: core
package app
