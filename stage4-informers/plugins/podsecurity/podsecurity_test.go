package podsecurity_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	optionsadmission "example.com/kube-apiserver/stage2-options/admission"
	"example.com/kube-apiserver/stage4-informers/plugins/plugintest"
	"example.com/kube-apiserver/stage4-informers/plugins/podsecurity"
	"github.com/google/go-cmp/cmp"
)

const label = "pod-security.kubernetes.io/"

// start runs a server with a namespace x that has some labels: "enforce=baseline".
func start(t *testing.T, config string, labels ...string) *plugintest.Server {
	t.Helper()
	flags := []string{"--admission-control=PodSecurity"}
	if config != "" {
		file := filepath.Join(t.TempDir(), "admission.yaml")
		text := "apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\nplugins:\n- name: PodSecurity\n  configuration:\n" +
			"    apiVersion: pod-security.admission.config.k8s.io/v1\n    kind: PodSecurityConfiguration\n    " + config + "\n"
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		flags = append(flags, "--admission-control-config-file="+file)
	}
	s := plugintest.Start(t, flags...)
	s.Create("namespaces", `{"metadata":{"name":"x","labels":{`+pairs(labels)+`}}}`)
	return s
}

func pairs(labels []string) string {
	var parts []string
	for _, l := range labels {
		k, v, _ := strings.Cut(l, "=")
		parts = append(parts, `"`+label+k+`":"`+v+`"`)
	}
	return strings.Join(parts, ",")
}

const tight = `"securityContext":{"runAsNonRoot":true,"seccompProfile":{"type":"RuntimeDefault"}},` +
	`"containers":[{"name":"c","image":"i","securityContext":{"allowPrivilegeEscalation":false,"capabilities":{"drop":["ALL"]}}}]`

const (
	plain = `"containers":[{"name":"c","image":"i"}]`
	loose = `"hostNetwork":true,` + plain

	hostNetwork = "host namespaces (hostNetwork=true)"
	all         = `allowPrivilegeEscalation != false (container "c" must set securityContext.allowPrivilegeEscalation=false), unrestricted capabilities (container "c" must set securityContext.capabilities.drop=["ALL"]), runAsNonRoot != true (pod or container "c" must set securityContext.runAsNonRoot=true), seccompProfile (pod or container "c" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")`
	older       = `allowPrivilegeEscalation != false (container "c" must set securityContext.allowPrivilegeEscalation=false), runAsNonRoot != true (pod or container "c" must set securityContext.runAsNonRoot=true)`
)

func pod(name, spec string) string {
	return `{"metadata":{"name":"` + name + `"},"spec":{` + spec + `}}`
}

var levels = map[string]struct {
	labels      []string
	config      string
	spec        string
	message     string // "" where the pod is let in
	warningText string
}{
	"without labels everything is let in":                {nil, "", loose, "", ""},
	"baseline refuses what reaches for the node":         {[]string{"enforce=baseline"}, "", loose, `violates PodSecurity "baseline:latest": ` + hostNetwork, ""},
	"baseline lets in what is plain":                     {[]string{"enforce=baseline"}, "", plain, "", ""},
	"restricted refuses what is plain":                   {[]string{"enforce=restricted"}, "", plain, `violates PodSecurity "restricted:latest": ` + all, ""},
	"restricted lets in what says that it needs nothing": {[]string{"enforce=restricted"}, "", tight, "", ""},
	"a level of an older version asks for less":          {[]string{"enforce=restricted", "enforce-version=v1.18"}, "", plain, `violates PodSecurity "restricted:v1.18": ` + older, ""},
	"a warning lets in":                                  {[]string{"warn=baseline"}, "", loose, "", `would violate PodSecurity "baseline:latest": ` + hostNetwork},
	"who is refused is not warned besides":               {[]string{"enforce=baseline", "warn=baseline"}, "", loose, `violates PodSecurity "baseline:latest": ` + hostNetwork, ""},
	"the file says what holds without labels":            {nil, "defaults: {enforce: baseline}", loose, `violates PodSecurity "baseline:latest": ` + hostNetwork, ""},
	"a label says more than the file":                    {[]string{"enforce=privileged"}, "defaults: {enforce: baseline}", loose, "", ""},
	"a namespace is exempt":                              {[]string{"enforce=baseline"}, "exemptions: {namespaces: [x]}", loose, "", ""},
	"a user is exempt":                                   {[]string{"enforce=baseline"}, "exemptions: {usernames: [system:unsecured]}", loose, "", ""},
	"a runtime class is exempt":                          {[]string{"enforce=baseline"}, "exemptions: {runtimeClasses: [box]}", `"runtimeClassName":"box",` + loose, "", ""},
}

func TestLabelsOfANamespaceDecideOnItsPods(t *testing.T) {
	for claim, c := range levels {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			a := start(t, c.config, c.labels...).Do("POST", "namespaces/x/pods", pod("p", c.spec))
			want := c.message
			if want != "" {
				want = `pods "p" is forbidden: ` + want
			}
			if a.Message() != want {
				t.Errorf("the pod is answered\n\t%q\nwant\n\t%q", a.Message(), want)
			}
			if got := strings.Join(a.Warnings, "\n"); got != c.warningText {
				t.Errorf("the warnings are\n\t%q\nwant\n\t%q", got, c.warningText)
			}
		})
	}
}

func TestWhatMakesPodsIsOnlyWarnedOf(t *testing.T) {
	s := start(t, "", "enforce=restricted", "warn=baseline")
	body := `{"metadata":{"name":"r"},"spec":{"selector":{"a":"b"},"template":{"metadata":{"labels":{"a":"b"}},"spec":{` + loose + `}}}}`
	a := s.Create("namespaces/x/replicationcontrollers", body)
	if want := `would violate PodSecurity "baseline:latest": ` + hostNetwork; strings.Join(a.Warnings, "\n") != want {
		t.Errorf("a controller of pods that would be refused is answered with the warnings %q, want %q", a.Warnings, want)
	}
}

func TestAPodThatIsThereIsJudgedByWhatIsNewInIt(t *testing.T) {
	s := start(t, "")
	s.Create("namespaces/x/pods", pod("p", loose))
	s.Do("PATCH", "namespaces/x", `{"metadata":{"labels":{`+pairs([]string{"enforce=baseline"})+`}}}`)
	s.Until(plugintest.Is(http.StatusForbidden), "POST", "namespaces/x/pods?dryRun=All", pod("q", loose))
	if a := s.Do("PATCH", "namespaces/x/pods/p", `{"metadata":{"labels":{"a":"b"}}}`); a.Code != http.StatusOK {
		t.Errorf("a label cannot be set on a pod that is older than the level: %s", a.Message())
	}
	if a := s.Do("PATCH", "namespaces/x/pods/p", `{"spec":{"containers":[{"name":"c","image":"j"}]}}`); a.Code != http.StatusForbidden {
		t.Errorf("a pod that would be refused gets a new image, answered %d", a.Code)
	}
}

func TestLabelsThatMeanNothingAreRefused(t *testing.T) {
	s := start(t, "")
	a := s.Do("POST", "namespaces", `{"metadata":{"name":"y","labels":{`+pairs([]string{"enforce=lax", "warn-version=1.2"})+`}}}`)
	const want = `Namespace "y" is invalid: [metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value: "lax": must be one of privileged, baseline, restricted, ` +
		`metadata.labels[pod-security.kubernetes.io/warn-version]: Invalid value: "1.2": must be "latest" or "v1.x"]`
	if a.Code != http.StatusUnprocessableEntity || a.Message() != want {
		t.Errorf("the answer is %d\n\t%s\nwant 422\n\t%s", a.Code, a.Message(), want)
	}
	if a := s.Do("PATCH", "namespaces/x", `{"metadata":{"labels":{`+pairs([]string{"enforce=lax"})+`}}}`); a.Code != http.StatusUnprocessableEntity {
		t.Errorf("a namespace gets a label that means nothing, answered %d", a.Code)
	}
}

func TestWhoMakesTheLevelStricterIsToldOfThePodsThatAreThere(t *testing.T) {
	s := start(t, "")
	for name, spec := range map[string]string{"a": plain, "b": loose, "c": loose, "d": tight} {
		s.Create("namespaces/x/pods", pod(name, spec))
	}
	for _, step := range []struct {
		label string
		want  []string
	}{
		{"enforce=baseline", []string{`existing pods in namespace "x" violate the new PodSecurity enforce level "baseline:latest"`, "b (and 1 other pod): host namespaces"}},
		{"enforce=baseline", nil},
		{"enforce=restricted", []string{
			`existing pods in namespace "x" violate the new PodSecurity enforce level "restricted:latest"`,
			"a: allowPrivilegeEscalation != false, unrestricted capabilities, runAsNonRoot != true, seccompProfile",
			"b (and 1 other pod): host namespaces, allowPrivilegeEscalation != false, unrestricted capabilities, runAsNonRoot != true, seccompProfile",
		}},
		{"enforce=baseline", nil},   // less strict
		{"enforce=privileged", nil}, // allows all
	} {
		a := s.Do("PATCH", "namespaces/x", `{"metadata":{"labels":{`+pairs([]string{step.label})+`}}}`)
		if diff := cmp.Diff(step.want, a.Warnings); diff != "" {
			t.Errorf("%s gives other warnings (-want +got):\n%s", step.label, diff)
		}
	}
}

func TestLabelsOfAnExemptNamespaceAreSaidToDoNothing(t *testing.T) {
	s := start(t, "exemptions: {namespaces: [why]}")
	a := s.Create("namespaces", `{"metadata":{"name":"why","labels":{`+pairs([]string{"enforce=baseline", "warn=restricted"})+`}}}`)
	const want = `namespace "why" is exempt from Pod Security, and the policy (enforce=baseline:latest, warn=restricted:latest) will be ignored`
	if strings.Join(a.Warnings, "\n") != want {
		t.Errorf("the warnings are\n\t%q\nwant\n\t%q", a.Warnings, want)
	}
}

func TestAWrongConfigurationIsAnError(t *testing.T) {
	const head = `{"apiVersion":"pod-security.admission.config.k8s.io/v1","kind":"PodSecurityConfiguration"`
	for config, want := range map[string]string{
		`{"kind":"PodSecurityConfiguration"}`:      `want kind PodSecurityConfiguration of pod-security.admission.config.k8s.io/v1`,
		head + `,"defaults":{"enforce":"lax"}}`:    `defaults.enforce: "lax": must be one of privileged, baseline, restricted`,
		head + `,"defaults":{"warn-version":"1"}}`: `defaults.warn-version: "1": must be "latest" or "v1.x"`,
		head + `,"exemptions":{"users":["a"]}}`:    `unknown field "users"`,
	} {
		var registry optionsadmission.Plugins
		if err := registry.Register(podsecurity.Name, podsecurity.New); err != nil {
			t.Fatal(err)
		}
		_, err := registry.NewFromPlugins([]string{podsecurity.Name}, optionsadmission.Configuration{podsecurity.Name: []byte(config)})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the configuration %s gives %v, want an error with %q", config, err, want)
		}
	}
}
