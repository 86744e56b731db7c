package admission_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"example.com/kube-apiserver/stage3-storage/admission"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
)

// recorder is a plugin of both phases that writes down what it is asked.
type recorder struct {
	admission.Handler
	name string
	log  *[]string
	err  error
}

func (r recorder) Admit(_ context.Context, a *admission.Attributes) error {
	*r.log = append(*r.log, r.name+" admits "+a.Key.Name)
	return r.err
}

func (r recorder) Validate(_ context.Context, a *admission.Attributes) error {
	*r.log = append(*r.log, r.name+" validates "+a.Key.Name)
	return nil
}

func attributes() *admission.Attributes {
	return &admission.Attributes{
		Operation: rest.Create, Resource: catalog.Resource{Version: "v1", Name: "pods"}, Key: rest.Key{Namespace: "n", Name: "web-x7"},
		Object: &object.Object{Meta: object.Meta{GenerateName: "web-"}},
	}
}

func TestPluginsRunInOrderAndOnlyForWhatTheyHandle(t *testing.T) {
	var log []string
	c := admission.Chain{
		recorder{admission.Handler{rest.Create}, "b", &log, nil}, recorder{admission.Handler{rest.Delete}, "c", &log, nil},
		recorder{admission.Handler{rest.Create, rest.Update}, "a", &log, nil},
	}
	if err := errors.Join(c.Admit(t.Context(), attributes()), c.Validate(t.Context(), attributes())); err != nil {
		t.Fatal(err)
	}
	want := []string{"b admits web-x7", "a admits web-x7", "b validates web-x7", "a validates web-x7"}
	if !slices.Equal(log, want) {
		t.Errorf("the plugins were asked\n\t%q\nwant\n\t%q", log, want)
	}
}

func TestTheFirstRefusalEndsTheChain(t *testing.T) {
	var log []string
	refused := errors.New("no")
	c := admission.Chain{recorder{admission.Handler{rest.Create}, "a", &log, refused}, recorder{admission.Handler{rest.Create}, "b", &log, nil}}
	if err := c.Admit(t.Context(), attributes()); err != refused {
		t.Errorf("the chain answers %v, want the first plugin's refusal", err)
	}
	if len(log) != 1 {
		t.Errorf("after a refusal the chain went on: %q", log)
	}
}

func TestAGeneratedNameIsKnownToTheSecondPhaseOnly(t *testing.T) {
	var log []string
	c := admission.Chain{recorder{admission.Handler{rest.Create}, "a", &log, nil}}
	a := attributes()
	a.Generated = true
	if err := errors.Join(c.Admit(t.Context(), a), c.Validate(t.Context(), a)); err != nil {
		t.Fatal(err)
	}
	if want := []string{"a admits ", "a validates web-x7"}; !slices.Equal(log, want) {
		t.Errorf("the plugins were asked\n\t%q\nwant\n\t%q", log, want)
	}
}

func TestARefusalNamesTheObjectAsFarAsItHasAName(t *testing.T) {
	for want, change := range map[string]func(*admission.Attributes){
		`pods "web-x7" is forbidden: no`:  func(*admission.Attributes) {},
		`pods "web-" is forbidden: no`:    func(a *admission.Attributes) { a.Key.Name = "" },
		`pods "Unknown" is forbidden: no`: func(a *admission.Attributes) { a.Key.Name, a.Object = "", nil },
	} {
		a := attributes()
		change(a)
		if got := admission.Forbidden(a, "no").Error(); got != want {
			t.Errorf("the refusal is %q, want %q", got, want)
		}
	}
}
