package configfile

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"example.com/kube-apiserver/stage2-options/admission"
	"sigs.k8s.io/yaml"
)

var fileVersions = []string{"apiserver.config.k8s.io/v1", "apiserver.k8s.io/v1alpha1"}

// Read reads the file, YAML or JSON. A plugin's part stands in it
// or in a file of its own, whose path is relative to this one.
// No file says nothing.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/admission/config.go ReadAdmissionConfiguration
func Read(file string) (admission.Configuration, error) {
	if file == "" {
		return nil, nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("unable to read admission control configuration: %w", err)
	}
	var f struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
		Plugins    []struct {
			Name          string          `json:"name"`
			Path          string          `json:"path"`
			Configuration json.RawMessage `json:"configuration"`
		} `json:"plugins"`
	}
	if err := yaml.UnmarshalStrict(data, &f); err != nil {
		return nil, err
	}
	if f.Kind != "AdmissionConfiguration" || !slices.Contains(fileVersions, f.APIVersion) {
		return nil, fmt.Errorf("want kind AdmissionConfiguration of %s, got kind %q of %q", fileVersions[0], f.Kind, f.APIVersion)
	}
	c := admission.Configuration{}
	for _, p := range f.Plugins {
		if _, twice := c[p.Name]; twice || p.Name == "" {
			return nil, fmt.Errorf("plugin %q: want one entry for each plugin, with its name", p.Name)
		}
		if p.Path != "" {
			if p.Configuration != nil {
				return nil, fmt.Errorf("plugin %q: give a path or a configuration, not both", p.Name)
			}
			if p.Configuration, err = readYAML(filepath.Dir(file), p.Path); err != nil {
				return nil, fmt.Errorf("plugin %q: %w", p.Name, err)
			}
		}
		c[p.Name] = p.Configuration
	}
	return c, nil
}

func readYAML(folder, path string) ([]byte, error) {
	if !filepath.IsAbs(path) {
		path = filepath.Join(folder, path)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return yaml.YAMLToJSON(data)
}

// Unconfigured makes the factory of a plugin of which no file has anything to say.
func Unconfigured(plugin func() admission.Interface) admission.Factory {
	return func(config []byte) (admission.Interface, error) {
		if config != nil {
			return nil, errors.New("it takes no configuration; leave it out of --admission-control-config-file")
		}
		return plugin(), nil
	}
}
