package podsecurity

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"k8s.io/pod-security-admission/api"
)

// configuration is the plugin's part of --admission-control-config-file.
//
// Now: staging/src/k8s.io/pod-security-admission/admission/api/types.go PodSecurityConfiguration
type configuration struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Defaults   struct {
		Enforce        string `json:"enforce"`
		EnforceVersion string `json:"enforce-version"`
		Audit          string `json:"audit"`
		AuditVersion   string `json:"audit-version"`
		Warn           string `json:"warn"`
		WarnVersion    string `json:"warn-version"`
	} `json:"defaults"`
	Exemptions struct {
		Usernames      []string `json:"usernames"`
		Namespaces     []string `json:"namespaces"`
		RuntimeClasses []string `json:"runtimeClasses"`
	} `json:"exemptions"`

	policy api.Policy // that of a namespace without labels
}

var versions = []string{"", "pod-security.admission.config.k8s.io/v1", "pod-security.admission.config.k8s.io/v1beta1", "pod-security.admission.config.k8s.io/v1alpha1"}

func readConfiguration(data []byte) (configuration, error) {
	var c configuration
	if data != nil {
		d := json.NewDecoder(bytes.NewReader(data))
		d.DisallowUnknownFields()
		if err := d.Decode(&c); err != nil {
			return c, err
		}
		if c.Kind != "PodSecurityConfiguration" || slices.Index(versions, c.APIVersion) < 1 {
			return c, fmt.Errorf("want kind PodSecurityConfiguration of %s, got kind %q of %q", versions[1], c.Kind, c.APIVersion)
		}
	}
	for _, row := range []struct {
		to             *api.LevelVersion
		mode           string
		level, version string
	}{
		{&c.policy.Enforce, "enforce", c.Defaults.Enforce, c.Defaults.EnforceVersion},
		{&c.policy.Audit, "audit", c.Defaults.Audit, c.Defaults.AuditVersion},
		{&c.policy.Warn, "warn", c.Defaults.Warn, c.Defaults.WarnVersion},
	} {
		var err error
		if row.to.Level, err = api.ParseLevel(cmp.Or(row.level, string(api.LevelPrivileged))); err != nil {
			return c, fmt.Errorf("defaults.%s: %q: %w", row.mode, row.level, err)
		}
		if row.to.Version, err = api.ParseVersion(cmp.Or(row.version, "latest")); err != nil {
			return c, fmt.Errorf("defaults.%s-version: %q: %w", row.mode, row.version, err)
		}
	}
	return c, nil
}

func (c *configuration) exempts(namespace, user, runtimeClass string) bool {
	listed := func(list []string, s string) bool { return s != "" && slices.Contains(list, s) }
	return listed(c.Exemptions.Namespaces, namespace) || listed(c.Exemptions.Usernames, user) || listed(c.Exemptions.RuntimeClasses, runtimeClass)
}
