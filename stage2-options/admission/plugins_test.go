package admission_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/kube-apiserver/stage2-options/admission"
	"example.com/kube-apiserver/stage2-options/admission/configfile"
)

// named is a plugin that wants its name, and says whether it got it.
type named struct{ name string }

func (*named) Handles(string) bool { return true }

func (p *named) ValidateInitialization() error {
	if p.name == "" {
		return errors.New("missing name")
	}
	return nil
}

// registry has plugins of these names.
func registry(t testing.TB, names ...string) *admission.Plugins {
	t.Helper()
	plugins := &admission.Plugins{}
	for _, name := range names {
		err := plugins.Register(name, configfile.Unconfigured(func() admission.Interface { return &named{name} }))
		if err != nil {
			t.Fatal(err)
		}
	}
	return plugins
}

func namesOf(chain []admission.Interface) (names []string) {
	for _, p := range chain {
		names = append(names, p.(*named).name)
	}
	return names
}

func TestChainKeepsFlagOrder(t *testing.T) {
	letters := strings.Split("abcdefghijklmnop", "")
	plugins := registry(t, letters...)
	wanted := slices.Clone(letters)
	slices.Reverse(wanted)
	wanted = append(wanted, "c", "a") // once more: a plugin named twice runs twice
	chain, err := plugins.NewFromPlugins(wanted, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := namesOf(chain); !slices.Equal(got, wanted) {
		t.Errorf("the chain is %v, want the order of the flag, %v: who comes first changes the object first and refuses first", got, wanted)
	}
}

func TestUnknownPluginNamesTheKnown(t *testing.T) {
	_, err := registry(t, "b", "a", "c").NewFromPlugins([]string{"a", "nosuch"}, nil)
	if want := `unknown admission plugin "nosuch": known are a, b, c`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %q", err, want)
	}
}

func TestEmptyNamesAreSkipped(t *testing.T) {
	chain, err := registry(t, "a").NewFromPlugins([]string{"", "a", ""}, nil)
	if err != nil || len(chain) != 1 {
		t.Errorf("--admission-control=,a, names one plugin: got %d, %v", len(chain), err)
	}
}

func TestANameIsRegisteredOnce(t *testing.T) {
	plugins := registry(t, "a")
	if err := plugins.Register("a", nil); err == nil {
		t.Error("a second plugin took the name of the first")
	}
}

func TestAPluginGetsWhatItWantsOrTheChainIsNotMade(t *testing.T) {
	plugins := &admission.Plugins{}
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	must(plugins.Register("wanting", configfile.Unconfigured(func() admission.Interface { return &named{} })))
	must(plugins.Register("broken", func([]byte) (admission.Interface, error) { return nil, errors.New("no file") }))

	if _, err := plugins.NewFromPlugins([]string{"wanting"}, nil); err == nil || !strings.Contains(err.Error(), `"wanting": missing name`) {
		t.Errorf("nobody gave the plugin what it wants: the error names the plugin and what it lacks, got %v", err)
	}
	give := func(p admission.Interface) {
		if w, ok := p.(*named); ok {
			w.name = "given"
		}
	}
	if chain, err := plugins.NewFromPlugins([]string{"wanting"}, nil, give); err != nil || namesOf(chain)[0] != "given" {
		t.Errorf("the initializer has what the plugin wants: got %v", err)
	}
	if _, err := plugins.NewFromPlugins([]string{"broken"}, nil, give); err == nil || !strings.Contains(err.Error(), `"broken": no file`) {
		t.Errorf("a plugin that cannot be made is named: got %v", err)
	}
}

func ExamplePlugins_NewFromPlugins() {
	var plugins admission.Plugins
	plugins.Register("AlwaysAdmit", configfile.Unconfigured(func() admission.Interface { return admission.AlwaysAdmit{} }))
	chain, err := plugins.NewFromPlugins([]string{"AlwaysAdmit"}, nil)
	fmt.Println(len(chain), err)
	_, err = plugins.NewFromPlugins([]string{"AlwaysDeny"}, nil)
	fmt.Println(err)
	// Output:
	// 1 <nil>
	// unknown admission plugin "AlwaysDeny": known are AlwaysAdmit
}
