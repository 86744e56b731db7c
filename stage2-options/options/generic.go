package options

import (
	"net"
	"time"

	"github.com/spf13/pflag"
)

// GenericOptions are about any API server, whatever it serves.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/options/server_run_options.go ServerRunOptions
type GenericOptions struct {
	AdvertiseAddress            net.IP // nil or 0.0.0.0 until DefaultOptions
	CorsAllowedOriginList       []string
	ExternalHost                string
	MaxRequestsInFlight         int // 0 for no limit
	MaxMutatingRequestsInFlight int // 0 for no limit
	MinRequestTimeout           int // seconds that a watch lasts at least
	RequestTimeout              time.Duration
	ShutdownDelay               time.Duration
	TargetRAMMB                 int
}

// NewGenericOptions returns 1.7's defaults.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/server/options/server_run_options.go NewServerRunOptions
func NewGenericOptions() *GenericOptions {
	return &GenericOptions{
		MaxRequestsInFlight:         400,
		MaxMutatingRequestsInFlight: 200,
		MinRequestTimeout:           1800,
		RequestTimeout:              time.Minute,
	}
}

// AddFlags binds the group's fields.
func (o *GenericOptions) AddFlags(fs *pflag.FlagSet) {
	fs.IPVar(&o.AdvertiseAddress, "advertise-address", o.AdvertiseAddress, "`address` at which others reach this server; empty for that of the default route")
	fs.StringSliceVar(&o.CorsAllowedOriginList, "cors-allowed-origins", o.CorsAllowedOriginList, "regular `expressions` of the origins that browsers may call from")
	fs.StringVar(&o.ExternalHost, "external-hostname", o.ExternalHost, "`name` of this server in the addresses it gives out")
	fs.IntVar(&o.MaxRequestsInFlight, "max-requests-inflight", o.MaxRequestsInFlight, "how many reads are served at a time; 0 for no limit")
	fs.IntVar(&o.MaxMutatingRequestsInFlight, "max-mutating-requests-inflight", o.MaxMutatingRequestsInFlight, "how many writes are served at a time; 0 for no limit")
	fs.IntVar(&o.MinRequestTimeout, "min-request-timeout", o.MinRequestTimeout, "how many `seconds` a watch lasts at least")
	fs.DurationVar(&o.RequestTimeout, "request-timeout", o.RequestTimeout, "how long any other request may take")
	fs.DurationVar(&o.ShutdownDelay, "shutdown-delay-duration", o.ShutdownDelay, "how long to serve on, not ready, after the signal to stop")
	fs.IntVar(&o.TargetRAMMB, "target-ram-mb", o.TargetRAMMB, "memory in `MB` from which 1.7 computes the sizes of its caches")
	HasNoEffect(fs, "cors-allowed-origins", "external-hostname", "max-requests-inflight", "max-mutating-requests-inflight",
		"min-request-timeout", "request-timeout", "shutdown-delay-duration", "target-ram-mb")
}
