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
	fs.IPVar(&o.AdvertiseAddress, "advertise-address", o.AdvertiseAddress, "`address` at which others reach this server; without one, that of the default route")
}

// Validate returns everything that is wrong with the group.
func (o *GenericOptions) Validate() []error {
	const notNegative = "negative; give 0 for no limit"
	return check(
		rule{o.MaxRequestsInFlight < 0, "max-requests-inflight", o.MaxRequestsInFlight, notNegative},
		rule{o.MaxMutatingRequestsInFlight < 0, "max-mutating-requests-inflight", o.MaxMutatingRequestsInFlight, notNegative},
		rule{o.MinRequestTimeout < 0, "min-request-timeout", o.MinRequestTimeout, "negative; give a number of seconds, such as 1800"},
		rule{o.RequestTimeout <= 0, "request-timeout", o.RequestTimeout, "no time at all; give a duration such as 1m"},
		rule{o.ShutdownDelay < 0, "shutdown-delay-duration", o.ShutdownDelay, "negative; give 0 for no delay"},
	)
}
