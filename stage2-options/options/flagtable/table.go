package flagtable

import (
	"time"

	"example.com/kube-apiserver/stage2-options/options"
)

// Why flags are refused.
const (
	noUsers   = "nobody would be recognised by it"
	noAudit   = "nothing would be written down"
	noEtcdTLS = "the connection to etcd would not be protected by it"
	plain     = "objects would be stored unencrypted"
)

type group struct {
	name string
	rows []row
}

// groups is the table, by the sections of --help; "" is for flags that belong to no option of ours.
func groups(s *options.ServerRunOptions) []group {
	return []group{
		{"generic", generic(s.GenericServerRunOptions)},
		{"etcd", etcd(s.Etcd)},
		{"secure serving", []row{
			{"tls-ca-file", new(""), "", "`file` with the authority that clients should know this server by"},
		}},
		{"audit", audit(s.Audit)},
		{"features", []row{
			{"profiling", &s.Features.Profiling, "", "serve profiles under /debug/pprof"},
			{"contention-profiling", new(false), "", "include waiting for locks"},
			{"enable-swagger-ui", new(false), "", "serve pages about the API under /swagger-ui"},
		}},
		{"authentication", authentication()},
		{"authentication", serviceAccounts(s.Authentication)},
		{"authentication", requestHeader()},
		{"authorization", authorization(s.Authorization)},
		{"cloud provider", []row{
			{"cloud-provider", &s.CloudProvider.CloudProvider, "", "`name` of the cloud that the nodes are in"},
			{"cloud-config", new(""), "", "`file` with its configuration"},
		}},
		{"storage serialization", []row{
			{"storage-versions", &s.StorageSerialization.StorageVersions, "", "`group/versions` to keep objects in; here each kind has one"},
			{"storage-version", new(""), "", ""},
		}},
		{"API enablement", []row{
			{"runtime-config", runtimeConfig(s.APIEnablement.RuntimeConfig), "", "`group/version=true` of parts to serve; all are, and none can be switched off"},
		}},
		{"miscellaneous", loose(s)},
		{"miscellaneous", kubelet()},
		{"", logging()},
		{"", loaded()},
	}
}

func generic(o *options.GenericOptions) []row {
	return []row{
		{"cors-allowed-origins", &o.CorsAllowedOriginList, "", "regular `expressions` for origins that browsers may call from"},
		{"external-hostname", new(""), "", "`name` of this server in addresses that it gives out"},
		{"feature-gates", new(""), "", "`Name=true|false` of features to switch"},
		{"long-running-request-regexp", new(""), "", ""},
		{"master-service-namespace", new("default"), "", "`namespace` of the service kubernetes"},
		{"max-requests-inflight", &o.MaxRequestsInFlight, "", "how many reads are served at a time; 0 for no limit"},
		{"max-mutating-requests-inflight", &o.MaxMutatingRequestsInFlight, "", "how many writes are served at a time; 0 for no limit"},
		{"min-request-timeout", new(1800), "", "how many `seconds` a watch lasts at least"},
		{"request-timeout", &o.RequestTimeout, "", "how long other requests may take"},
		{"shutdown-delay-duration", &o.ShutdownDelay, "", "how long to go on serving after the signal to stop"},
		{"target-ram-mb", &o.TargetRAMMB, "", "memory in `MB` from which 1.7 computes the sizes of its caches"},
		{"watch-cache-sizes", new([]string(nil)), "", "`resource#size` of watch caches"},
	}
}

func etcd(o *options.EtcdOptions) []row {
	return []row{
		{"etcd-servers", &o.ServerList, "", "`URLs` of etcd; bbolt needs none"},
		{"etcd-servers-overrides", new([]string(nil)), "", "`group/resource#URL` of etcd for single resources"},
		{"etcd-quorum-read", new(false), "", "read what most servers of etcd agree on; here every read is like that"},
		{"etcd-keyfile", new(""), noEtcdTLS, "`file` with the key to show to etcd"},
		{"etcd-certfile", new(""), noEtcdTLS, "`file` with the certificate to show to etcd"},
		{"etcd-cafile", new(""), noEtcdTLS, "`file` with the authority of etcd's certificate"},
		{"encryption-provider-config", new(""), plain, "`file` that says how to encrypt objects in the store"},
		{"experimental-encryption-provider-config", new(""), plain, ""},
		{"storage-media-type", new("application/json"), "", "`type` of objects in the store; here always JSON"},
		{"watch-cache", new(true), "", "answer reads from memory"},
		{"default-watch-cache-size", new(100), "", ""},
		{"deserialization-cache-size", &o.DeserializationCacheSize, "", "how many decoded objects 1.7 remembers for etcd2; 0 goes by target-ram-mb"},
		{"enable-garbage-collector", new(true), "", "delete what belonged to deleted objects"},
	}
}

func audit(o *options.AuditOptions) []row {
	return []row{
		{"audit-policy-file", &o.PolicyFile, noAudit, "`file` that says what to write down about requests"},
		{"audit-log-path", &o.LogPath, noAudit, "`file` to write it to; - for stdout"},
		{"audit-log-maxage", &o.MaxAge, "", "how many `days` to keep old files"},
		{"audit-log-maxbackup", &o.MaxBackups, "", "how many old files to keep"},
		{"audit-log-maxsize", &o.MaxSizeMB, "", "how many `MB` a file may have"},
		{"audit-webhook-config-file", new(""), noAudit, "`kubeconfig` of a server to send it to"},
		{"audit-webhook-mode", new("batch"), "", "`mode` of sending it: batch or blocking"},
	}
}

func authorization(o *options.AuthorizationOptions) []row {
	return []row{
		{"authorization-policy-file", &o.PolicyFile, "nobody would go by its rules", "`file` with the rules of mode ABAC"},
		{"authorization-webhook-config-file", new(""), "nobody would ask that server", "`kubeconfig` of the server to ask in mode Webhook"},
		{"authorization-webhook-cache-authorized-ttl", new(5 * time.Minute), "", "how long to remember its yes"},
		{"authorization-webhook-cache-unauthorized-ttl", new(30 * time.Second), "", "how long to remember its no"},
		{"authorization-rbac-super-user", new(""), "", ""},
	}
}

func authentication() []row {
	return []row{
		{"insecure-allow-any-token", new(false), "", "take every token, and the user that it names; here it never is taken"},
		{"enable-bootstrap-token-auth", new(false), "", "take tokens from secrets in kube-system"},
		{"experimental-bootstrap-token-auth", new(false), "", ""},
		{"basic-auth-file", new(""), noUsers, "`file` with passwords"},
		{"experimental-keystone-url", new(""), noUsers, ""},
		{"experimental-keystone-ca-file", new(""), noUsers, ""},
		{"oidc-issuer-url", new(""), noUsers, "`URL` of an OpenID issuer of tokens"},
		{"oidc-client-id", new(""), noUsers, "`audience` that its tokens must be for"},
		{"oidc-ca-file", new(""), noUsers, "`file` with the authority of its certificate"},
		{"oidc-username-claim", new("sub"), noUsers, "`claim` of its tokens that is the user's name"},
		{"oidc-groups-claim", new(""), noUsers, "`claim` of its tokens that is the user's groups"},
		{"authentication-token-webhook-config-file", new(""), noUsers, "`kubeconfig` of a server that knows tokens"},
		{"authentication-token-webhook-cache-ttl", new(2 * time.Minute), "", "how long to remember its answers"},
	}
}

func serviceAccounts(o *options.AuthenticationOptions) []row {
	return []row{
		{"service-account-key-file", (*list)(&o.ServiceAccountKeyFiles), "", "`file` with a key that verifies service accounts' tokens; may be repeated"},
		{"service-account-signing-key-file", new(""), "", "`file` with the key that signs them"},
		{"service-account-issuer", new(list(nil)), "", "`URL` that they name as their issuer; may be repeated"},
		{"service-account-lookup", new(true), "", "refuse tokens of service accounts that are gone"},
	}
}

func requestHeader() []row {
	return []row{
		{"requestheader-username-headers", new([]string(nil)), "", "`headers` in which a proxy in front names the user"},
		{"requestheader-group-headers", new([]string(nil)), "", "`headers` with the user's groups"},
		{"requestheader-extra-headers-prefix", new([]string(nil)), "", "`beginnings` of headers with more about the user"},
		{"requestheader-client-ca-file", new(""), "", "`file` with the authority of that proxy's certificate"},
		{"requestheader-allowed-names", new([]string(nil)), "", "`names` that its certificate may have; empty for any"},
	}
}

func loose(s *options.ServerRunOptions) []row {
	return []row{
		{"enable-logs-handler", new(true), "", "serve this machine's log files under /logs"},
		{"enable-aggregator-routing", new(false), "", "reach aggregated servers at their endpoints, not at their service"},
		{"kubernetes-service-node-port", &s.KubernetesServiceNodePort, "", "`port` of the service kubernetes on every node; 0 for none"},
		{"max-connection-bytes-per-sec", new(int64(0)), "", "how fast a user's connection may be; 0 for no limit"},
		{"proxy-client-cert-file", new(""), "", "`file` with the certificate to show to aggregated servers"},
		{"proxy-client-key-file", new(""), "", "`file` with its key"},
		{"repair-malformed-updates", new(true), "", "repair updates of old clients"},
	}
}

func kubelet() []row {
	return []row{
		{"kubelet-port", new(uint(10250)), "", ""},
		{"kubelet-read-only-port", new(uint(10255)), "", ""},
		{"kubelet-https", new(true), "", "speak TLS to kubelets"},
		{"kubelet-preferred-address-types", new([]string{"Hostname", "InternalDNS", "InternalIP", "ExternalDNS", "ExternalIP"}), "", "`types` of node address to try, in this order"},
		{"kubelet-timeout", new(5 * time.Second), "", "how long to wait for a kubelet"},
		{"kubelet-client-certificate", new(""), "", "`file` with the certificate to show to kubelets"},
		{"kubelet-client-key", new(""), "", "`file` with its key"},
		{"kubelet-certificate-authority", new(""), "certificates of kubelets would not be checked", "`file` with the authority of kubelets' certificates"},
	}
}

func logging() []row {
	return []row{
		{"vmodule", new(""), "", "`file=level` for single files"},
		{"logtostderr", new(true), "", "log to stderr; here it is always so"},
		{"alsologtostderr", new(false), "", "log to stderr besides files"},
		{"stderrthreshold", new("2"), "", "`severity` from which lines go to stderr"},
		{"log-dir", new(""), "", "`folder` of log files"},
		{"log-backtrace-at", new(""), "", "`file:line` at which to log a backtrace"},
	}
}

// loaded are flags of admission plugins and clouds.
func loaded() []row {
	return []row{
		{"ir-data-source", new("influxdb"), "", ""},
		{"ir-influxdb-host", new("localhost:8080/api/v1/namespaces/kube-system/services/monitoring-influxdb:api/proxy"), "", ""},
		{"ir-user", new("root"), "", ""},
		{"ir-password", new(secretValue), "", ""},
		{"ir-dbname", new("k8s"), "", ""},
		{"ir-hawkular", new(""), "", ""},
		{"ir-percentile", new(int64(90)), "", ""},
		{"ir-namespace-only", new(false), "", ""},
		{"google-json-key", new(""), "", ""},
		{"azure-container-registry-config", new(""), "", ""},
		{"cloud-provider-gce-lb-src-cidrs", new([]string(nil)), "", ""},
	}
}
