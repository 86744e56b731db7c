package admission

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Interface is the least that a plugin is: it knows which operations (CREATE,
// UPDATE, DELETE, CONNECT) it wants to see.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/admission/interfaces.go Interface
type Interface interface {
	Handles(operation string) bool
}

// Configuration has what --admission-control-config-file says to each plugin, as JSON.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/admission/interfaces.go ConfigProvider
type Configuration map[string][]byte

// Factory makes a plugin. config is its part of the Configuration, nil where
// there is none.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/admission/plugins.go Factory
type Factory func(config []byte) (Interface, error)

// Initializer gives a plugin what it wants of the server: the plugin has a
// method for it, found by type assertion, as with upstream's Wants… interfaces.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/admission/interfaces.go PluginInitializer
type Initializer func(Interface)

// Validator is a plugin that can say whether it got all it needs.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/admission/interfaces.go Validator
type Validator interface {
	ValidateInitialization() error
}

// Plugins is the registry: which names there are. Fill it before use; it is
// not safe for concurrent changes.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/admission/plugins.go Plugins
type Plugins struct {
	Known    []string // all that there are somewhere, in the order in which they should be asked
	registry map[string]Factory
}

// Register adds a plugin. A name that is taken is a programming error.
func (ps *Plugins) Register(name string, f Factory) error {
	if _, taken := ps.registry[name]; taken {
		return fmt.Errorf("admission plugin %q was registered twice", name)
	}
	if ps.registry == nil {
		ps.registry = map[string]Factory{}
	}
	ps.registry[name] = f
	return nil
}

// Registered lists the known names, sorted.
func (ps *Plugins) Registered() []string { return slices.Sorted(maps.Keys(ps.registry)) }

// NewFromPlugins makes the plugins that names names, in that order: it is the
// order in which they change an object and in which they refuse. Empty names
// are skipped.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/admission/plugins.go NewFromPlugins
func (ps *Plugins) NewFromPlugins(names []string, configuration Configuration, initializers ...Initializer) ([]Interface, error) {
	var chain []Interface
	for _, name := range names {
		if name == "" {
			continue
		}
		factory, ok := ps.registry[name]
		if !ok {
			return nil, fmt.Errorf("unknown admission plugin %q: known are %s", name, strings.Join(ps.Registered(), ", "))
		}
		plugin, err := factory(configuration[name])
		if err != nil {
			return nil, fmt.Errorf("admission plugin %q: %w", name, err)
		}
		for _, give := range initializers {
			give(plugin)
		}
		if v, ok := plugin.(Validator); ok {
			err = v.ValidateInitialization()
		}
		if err != nil {
			return nil, fmt.Errorf("admission plugin %q: %w", name, err)
		}
		chain = append(chain, plugin)
	}
	return chain, nil
}
