package options_test

import (
	"strings"
	"testing"
)

const (
	portNumber = `invalid argument "x" for "--secure-port" flag: must be an integer`
	modes      = "use AlwaysAllow, AlwaysDeny or RBAC"
	plugins    = "there are AlwaysAdmit, NamespaceLifecycle, ResourceQuota"
	noUsers    = "nobody would be recognised by it; leave the flag out"
	noAudit    = "nothing would be written down; leave the flag out"
	noEtcdTLS  = "the connection to etcd would not be protected by it; leave the flag out"
	plain      = "objects would be stored unencrypted; leave the flag out"
)

// A command line and what its user reads.
type badLine struct{ line, message string }

// Those that cannot be understood end the process with code 2.
var notUnderstood = []badLine{
	{"--nope", "unknown flag: --nope (try --help)"},
	{"--secure-prot=1", "unknown flag: --secure-prot: did you mean --secure-port?"},
	{"--authorisation-mode=RBAC", "unknown flag: --authorisation-mode: did you mean --authorization-mode?"},
	{"--secure-port=x", portNumber},
	{"--secure_port=x", portNumber},
	{"--secure-port", "flag needs an argument: --secure-port"},
	{"--allow-privileged true", `["true"] belongs to no flag: write --flag=value, and nothing else (try --help)`},
	{"--allow-privileged=maybe", `invalid argument "maybe" for "--allow-privileged" flag: must be true or false`},
	{"stray", `["stray"] belongs to no flag: write --flag=value, and nothing else (try --help)`},
	{"-version", `invalid argument "ersion" for "-v, --v" flag: parse error`},
	{"--bind-address=localhost", `invalid argument "localhost" for "--bind-address" flag: failed to parse IP: "localhost"`},
	{"--advertise-address=1.2.3", `invalid argument "1.2.3" for "--advertise-address" flag: failed to parse IP: "1.2.3"`},
	{"--event-ttl=1", `invalid argument "1" for "--event-ttl" flag: must be a duration like "30s" or "5m"`},
	{"--history-bytes=64M", `invalid argument "64M" for "--history-bytes" flag: must be an integer`},
	{"--service-cluster-ip-range=10.0.0.0", `invalid argument "10.0.0.0" for "--service-cluster-ip-range" flag: invalid CIDR address: 10.0.0.0`},
	{"--portal-net=10.0.0.0/33", `invalid argument "10.0.0.0/33" for "--portal-net" flag: invalid CIDR address: 10.0.0.0/33`},
	{"--service-node-port-range=30000", `invalid argument "30000" for "--service-node-port-range" flag: expected hyphen in port range`},
	{"--service-node-port-range=1-70000", `invalid argument "1-70000" for "--service-node-port-range" flag: the port range cannot be greater than 65535: 1-70000`},
	{"--service-node-ports=9-8", `invalid argument "9-8" for "--service-node-ports" flag: end port cannot be less than start port: 9-8`},
	{"--service-node-port-range=a-b", `invalid argument "a-b" for "--service-node-port-range" flag: unable to parse port range: a-b: strconv.ParseUint: parsing "a": invalid syntax`},
	{"--service-node-port-range=1-", `invalid argument "1-" for "--service-node-port-range" flag: unable to parse port range: 1-: strconv.ParseUint: parsing "": invalid syntax`},
	{"--tls-sni-cert-key=a.crt", `invalid argument "a.crt" for "--tls-sni-cert-key" flag: expected comma separated certificate and key file paths`},
	{"--tls-sni-cert-key=a.crt,a.key,b", `invalid argument "a.crt,a.key,b" for "--tls-sni-cert-key" flag: expected comma separated certificate and key file paths`},
	{"--tls-sni-cert-key=a.crt,a.key:", `invalid argument "a.crt,a.key:" for "--tls-sni-cert-key" flag: empty names list is not allowed`},
	{"--runtime-config=batch/v1=false", `invalid argument "batch/v1=false" for "--runtime-config" flag: batch/v1 would be served all the same; leave it out`},
	{"--runtime-config=batch/v1=yes", `invalid argument "batch/v1=yes" for "--runtime-config" flag: yes is neither true nor false; give batch/v1=true`},
	{"--runtime-config==true", `invalid argument "=true" for "--runtime-config" flag: "=true" has no key; give group/version=true`},
	// Empty and huge values.
	{"--secure-port=99999999999999999999", `invalid argument "99999999999999999999" for "--secure-port" flag: must be an integer`},
	{"--insecure-port=", `invalid argument "" for "--insecure-port" flag: must be an integer`},
	{"--apiserver-count=1e3", `invalid argument "1e3" for "--apiserver-count" flag: must be an integer`},
	{"--event-ttl=9999999999h", `invalid argument "9999999999h" for "--event-ttl" flag: must be a duration like "30s" or "5m"`},
	{"--allow-privileged=", `invalid argument "" for "--allow-privileged" flag: must be true or false`},
	{"--tls-sni-cert-key=", `invalid argument "" for "--tls-sni-cert-key" flag: expected comma separated certificate and key file paths`},
	{"--service-cluster-ip-range=", `invalid argument "" for "--service-cluster-ip-range" flag: invalid CIDR address: `},
	{"--service-cluster-ip-range=10.0.0.0/24,10.1.0.0/24", `invalid argument "10.0.0.0/24,10.1.0.0/24" for "--service-cluster-ip-range" flag: invalid CIDR address: 10.0.0.0/24,10.1.0.0/24`},
	{"--log-flush-frequency=soon", `invalid argument "soon" for "--log-flush-frequency" flag: parse error`},
	{"-vv", `invalid argument "v" for "-v, --v" flag: parse error`},

	// A harmless flag is parsed as if it mattered.
	{"--kubelet-timeout=soon", `invalid argument "soon" for "--kubelet-timeout" flag: must be a duration like "30s" or "5m"`},
	{"--etcd-quorum-read=2", `invalid argument "2" for "--etcd-quorum-read" flag: must be true or false`},
}

// Those that ask for what cannot be end it with code 1.
var wrong = []badLine{
	{"--secure-port=-1", "--secure-port=-1: want a port from 1 to 65535, or 0 for any free one"},
	{"--secure-port=65536", "--secure-port=65536: want a port from 1 to 65535, or 0 for any free one"},
	{"--insecure-port=-1", "--insecure-port=-1: want a port from 1 to 65535, or 0 to serve no plain HTTP"},
	{"--port=65536", "--insecure-port=65536: want a port from 1 to 65535, or 0 to serve no plain HTTP"},
	{"--insecure-port=6443", "--insecure-port=6443: --secure-port has this port; give one of them another"},
	{"--secure-port=1 --secure-port=2 --insecure-port=2", "--insecure-port=2: --secure-port has this port; give one of them another"},
	{"--tls-cert-file=a.crt", "--tls-cert-file=a.crt: a certificate without its key; give --tls-private-key-file too"},
	{"--tls-private-key-file=a.key", "--tls-private-key-file=a.key: a key without its certificate; give --tls-cert-file too"},
	{"--storage-backend=etcd3", "--storage-backend=etcd3: this engine is not built yet; use bbolt"},
	{"--storage-backend=etcd2", "--storage-backend=etcd2: no such engine; use bbolt"},
	{"--storage-backend=", "--storage-backend=: no such engine; use bbolt"},
	{"--bbolt-file=", "--bbolt-file=: no file; give one such as state.db"},
	{"--history-age=0s", "--history-age=0s: no watch could ever go on; give a duration such as 5m"},
	{"--history-bytes=0", "--history-bytes=0: no watch could ever go on; give a number such as 67108864"},
	{"--delete-collection-workers=0", "--delete-collection-workers=0: nobody would delete; give 1 or more"},
	{"--service-cluster-ip-range=10.0.0.0/8", "--service-cluster-ip-range=10.0.0.0/8: too large; give a mask of /12 or longer"},
	{"--service-cluster-ip-range=10.0.0.0/30", "--service-cluster-ip-range=10.0.0.0/30: fewer than 8 addresses; give a mask of /29 or shorter"},
	{"--service-cluster-ip-range=fd00::/64", "--service-cluster-ip-range=fd00::/64: too large; give a mask of /108 or longer"},
	{"--kubernetes-service-node-port=-1", "--kubernetes-service-node-port=-1: want a port from 1 to 65535, or 0 for none"},
	{"--kubernetes-service-node-port=80", "--kubernetes-service-node-port=80: not in --service-node-port-range; give one of 30000-32767"},
	{"--apiserver-count=0", "--apiserver-count=0: not a positive number; give 1 or more"},
	{"--event-ttl=-1s", "--event-ttl=-1s: negative; give a duration such as 1h, or 0 to keep events for ever"},
	{"--max-requests-inflight=-1", "--max-requests-inflight=-1: negative; give 0 for no limit"},
	{"--max-mutating-requests-inflight=-1", "--max-mutating-requests-inflight=-1: negative; give 0 for no limit"},
	{"--min-request-timeout=-1", "--min-request-timeout=-1: negative; give a number of seconds, such as 1800"},
	{"--request-timeout=0s", "--request-timeout=0s: no time at all; give a duration such as 1m"},
	{"--shutdown-delay-duration=-1s", "--shutdown-delay-duration=-1s: negative; give 0 for no delay"},
	{"--ssh-user=core", "--ssh-user=core: no key to log in with; give --ssh-keyfile too"},
	{"--ssh-user=abcdefghijklmnopqrstuvwxyz-0123456 --ssh-keyfile=k", "--ssh-user=abcdefghijklmnopqrstuvwxyz-0123456: longer than the 32 letters that a user's name may have"},
	{"--output=yaml", "--output=yaml: no such format; use table or json"},
	{"-o yaml", "--output=yaml: no such format; use table or json"},
	{"--controllers=*,", "--controllers=: no name; give * for all, names, or nothing at all for none"},
	{"--controllers=-namespaces", "--controllers=-namespaces: no such controller; there are garbagecollector, namespace"},
	{"--authorization-mode=", "--authorization-mode=: nobody would decide; " + modes},
	{"--authorization-mode=rbac", "--authorization-mode=rbac: no such mode; " + modes},
	{"--authorization-mode=Webhook", "--authorization-mode=Webhook: this mode is not built yet; " + modes},
	{"--authorization-mode=Node,RBAC", "--authorization-mode=Node: this mode is not built yet; " + modes},
	{"--authorization-mode=RBAC,RBAC", "--authorization-mode=RBAC: given more than once; give it once"},
	{"--admission-control=Nothing", "--admission-control=Nothing: no such plugin; " + plugins},
	{"--admission-control=ServiceAccount", "--admission-control=ServiceAccount: this plugin is not built yet; " + plugins},
	{"--enable-admission-plugins=PodSecurity", "--enable-admission-plugins=PodSecurity: this plugin is not built yet; " + plugins},
	{"--disable-admission-plugins=ServiceAcount", "--disable-admission-plugins=ServiceAcount: no such plugin; leave it out"},
	{"--enable-admission-plugins=ResourceQuota --disable-admission-plugins=ResourceQuota", "--disable-admission-plugins=ResourceQuota: enabled too; name it in one of the two flags"},
	{"--admission-control=AlwaysAdmit --enable-admission-plugins=ResourceQuota", "--admission-control=AlwaysAdmit: names the whole chain; give either it or --enable-admission-plugins and --disable-admission-plugins"},

	// Refused.
	{"--encryption-provider-config=e.yaml", "--encryption-provider-config=e.yaml: " + plain},
	{"--experimental-encryption-provider-config=e.yaml", "--experimental-encryption-provider-config=e.yaml: " + plain},
	{"--etcd-certfile=c", "--etcd-certfile=c: " + noEtcdTLS},
	{"--etcd-cafile=c", "--etcd-cafile=c: " + noEtcdTLS},
	{"--oidc-issuer-url=https://me:secret@issuer", "--oidc-issuer-url=https://(not shown)@issuer: " + noUsers},
	{"--basic-auth-file=p", "--basic-auth-file=p: " + noUsers},
	{"--authentication-token-webhook-config-file=k", "--authentication-token-webhook-config-file=k: " + noUsers},
	{"--authorization-webhook-config-file=k", "--authorization-webhook-config-file=k: nobody would ask that server; leave the flag out"},
	{"--authorization-policy-file=p", "--authorization-policy-file=p: nobody would go by its rules; leave the flag out"},
	{"--audit-policy-file=p", "--audit-policy-file=p: " + noAudit},
	{"--audit-log-path=-", "--audit-log-path=-: " + noAudit},
	{"--kubelet-certificate-authority=c", "--kubelet-certificate-authority=c: certificates of kubelets would not be checked; leave the flag out"},
}

func TestABadCommandLineSaysWhatIsWrongAndWhatToDo(t *testing.T) {
	for code, lines := range map[int][]badLine{1: wrong, 2: notUnderstood} {
		for _, bad := range lines {
			args := strings.Fields(bad.line)
			_, err := complete(t, args...)
			if err == nil {
				t.Errorf("%s: accepted, want the error\n\t%s", bad.line, bad.message)
				continue
			}
			if err.Error() != bad.message {
				t.Errorf("%s: the error is\n\t%v\nwant\n\t%s", bad.line, err, bad.message)
			}
			if _, _, err := parse(t, args...); (err != nil) != (code == 2) {
				t.Errorf("%s: the process must end with code %d; parsing alone says %v", bad.line, code, err)
			}
		}
	}
}
