package app

import (
	"context"

	stage1filters "example.com/kube-apiserver/stage1-main/process/filters"
	stage1server "example.com/kube-apiserver/stage1-main/server"
	stage3 "example.com/kube-apiserver/stage3-storage/app"
	stage3server "example.com/kube-apiserver/stage3-storage/server"
	"example.com/kube-apiserver/stage3-storage/wire/discovery"
	"example.com/kube-apiserver/stage3-storage/wire/tables"
	"example.com/kube-apiserver/stage5-serve/flags"
	"example.com/kube-apiserver/stage5-serve/identity"
	"example.com/kube-apiserver/stage5-serve/identity/filters"
	"example.com/kube-apiserver/stage5-serve/traffic"
	"example.com/kube-apiserver/stage5-serve/traffic/audit"
)

// buildChains makes what requests meet before the server, the first filter
// first. The one for the secure port:
//
//	panic-recovery   in 1.7 inside of the timeout, where it could not keep the process alive
//	request-info     what is it about; everybody behind wants to know
//	metrics          counts, whatever becomes of the request
//	timeout          504 after --request-timeout, but for what goes on for ever
//	cors             only with --cors-allowed-origins: answers browsers before they show who they are
//	audit-refused    only with --audit-log-path: writes down whom the next one turns away
//	authentication   who is it, or 401
//	audit            only with --audit-log-path: writes down who did what
//	impersonation    as whom does he want to go on; 403 if he may not
//	audit-user       tells the audit log as whom
//	max-in-flight    429; in 1.7 before authentication, so that it could not spare administrators
//	authorization    may he, or 403
//
// The plain port has no users: its chain lacks all from authentication on but the limits.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/config.go DefaultBuildHandlerChain
func (c *Config) buildChains(s *flags.ServerRunOptions, i *identity.Identity) (secure stage1server.Chain, err error) {
	o, formats := s.GenericServerRunOptions, tables.Formats
	c.Metrics = traffic.NewMetrics(s.Etcd.BBoltFile)
	c.Metrics.Known = func(group, resource string) bool {
		_, known := discovery.Find(c.Installed, group, resource)
		return known
	}
	front := []stage1server.Filter{
		{Name: "metrics", Wrap: c.Metrics.WithMetrics},
		{Name: "timeout", Wrap: traffic.WithTimeout(o.RequestTimeout, formats)},
	}
	if len(o.CorsAllowedOriginList) > 0 {
		cors, err := traffic.WithCORS(o.CorsAllowedOriginList)
		if err != nil {
			return nil, err
		}
		front = append(front, stage1server.Filter{Name: "cors", Wrap: cors})
	}
	limit := stage1server.Filter{Name: "max-in-flight", Wrap: traffic.WithMaxInFlight(o.MaxRequestsInFlight, o.MaxMutatingRequestsInFlight, c.Metrics)}
	c.InsecureChain = stage1filters.After(stage3.Chain, "request-info", append(front, limit)...)

	back := []stage1server.Filter{{Name: "authentication", Wrap: filters.WithAuthentication(i.Users, formats)}}
	impersonation := stage1server.Filter{Name: "impersonation", Wrap: filters.WithImpersonation(i.Permissions, formats)}
	if c.Audit, err = audit.New(s.Audit); err != nil {
		return nil, err
	}
	if c.Audit != nil {
		back = []stage1server.Filter{
			{Name: "audit-refused", Wrap: c.Audit.WithRefused}, back[0], {Name: "audit", Wrap: c.Audit.WithAudit}, impersonation, {Name: "audit-user", Wrap: audit.Observe},
		}
	} else {
		back = append(back, impersonation)
	}
	back = append(back, limit, stage1server.Filter{Name: "authorization", Wrap: filters.WithAuthorization(i.Permissions, formats)})
	return stage1filters.After(stage3.Chain, "request-info", append(front, back...)...), nil
}

// installDiagnostics adds what operators look at. All of it is authorized as
// any other path is.
func (c *Config) installDiagnostics(s *stage3server.GenericAPIServer) {
	s.Mux.Handle("/metrics", c.Metrics.Handler())
	if c.Audit != nil {
		s.On(stage1server.Stopped, "close audit log", func(context.Context) error { return c.Audit.Close() })
	}
	if c.Profiling {
		traffic.InstallProfiling(s.Mux.Handle)
	}
}
