package plugins

import (
	"context"
	"fmt"

	"example.com/kube-apiserver/stage3-storage/admission"
	"example.com/kube-apiserver/stage3-storage/kinds/rules"
)

// PriorityClass is what the name of a priority means.
//
// Now: pkg/apis/scheduling/types.go PriorityClass
type PriorityClass struct {
	Name             string
	Value            int64
	PreemptionPolicy string // "PreemptLowerPriority" or "Never"
}

// PriorityClasses finds a class by its name, and the class of a pod that names
// none. nil is returned where there is no such class.
type PriorityClasses interface {
	Find(ctx context.Context, name string) (*PriorityClass, error)
	Default(ctx context.Context) (*PriorityClass, error)
}

// systemClasses are the classes that every cluster has.
type systemClasses struct{}

const preempts = "PreemptLowerPriority"

func (systemClasses) Find(_ context.Context, name string) (*PriorityClass, error) {
	switch name {
	case "system-node-critical":
		return &PriorityClass{name, 2000001000, preempts}, nil
	case "system-cluster-critical":
		return &PriorityClass{name, 2000000000, preempts}, nil
	}
	return nil, nil
}

func (systemClasses) Default(context.Context) (*PriorityClass, error) { return nil, nil }

// priority turns the name of a class into the number that a scheduler compares.
//
// Now: plugin/pkg/admission/priority/admission.go Plugin
type priority struct {
	admission.Handler
	classes PriorityClasses
}

// SetPriorityClasses gives the plugin the classes that are kept as objects.
func (p *priority) SetPriorityClasses(c PriorityClasses) { p.classes = c }

// ValidateInitialization falls back on the classes that need not be kept.
func (p *priority) ValidateInitialization() error {
	if p.classes == nil {
		p.classes = systemClasses{}
	}
	return nil
}

func (p *priority) Admit(ctx context.Context, a *admission.Attributes) error {
	if !a.Of("pods") {
		return nil
	}
	spec := rules.Make(a.Object.Fields, "spec")
	if a.Old != nil { // it was set at the creation, and who updates need not know of it
		for _, name := range []string{"priority", "preemptionPolicy"} {
			if was := rules.Get(a.Old.Fields, "spec", name); spec[name] == nil && was != nil {
				spec[name] = was
			}
		}
		return nil
	}
	class, err := p.classOf(ctx, a, spec)
	if err != nil {
		return err
	}
	const given = "the %s value of %s (%v) must not be provided in pod spec; priority admission controller computed %v from the given PriorityClass name"
	value := rules.Number(class.Value)
	if v := spec["priority"]; v != nil && v != value {
		return admission.Forbidden(a, fmt.Sprintf(given, "integer", "priority", v, value))
	}
	spec["priority"] = value
	if class.PreemptionPolicy == "" {
		return nil
	}
	if v := rules.Text(spec, "preemptionPolicy"); v != "" && v != class.PreemptionPolicy {
		return admission.Forbidden(a, fmt.Sprintf(given, "string", "PreemptionPolicy", v, class.PreemptionPolicy))
	}
	spec["preemptionPolicy"] = class.PreemptionPolicy
	return nil
}

func (p *priority) classOf(ctx context.Context, a *admission.Attributes, spec rules.Tree) (*PriorityClass, error) {
	name := rules.Text(spec, "priorityClassName")
	if name == "" {
		class, err := p.classes.Default(ctx)
		if err != nil {
			return nil, err
		}
		if class == nil {
			return &PriorityClass{Value: 0, PreemptionPolicy: preempts}, nil
		}
		spec["priorityClassName"] = class.Name
		return class, nil
	}
	class, err := p.classes.Find(ctx, name)
	switch {
	case err != nil:
		return nil, admission.Forbidden(a, fmt.Sprintf("failed to get PriorityClass with name %s: %v", name, err))
	case class == nil:
		return nil, admission.Forbidden(a, fmt.Sprintf("no PriorityClass with name %s was found", name))
	}
	return class, nil
}
