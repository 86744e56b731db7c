package options

import (
	"fmt"
	"net"
	"os"
	"strconv"

	"example.com/kube-apiserver/stage1-main/startup"
	"github.com/spf13/pflag"
)

// ServerRunOptions has one field for each flag, grouped.
//
// Upstream: cmd/kube-apiserver/app/options/options.go ServerRunOptions
type ServerRunOptions struct {
	InsecureServing *InsecureServingOptions
	Startup         *startup.Log // where the steps of the start are written
}

// NewServerRunOptions returns the defaults.
//
// Upstream: cmd/kube-apiserver/app/options/options.go NewServerRunOptions
func NewServerRunOptions() *ServerRunOptions {
	return &ServerRunOptions{InsecureServing: NewInsecureServingOptions(), Startup: startup.New(os.Stderr)}
}

// AddFlags binds every field to a flag of fs by its address: parsing fs fills s.
//
// Upstream: cmd/kube-apiserver/app/options/options.go AddFlags
func (s *ServerRunOptions) AddFlags(fs *pflag.FlagSet) { s.InsecureServing.AddFlags(fs) }

// InsecureServingOptions say where to serve plain HTTP.
//
// Upstream: pkg/kubeapiserver/options/serving.go InsecureServingOptions
type InsecureServingOptions struct {
	BindAddress net.IP
	BindPort    int          // 0 serves no plain HTTP at all
	listener    net.Listener // once it is open
}

// NewInsecureServingOptions returns 1.7's defaults.
//
// Upstream: pkg/kubeapiserver/options/serving.go NewInsecureServingOptions
func NewInsecureServingOptions() *InsecureServingOptions {
	return &InsecureServingOptions{BindAddress: net.IPv4(127, 0, 0, 1), BindPort: 8080}
}

// AddFlags binds the group's fields.
func (o *InsecureServingOptions) AddFlags(fs *pflag.FlagSet) {
	fs.IPVar(&o.BindAddress, "insecure-bind-address", o.BindAddress, "address to serve plain HTTP on")
	fs.IntVar(&o.BindPort, "insecure-port", o.BindPort, "port to serve plain HTTP on; 0 for none")
}

// Validate returns everything that is wrong with the group.
func (o *InsecureServingOptions) Validate() []error {
	if o.BindPort < 0 || o.BindPort > 65535 {
		return []error{fmt.Errorf("--insecure-port=%d: want a port from 1 to 65535, or 0 to serve no plain HTTP", o.BindPort)}
	}
	return nil
}

// Listen opens the socket, so that a port in use is an error before anything
// else is done. A second call returns the same one, and without a port it is nil.
func (o *InsecureServingOptions) Listen() (_ net.Listener, err error) {
	if o.BindPort == 0 || o.listener != nil {
		return o.listener, nil
	}
	address := net.JoinHostPort(o.BindAddress.String(), strconv.Itoa(o.BindPort))
	if o.listener, err = net.Listen("tcp", address); err != nil {
		return nil, fmt.Errorf("--insecure-port=%d: cannot listen on %s: %w (give another port)", o.BindPort, address, err)
	}
	return o.listener, nil
}
