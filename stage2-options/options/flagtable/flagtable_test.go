package flagtable_test

import (
	"io"
	"log"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/kube-apiserver/stage1-main/process/flag"
	"example.com/kube-apiserver/stage2-options/options"
	"example.com/kube-apiserver/stage2-options/options/flagtable"
	"github.com/spf13/pflag"
)

func newFlags() (*options.ServerRunOptions, *pflag.FlagSet) {
	s := options.NewServerRunOptions()
	fs := pflag.NewFlagSet("kube-apiserver", pflag.ContinueOnError)
	fs.SetOutput(io.Discard)
	s.AddFlags(fs)
	flagtable.AddFlags(s, fs)
	if err := flag.Parse(fs, nil); err != nil { // takes over those of Go's own package
		panic(err)
	}
	return s, fs
}

// The flags of 1.7, and what comes of each here.
var flagsOf17 = map[string]string{
	"works": `advertise-address etcd-prefix storage-backend delete-collection-workers bind-address secure-port cert-dir tls-cert-file tls-private-key-file
		tls-sni-cert-key public-address-override insecure-bind-address insecure-port address port anonymous-auth client-ca-file
		token-auth-file authorization-mode admission-control event-ttl allow-privileged apiserver-count service-cluster-ip-range
		portal-net service-node-port-range service-node-ports admission-control-config-file default-not-ready-toleration-seconds
		default-unreachable-toleration-seconds ssh-user ssh-keyfile v log-flush-frequency`,
	"harmless": `cors-allowed-origins target-ram-mb external-hostname long-running-request-regexp master-service-namespace
		max-requests-inflight max-mutating-requests-inflight min-request-timeout request-timeout watch-cache-sizes feature-gates
		etcd-servers etcd-servers-overrides etcd-quorum-read storage-media-type deserialization-cache-size
		enable-garbage-collector watch-cache tls-ca-file audit-log-maxage audit-log-maxbackup audit-log-maxsize audit-webhook-mode
		profiling contention-profiling enable-swagger-ui insecure-allow-any-token experimental-bootstrap-token-auth
		requestheader-username-headers requestheader-group-headers requestheader-extra-headers-prefix requestheader-allowed-names
		requestheader-client-ca-file service-account-key-file service-account-lookup authentication-token-webhook-cache-ttl
		authorization-webhook-cache-authorized-ttl authorization-webhook-cache-unauthorized-ttl authorization-rbac-super-user
		cloud-provider cloud-config storage-versions storage-version runtime-config enable-logs-handler
		max-connection-bytes-per-sec kubernetes-service-node-port kubelet-https kubelet-preferred-address-types kubelet-port
		kubelet-read-only-port kubelet-timeout kubelet-client-certificate kubelet-client-key repair-malformed-updates
		proxy-client-cert-file proxy-client-key-file enable-aggregator-routing vmodule logtostderr alsologtostderr stderrthreshold
		log-dir log-backtrace-at
		ir-data-source ir-influxdb-host ir-user ir-password ir-dbname ir-hawkular ir-percentile ir-namespace-only google-json-key
		azure-container-registry-config cloud-provider-gce-lb-src-cidrs`,
	"refused": `etcd-keyfile etcd-certfile etcd-cafile experimental-encryption-provider-config audit-policy-file audit-log-path
		audit-webhook-config-file experimental-keystone-url experimental-keystone-ca-file oidc-issuer-url oidc-client-id oidc-ca-file
		oidc-username-claim oidc-groups-claim basic-auth-file authentication-token-webhook-config-file authorization-policy-file
		authorization-webhook-config-file kubelet-certificate-authority`,
}

// Flags that 1.7 does not have: our own, and names and flags of today that programs use to start a server.
var newerFlags = map[string]string{
	"works": "bbolt-file history-age history-bytes controllers dry-run output enable-admission-plugins disable-admission-plugins",
	"harmless": `enable-bootstrap-token-auth shutdown-delay-duration default-watch-cache-size service-account-issuer
		service-account-signing-key-file`,
	"refused": "encryption-provider-config",
}

func TestEveryFlagOf17IsClassified(t *testing.T) {
	s, fs := newFlags()
	classified := map[string]bool{}
	for _, table := range []map[string]string{flagsOf17, newerFlags} {
		for class, names := range table {
			for _, name := range strings.Fields(names) {
				classified[name] = true
				if fs.Lookup(name) == nil {
					t.Errorf("there is no flag --%s, want one that is %s", name, class)
				} else if got := flagtable.Class(s, name); got != class {
					t.Errorf("--%s is %s, want %s", name, got, class)
				}
			}
		}
	}
	fs.VisitAll(func(f *pflag.Flag) {
		if !classified[f.Name] && !strings.HasPrefix(f.Name, "test.") {
			t.Errorf("--%s is in neither list: say which class of flag it is", f.Name)
		}
	})
}

func TestARefusedFlagIsAnErrorAndAHarmlessOneAWarning(t *testing.T) {
	values := map[string]string{"bool": "true", "int": "7", "int64": "7", "uint": "7", "duration": "7s"}
	for class, names := range map[string]string{"harmless": flagsOf17["harmless"], "refused": flagsOf17["refused"]} {
		for _, name := range strings.Fields(names) {
			s, fs := newFlags()
			value, ok := values[fs.Lookup(name).Value.Type()]
			if !ok {
				value = "x"
			}
			if err := fs.Parse([]string{"--" + name + "=" + value}); err != nil {
				t.Errorf("--%s=%s: %v", name, value, err)
			}
			var out strings.Builder
			log.SetOutput(&out)
			err := options.DefaultOptions(s)
			log.SetOutput(os.Stderr)
			if err != nil {
				t.Error(err)
			}
			refused := slices.ContainsFunc(s.Validate(), func(err error) bool {
				return strings.HasPrefix(err.Error(), "--"+name+"=") && strings.HasSuffix(err.Error(), "; leave the flag out")
			})
			warned := strings.Count(out.String(), "--"+name+"=")
			if class == "refused" && (!refused || warned != 0) {
				t.Errorf("--%s=%s must be refused, not only warned of; refused: %t, warnings: %s", name, value, refused, out.String())
			}
			if class == "harmless" && (refused || warned != 1) {
				t.Errorf("--%s=%s must be warned of once and not be refused; refused: %t, warnings: %s", name, value, refused, out.String())
			}
		}
	}
}

func TestARefusedFlagWithItsDefaultAsksForNothing(t *testing.T) {
	s, fs := newFlags()
	s.Admission.PluginNames = nil
	if err := fs.Parse([]string{"--oidc-username-claim=sub", "--audit-log-path=", "--etcd-cafile="}); err != nil {
		t.Fatal(err)
	}
	if err := options.DefaultOptions(s); err != nil {
		t.Fatal(err)
	}
	for _, err := range s.Validate() {
		if strings.Contains(err.Error(), "leave the flag out") {
			t.Errorf("nothing was asked for, and yet: %v", err)
		}
	}
}

func TestVerbosityCanBeWrittenInEveryWay(t *testing.T) {
	for _, args := range [][]string{{"-v", "4"}, {"-v=4"}, {"--v=4"}, {"-v4"}} {
		_, fs := newFlags()
		if err := flag.Parse(fs, args); err != nil || fs.Lookup("v").Value.String() != "4" {
			t.Errorf("%q gives %s, %v; want 4", args, fs.Lookup("v").Value, err)
		}
	}
}

func TestAPasswordIsForgotten(t *testing.T) {
	_, fs := newFlags()
	if err := fs.Parse([]string{"--ir-password=hunter2"}); err != nil {
		t.Fatal(err)
	}
	if got := fs.Lookup("ir-password").Value.String(); got != "(not shown)" {
		t.Errorf("the flag says %q of the password that it was given", got)
	}
}

func TestHelpHasAFlagALineInSections(t *testing.T) {
	s, fs := newFlags()
	if err := flag.Parse(fs, nil); err != nil {
		t.Fatal(err)
	}
	help := flagtable.Usage(s)
	listed := map[string]int{}
	starts := regexp.MustCompile(`^  (?:-\w, |    )--([a-z0-9-]+)`)
	for line := range strings.Lines(help) {
		line = strings.TrimSuffix(line, "\n")
		if len(line) > 110 {
			t.Errorf("a line has %d columns, more than 110: %s", len(line), line)
		}
		if m := starts.FindStringSubmatch(line); m != nil {
			listed[m[1]]++
		} else if strings.HasPrefix(strings.TrimSpace(line), "-") {
			t.Errorf("a line that is no flag's first begins like one: %s", line)
		}
	}
	fs.VisitAll(func(f *pflag.Flag) {
		if strings.HasPrefix(f.Name, "test.") {
			return // of the test binary
		}
		if want := map[bool]int{true: 0, false: 1}[f.Hidden]; listed[f.Name] != want {
			t.Errorf("--%s stands at the beginning of %d lines, want %d", f.Name, listed[f.Name], want)
		}
		switch flagtable.Class(s, f.Name) {
		case "harmless":
			if !strings.HasSuffix(f.Usage, "(accepted, no effect)") {
				t.Errorf("--%s must say that it has no effect, it says: %s", f.Name, f.Usage)
			}
		case "refused":
			if !strings.HasSuffix(f.Usage, "(refused)") {
				t.Errorf("--%s must say that it is refused, it says: %s", f.Name, f.Usage)
			}
		}
	})
	for _, name := range []string{"insecure-port", "insecure-bind-address", "port", "portal-net", "experimental-keystone-url"} {
		if listed[name] != 0 {
			t.Errorf("--help must not list --%s: it is an old name, or a sign of an old server", name)
		}
	}
	var titles []string
	for _, m := range regexp.MustCompile(`(?m)^(\w[\w ]*):$`).FindAllStringSubmatch(help, -1) {
		titles = append(titles, m[1])
	}
	want := []string{"Generic", "Etcd", "Secure serving", "Audit", "Features", "Authentication", "Authorization", "Cloud provider",
		"Storage serialization", "API enablement", "Admission", "Miscellaneous", "Other"}
	if !slices.Equal(titles, want) {
		t.Errorf("the sections are %q, want %q", titles, want)
	}
}

func TestRuntimeConfigTakesWhatIsServedAnyway(t *testing.T) {
	s, fs := newFlags()
	if err := fs.Parse([]string{"--runtime-config=api/all=true, batch/v2alpha1", "--runtime-config=apps/v1="}); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"api/all": "true", "batch/v2alpha1": "true", "apps/v1": "true"}
	if !maps.Equal(s.APIEnablement.RuntimeConfig, want) {
		t.Errorf("got %v, want %v: a key without a value means true", s.APIEnablement.RuntimeConfig, want)
	}
}

func FuzzRuntimeConfig(f *testing.F) {
	for _, s := range []string{"", "api/all=true", "batch/v1", "a=false", "a=b", "=true", ",,", " a = true ", "a=true=true"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, fs := newFlags()
		if fs.Set("runtime-config", text) != nil {
			return
		}
		again, fs2 := newFlags()
		printed := fs.Lookup("runtime-config").Value.String()
		if err := fs2.Set("runtime-config", printed); err != nil || !maps.Equal(s.APIEnablement.RuntimeConfig, again.APIEnablement.RuntimeConfig) {
			t.Fatalf("%q prints as %q, which reads as %v, %v", text, printed, again.APIEnablement.RuntimeConfig, err)
		}
	})
}
