package configfile_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/kube-apiserver/stage2-options/admission"
	"example.com/kube-apiserver/stage2-options/admission/configfile"
)

func readConfiguration(t *testing.T, text string) (admission.Configuration, error) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "admission.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "other.yaml"), []byte("b: 2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return configfile.Read(file)
}

const head = "apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\nplugins:\n"

func TestEachPluginGetsItsPartOfTheFile(t *testing.T) {
	c, err := readConfiguration(t, head+"- name: A\n  configuration: {a: 1}\n- name: B\n  path: other.yaml\n- name: C\n")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"A": `{"a":1}`, "B": `{"b":2}`, "C": ""} {
		if got := string(c[name]); got != want {
			t.Errorf("plugin %s gets %q, want %q", name, got, want)
		}
	}
}

func TestAWrongFileSaysWhatIsWrong(t *testing.T) {
	for text, want := range map[string]string{
		"kind: Pod\napiVersion: v1\n":                    `want kind AdmissionConfiguration of apiserver.config.k8s.io/v1, got kind "Pod" of "v1"`,
		head + "- nam: A\n":                              `unknown field "nam"`,
		head + "- name: A\n- name: A\n":                  `plugin "A": want one entry for each plugin`,
		head + "- name: A\n  path: none.yaml\n":          `plugin "A": open `,
		head + "- {name: A, path: b, configuration: {}}": `plugin "A": give a path or a configuration, not both`,
	} {
		if _, err := readConfiguration(t, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the file\n%s\ngives the error %v, want one with %q", text, err, want)
		}
	}
}

func TestAPluginRefusesAConfigurationThatItDoesNotTake(t *testing.T) {
	var registry admission.Plugins
	if err := registry.Register("AlwaysAdmit", configfile.Unconfigured(func() admission.Interface { return admission.AlwaysAdmit{} })); err != nil {
		t.Fatal(err)
	}
	_, err := registry.NewFromPlugins([]string{"AlwaysAdmit"}, admission.Configuration{"AlwaysAdmit": []byte("{}")})
	if err == nil {
		t.Error("AlwaysAdmit was given a configuration and kept quiet about it")
	}
	if _, err := registry.NewFromPlugins([]string{"AlwaysAdmit"}, admission.Configuration{"Other": []byte("{}")}); err != nil {
		t.Errorf("what the file says to a plugin that is not in the chain does harm: %v", err)
	}
}
