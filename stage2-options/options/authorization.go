package options

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// AuthorizationOptions say who decides what a user may do.
//
// Upstream: pkg/kubeapiserver/options/authorization.go BuiltInAuthorizationOptions
type AuthorizationOptions struct {
	Modes      []string // asked in this order until one allows
	Known      []string // modes that this program has
	PolicyFile string   // of mode ABAC
}

// NewAuthorizationOptions returns 1.7's defaults.
//
// Upstream: pkg/kubeapiserver/options/authorization.go NewBuiltInAuthorizationOptions
func NewAuthorizationOptions() *AuthorizationOptions {
	return &AuthorizationOptions{Modes: []string{"AlwaysAllow"}, Known: []string{"AlwaysAllow", "AlwaysDeny", "RBAC"}}
}

// AddFlags binds the group's fields.
func (o *AuthorizationOptions) AddFlags(fs *pflag.FlagSet) {
	fs.StringSliceVar(&o.Modes, "authorization-mode", o.Modes, "`modes` to ask, in this order: AlwaysAllow, AlwaysDeny, RBAC")
}

// Validate returns everything that is wrong with the group. In 1.7 that comes
// out only when the authorizer is made.
//
// Upstream: pkg/kubeapiserver/authorizer/config.go New
func (o *AuthorizationOptions) Validate() (errs []error) {
	remedy := "use " + strings.Join(o.Known[:len(o.Known)-1], ", ") + " or " + o.Known[len(o.Known)-1]
	if len(o.Modes) == 0 {
		return []error{fmt.Errorf("--authorization-mode=: nobody would decide; %s", remedy)}
	}
	for i, mode := range o.Modes {
		works := slices.Contains(o.Known, mode)
		toCome := !works && slices.Contains([]string{"ABAC", "Webhook", "Node"}, mode)
		errs = append(errs, check(
			rule{toCome, "authorization-mode", mode, "this mode is not built yet; " + remedy},
			rule{!works && !toCome, "authorization-mode", mode, "no such mode; " + remedy},
			rule{slices.Contains(o.Modes[:i], mode), "authorization-mode", mode, "given more than once; give it once"},
		)...)
	}
	return errs
}
