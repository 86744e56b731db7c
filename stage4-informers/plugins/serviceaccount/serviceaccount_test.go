package serviceaccount_test

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"example.com/kube-apiserver/stage4-informers/plugins/plugintest"
	"github.com/google/go-cmp/cmp"
)

const namespace = "namespaces/default/"

// start runs a server with some accounts, whose further fields are given.
func start(t *testing.T, accounts map[string]string) *plugintest.Server {
	t.Helper()
	s := plugintest.Start(t, "--admission-control=ServiceAccount")
	for name, fields := range accounts {
		s.Create(namespace+"serviceaccounts", `{"metadata":{"name":"`+name+`"`+fields+`}`)
	}
	return s
}

func pod(meta, spec string) string {
	return `{"metadata":{"name":"p"` + meta + `},"spec":{` + spec + `}}`
}

const containers = `"containers":[{"name":"c","image":"i"}]`

var suffix = regexp.MustCompile(`kube-api-access-[a-z0-9]{5}`)

// same compares a part of a pod, with the name of the token's volume replaced by NAME.
func same(t *testing.T, pod map[string]any, field, want string) {
	t.Helper()
	text, err := json.Marshal(pod["spec"].(map[string]any)[field])
	if err != nil {
		t.Fatal(err)
	}
	var got, wanted any
	if err := json.Unmarshal(suffix.ReplaceAll(text, []byte("NAME")), &got); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(want), &wanted); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(wanted, got); diff != "" {
		t.Errorf("the pod's %s is another (-want +got):\n%s", field, diff)
	}
}

const (
	mount  = `[{"name":"NAME","readOnly":true,"mountPath":"/var/run/secrets/kubernetes.io/serviceaccount"}]`
	volume = `[{"name":"NAME","projected":{"defaultMode":420,"sources":[{"serviceAccountToken":{"expirationSeconds":3607,"path":"token"}},` +
		`{"configMap":{"name":"kube-root-ca.crt","items":[{"key":"ca.crt","path":"ca.crt"}]}},` +
		`{"downwardAPI":{"items":[{"path":"namespace","fieldRef":{"apiVersion":"v1","fieldPath":"metadata.namespace"}}]}}]}}]`
)

func TestAPodGetsTheDefaultAccountAndItsToken(t *testing.T) {
	s := start(t, map[string]string{"default": `},"imagePullSecrets":[{"name":"pull"}]`})
	got := s.Create(namespace+"pods", pod(``, `"initContainers":[{"name":"i","image":"i"}],`+containers)).Object
	same(t, got, "serviceAccountName", `"default"`)
	same(t, got, "serviceAccount", `"default"`)
	same(t, got, "imagePullSecrets", `[{"name":"pull"}]`)
	same(t, got, "volumes", volume)
	for _, list := range []string{"containers", "initContainers"} {
		c := got["spec"].(map[string]any)[list].([]any)[0]
		same(t, map[string]any{"spec": c}, "volumeMounts", mount)
	}
}

func TestWhoDoesNotWantATokenGetsNone(t *testing.T) {
	s := start(t, map[string]string{"default": `}`, "shy": `},"automountServiceAccountToken":false`})
	own := `"containers":[{"name":"c","image":"i","volumeMounts":[{"name":"v","mountPath":"/var/run/secrets/kubernetes.io/serviceaccount"}]}],"volumes":[{"name":"v","emptyDir":{}}]`
	for claim, c := range map[string]struct{ spec, volumes string }{
		"the pod says no":                 {`"automountServiceAccountToken":false,` + containers, `null`},
		"the account says no":             {`"serviceAccountName":"shy",` + containers, `null`},
		"the pod knows better":            {`"serviceAccountName":"shy","automountServiceAccountToken":true,` + containers, volume},
		"something of its own is mounted": {own, `[{"name":"v","emptyDir":{}}]`},
	} {
		a := s.Do("POST", namespace+"pods?dryRun=All", pod(``, c.spec))
		if a.Code != http.StatusCreated {
			t.Errorf("%s: the pod is refused: %s", claim, a.Message())
			continue
		}
		t.Run(claim, func(t *testing.T) { same(t, a.Object, "volumes", c.volumes) })
	}
}

func TestAnAccountThatIsNotThereIsRefused(t *testing.T) {
	s := start(t, nil)
	const want = `pods "p" is forbidden: error looking up service account default/nobody: serviceaccount "nobody" not found`
	if a := s.Do("POST", namespace+"pods", pod(``, `"serviceAccountName":"nobody",`+containers)); a.Code != http.StatusForbidden || a.Message() != want {
		t.Errorf("the answer is %d %q, want 403 %q", a.Code, a.Message(), want)
	}
}

func TestTheDefaultAccountIsWaitedFor(t *testing.T) {
	s := start(t, nil)
	answer := make(chan plugintest.Answer, 1)
	go func() { answer <- s.Do("POST", namespace+"pods", pod(``, containers)) }()
	s.Create(namespace+"serviceaccounts", `{"metadata":{"name":"default"}}`) // by its controller, as it were
	if a := <-answer; a.Code != http.StatusCreated {
		t.Errorf("a pod that came before its account is refused: %s", a.Message())
	}
}

func TestMirrorsOfAKubeletMayUseNothing(t *testing.T) {
	s := start(t, map[string]string{"default": `}`})
	const mirror = `,"annotations":{"kubernetes.io/config.mirror":"a"}`
	for spec, want := range map[string]string{
		`"nodeName":"n",` + containers:                                                      ``,
		`"nodeName":"n","serviceAccountName":"default",` + containers:                       `a mirror pod may not reference service accounts`,
		`"nodeName":"n","volumes":[{"name":"v","secret":{"secretName":"s"}}],` + containers: `a mirror pod may not reference secrets`,
	} {
		a := s.Do("POST", namespace+"pods?dryRun=All", pod(mirror, spec))
		if got := strings.TrimPrefix(a.Message(), `pods "p" is forbidden: `); got != want {
			t.Errorf("the mirror {%s} is answered %q, want %q", spec, got, want)
		}
		if want == "" {
			same(t, a.Object, "volumes", `null`)
		}
	}
}

func TestAnAccountMayLimitTheSecretsOfItsPods(t *testing.T) {
	s := start(t, map[string]string{"default": `,"annotations":{"kubernetes.io/enforce-mountable-secrets":"true"}},"secrets":[{"name":"mine"}],"imagePullSecrets":[{"name":"pull"}]`})
	const env = `"containers":[{"name":"c","image":"i","env":[{"name":"E","valueFrom":{"secretKeyRef":{"name":"other","key":"k"}}}]}]`
	for spec, want := range map[string]string{
		`"volumes":[{"name":"v","secret":{"secretName":"mine"}}],` + containers:  ``,
		`"volumes":[{"name":"v","secret":{"secretName":"other"}}],` + containers: `volume with secret.secretName="other" is not allowed because service account default does not reference that secret`,
		env: `container c with envVar E referencing secret.secretName="other" is not allowed because service account default does not reference that secret`,
		`"containers":[{"name":"c","image":"i","envFrom":[{"secretRef":{"name":"other"}}]}]`: `container c with envFrom referencing secret.secretName="other" is not allowed because service account default does not reference that secret`,
		`"imagePullSecrets":[{"name":"other"}],` + containers:                                `imagePullSecrets[].name="other" is not allowed because service account default does not reference that imagePullSecret`,
	} {
		a := s.Do("POST", namespace+"pods?dryRun=All", pod(``, spec))
		if got := strings.TrimPrefix(a.Message(), `pods "p" is forbidden: `); got != want {
			t.Errorf("the pod {%s} is answered %q, want %q", spec, got, want)
		}
	}
}
