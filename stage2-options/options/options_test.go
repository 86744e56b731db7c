package options_test

import (
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	stage1options "example.com/kube-apiserver/stage1-main/options"
	"example.com/kube-apiserver/stage2-options/options"
	"example.com/kube-apiserver/stage2-options/options/flagtable"
	"github.com/spf13/pflag"
)

func TestErratumE6(t *testing.T) {
	t.Log("the article: Service IP段 gets a default. 1.7 computes it, takes its first address, forgets it, and then Validate asks for one.")
	s, _, err := parse(t)
	if err != nil {
		t.Fatal(err)
	}
	texts := fmt.Sprint(s.Validate())
	if want := "no --service-cluster-ip-range specified"; !strings.Contains(texts, want) {
		t.Errorf("validated without the default, as in 1.7, the errors are %s, want %q", texts, want)
	}
	s = mustComplete(t)
	if got := s.ServiceClusterIPRange.String(); got != "10.0.0.0/24" {
		t.Errorf("the default is kept here: got %s, want 10.0.0.0/24", got)
	}
	if got := s.ServiceIP.String(); got != "10.0.0.1" {
		t.Errorf("the service kubernetes has the first address of it: got %s, want 10.0.0.1", got)
	}
}

func TestACommandLineOfEnvtestIsAccepted(t *testing.T) {
	s := mustComplete(t, "--allow-privileged=true", "--authorization-mode=RBAC", "--bind-address=127.0.0.1", "--cert-dir=/tmp/c",
		"--client-ca-file=/tmp/c/ca.crt", "--disable-admission-plugins=ServiceAccount", "--etcd-servers=http://127.0.0.1:2379",
		"--secure-port=12345", "--service-account-issuer=https://127.0.0.1:12345/", "--service-account-key-file=/tmp/c/sa.crt",
		"--service-account-signing-key-file=/tmp/c/sa.key", "--service-cluster-ip-range=10.0.0.0/24")
	if s.SecureServing.BindPort != 12345 || s.Authentication.ClientCAFile != "/tmp/c/ca.crt" || !s.AllowPrivileged {
		t.Errorf("the values must land in the options, got %+v %+v", s.SecureServing, s.Authentication)
	}
	if got := s.Authentication.ServiceAccountKeyFiles; !slices.Equal(got, []string{"/tmp/c/sa.crt"}) {
		t.Errorf("a flag without effect may have its field all the same, got keys %q", got)
	}
}

func TestOldNamesStillWork(t *testing.T) {
	s := mustComplete(t, "--address=127.0.0.2", "--port=8888", "--portal-net=10.1.0.0/16", "--service-node-ports=31000-31009", "--public_address_override=127.0.0.3")
	got := []string{
		s.InsecureServing.BindAddress.String(), fmt.Sprint(s.InsecureServing.BindPort), s.ServiceClusterIPRange.String(),
		s.ServiceNodePortRange.String(), s.SecureServing.BindAddress.String(),
	}
	want := []string{"127.0.0.2", "8888", "10.1.0.0/16", "31000-31009", "127.0.0.3"}
	if !slices.Equal(got, want) {
		t.Errorf("a flag's old name must fill the same field: got %q, want %q", got, want)
	}
	if s.ServiceNodePortRange.Contains(31010) || !s.ServiceNodePortRange.Contains(31009) {
		t.Error("both ends of 31000-31009 are in the range, and nothing else")
	}
}

func TestOldNamesTellTheNewOnes(t *testing.T) {
	s := options.NewServerRunOptions()
	fs := pflag.NewFlagSet("kube-apiserver", pflag.ContinueOnError)
	var out strings.Builder
	fs.SetOutput(&out)
	s.AddFlags(fs)
	flagtable.AddFlags(s, fs)
	if err := fs.Parse([]string{"--portal-net=10.1.0.0/16"}); err != nil {
		t.Fatal(err)
	}
	if want := "Flag --portal-net has been deprecated, use --service-cluster-ip-range\n"; out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}

func TestAListReplacesItsDefaultOnceAndThenGrows(t *testing.T) {
	s := mustComplete(t, "--admission-control=NamespaceLifecycle", "--admission_control=AlwaysAdmit,ResourceQuota", "--controllers=")
	if got := flagtable.PluginNames(s.Admission); !slices.Equal(got, []string{"NamespaceLifecycle", "AlwaysAdmit", "ResourceQuota"}) {
		t.Errorf("the chain is %v: the first use of the flag replaces the default, the second adds, the order stays", got)
	}
	if len(s.Controllers) != 0 {
		t.Errorf("an empty value is an empty list, got %q", s.Controllers)
	}
}

func TestEnabledPluginsTakeTheirPlaceInTheChain(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"", "AlwaysAdmit"},
		{"--enable-admission-plugins=ResourceQuota,NamespaceLifecycle", "AlwaysAdmit NamespaceLifecycle ResourceQuota"},
		{"--enable-admission-plugins=ResourceQuota --disable-admission-plugins=AlwaysAdmit,Priority", "ResourceQuota"},
		{"--admission-control=ResourceQuota,NamespaceLifecycle", "ResourceQuota NamespaceLifecycle"}, // its user knows best
	} {
		if got := strings.Join(flagtable.PluginNames(mustComplete(t, strings.Fields(c.args)...).Admission), " "); got != c.want {
			t.Errorf("%s: the chain is %s, want %s", c.args, got, c.want)
		}
	}
}

func TestNobodyIsAnonymousWhereEverybodyMayDoEverything(t *testing.T) {
	for args, want := range map[string]bool{
		"":                          false,
		"--authorization-mode=RBAC": true,
		"--authorization-mode=RBAC,AlwaysAllow --anonymous-auth": false,
		"--authorization-mode=RBAC --anonymous-auth=false":       false,
	} {
		if got := mustComplete(t, strings.Fields(args)...).Authentication.Anonymous; got != want {
			t.Errorf("with %q anonymous users are let in: %t, want %t", args, got, want)
		}
	}
}

func TestTheKeyOfTheServerVerifiesTokensIfNoOtherDoes(t *testing.T) {
	s := mustComplete(t, "--tls-cert-file=a.crt", "--tls-private-key-file=a.key")
	if got := s.Authentication.ServiceAccountKeyFiles; !slices.Equal(got, []string{"a.key"}) {
		t.Errorf("got %q, want the key of --tls-private-key-file", got)
	}
	s = mustComplete(t, "--tls-cert-file=a.crt", "--tls-private-key-file=a.key", "--service-account-key-file=sa.key")
	if got := s.Authentication.ServiceAccountKeyFiles; !slices.Equal(got, []string{"sa.key"}) {
		t.Errorf("got %q, want only what the user gives", got)
	}
}

func TestAPrefixBeginsWithOneSlashAndEndsWithNone(t *testing.T) {
	for given, want := range map[string]string{"/registry": "/registry", "k8s": "/k8s", "/a//b/": "/a/b"} {
		if got := mustComplete(t, "--etcd-prefix="+given).Etcd.Prefix; got != want {
			t.Errorf("--etcd-prefix=%s makes keys begin with %s, want %s", given, got, want)
		}
	}
}

type line struct{ Group, Flag, Value, From string }

func configuration(t *testing.T, args ...string) map[string]line {
	t.Helper()
	var out strings.Builder
	if err := flagtable.WriteConfiguration(mustComplete(t, append(args, "-o=json")...), &out); err != nil {
		t.Fatal(err)
	}
	var lines []line
	if err := json.Unmarshal([]byte(out.String()), &lines); err != nil {
		t.Fatalf("--dry-run -o json prints no JSON: %v\n%s", err, out.String())
	}
	found := map[string]line{}
	for _, l := range lines {
		found[l.Flag] = l
	}
	return found
}

func TestDryRunTellsWhereEachValueComesFrom(t *testing.T) {
	found := configuration(t, "--port=8888", "--etcd-servers=http://root:secret@127.0.0.1:2379", "--bind-address=192.0.2.1",
		"--tls-sni-cert-key=a.crt,a.key:a.example.com")
	for _, want := range []line{
		{"insecure serving", "--insecure-port", "8888", "flag"}, // set by its old name
		{"secure serving", "--secure-port", "6443", "default"},
		{"secure serving", "--tls-sni-cert-key", "a.crt,a.key:a.example.com", "flag"},
		{"generic", "--advertise-address", "192.0.2.1", "derived"},
		{"miscellaneous", "--service-cluster-ip-range", "10.0.0.0/24", "derived"},
		{"etcd", "--etcd-servers", "http://(not shown)@127.0.0.1:2379", "flag"},
		{"admission", "--admission-control", "AlwaysAdmit", "default"},
	} {
		if got := found[want.Flag]; got != want {
			t.Errorf("the line of %s is %q, want %q", want.Flag, got, want)
		}
	}
	for _, name := range []string{"--port", "--kubelet-timeout", "--oidc-issuer-url"} {
		if l, ok := found[name]; ok {
			t.Errorf("neither old names nor flags without effect are listed if nobody asks for them, got %v", l)
		}
	}
}

func TestDryRunTableIsForReading(t *testing.T) {
	var out strings.Builder
	if err := flagtable.WriteConfiguration(mustComplete(t, "--insecure-port=1"), &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`^FLAG +VALUE +FROM\n`, `(?m)^\nEtcd:\n  --bbolt-file +state.db +default$`, `(?m)^  --insecure-port +1 +flag$`, `(?m)^  --client-ca-file +\(none\) +default$`} {
		if !regexp.MustCompile(want).MatchString(out.String()) {
			t.Errorf("no line of the table matches %s:\n%s", want, out.String())
		}
	}
}

func TestCountIsWhatTheStartSays(t *testing.T) {
	s := mustComplete(t, "--portal-net=10.1.0.0/16", "--profiling", "--bind-address=192.0.2.1")
	var groups, flags, set, derived int
	summary := flagtable.Summary(s)
	if _, err := fmt.Sscanf(summary, "%d option groups, %d flags: %d set by you, %d derived", &groups, &flags, &set, &derived); err != nil {
		t.Fatalf("%q: %v", summary, err)
	}
	if groups != 12 || set != 3 {
		t.Errorf("got %d groups and %d flags set, want 12 and 3", groups, set)
	}
	if flags < 130 {
		t.Errorf("got %d flags, 1.7 has more than that", flags)
	}
	if derived != 3 {
		t.Errorf("got %d derived values, want 3: advertise address, anonymous, size of a cache", derived)
	}
}

func TestDefaultsAreThoseOfTheArticle(t *testing.T) {
	s := options.NewServerRunOptions()
	if s.EventTTL != time.Hour || s.ServiceNodePortRange.String() != "30000-32767" || s.Etcd.Prefix != "/registry" {
		t.Errorf("got event TTL %s, node ports %s, prefix %s; want those of 1.7", s.EventTTL, s.ServiceNodePortRange, s.Etcd.Prefix)
	}
	if got, want := s.InsecureServing.BindPort, stage1options.NewInsecureServingOptions().BindPort; got != want {
		t.Errorf("the insecure port is %d, want that of stage 1, %d", got, want)
	}
}

func ExampleServerRunOptions_Validate() {
	s := options.NewServerRunOptions()
	fs := pflag.NewFlagSet("kube-apiserver", pflag.ContinueOnError)
	fs.SetOutput(io.Discard)
	s.AddFlags(fs)
	fs.Parse([]string{"--secure-port=70000", "--apiserver-count=0", "--admission-control="})
	if err := options.DefaultOptions(s); err != nil {
		fmt.Println(err)
	}
	fmt.Println(options.Aggregate(s.Validate()))
	// Output:
	// [--secure-port=70000: want a port from 1 to 65535, or 0 for any free one,
	//  --apiserver-count=0: not a positive number; give 1 or more]
}

func TestErratumE26(t *testing.T) {
	t.Log("the article: a group of options for timeouts of requests. There is none: watches have a shortest life, kubelets a time to answer, and all else a minute that 1.7.3 has no flag for.")
	s, fs, err := parse(t)
	if err != nil {
		t.Fatal(err)
	}
	var timeouts []string
	fs.VisitAll(func(f *pflag.Flag) {
		if strings.HasSuffix(f.Name, "timeout") && !strings.HasPrefix(f.Name, "test.") {
			timeouts = append(timeouts, f.Name+"="+f.DefValue)
		}
	})
	want := []string{"kubelet-timeout=5s", "min-request-timeout=1800", "request-timeout=1m0s"} // the last came with a later 1.7
	if !slices.Equal(timeouts, want) {
		t.Errorf("the timeouts are %v, want %v", timeouts, want)
	}
	if summary := flagtable.Summary(s); !strings.HasPrefix(summary, "12 option groups, ") {
		t.Errorf("there are 12 groups, and not %s", summary)
	}
}
