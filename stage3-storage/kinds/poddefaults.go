package kinds

import (
	"strings"

	"example.com/kube-apiserver/stage3-storage/object"
)

// defaultPodSpec fills in what a pod's author left out. It serves pods and the
// templates of whatever makes pods.
//
// Upstream: pkg/apis/core/v1/defaults.go SetDefaults_PodSpec
func defaultPodSpec(s tree) {
	if s == nil {
		return
	}
	defaults(s,
		"restartPolicy", "Always",
		"terminationGracePeriodSeconds", number(30),
		"dnsPolicy", "ClusterFirst",
		"securityContext", tree{},
		"schedulerName", "default-scheduler",
	)
	if name := asString(s["serviceAccountName"]); name != "" {
		s["serviceAccount"] = name // the old name of the field is kept in step
	} else if name := asString(s["serviceAccount"]); name != "" {
		s["serviceAccountName"] = name
	}
	if s["enableServiceLinks"] == nil {
		s["enableServiceLinks"] = true
	}
	each(s["volumes"], func(_ int, v tree) { defaultVolume(v) })
	for _, list := range []string{"initContainers", "containers", "ephemeralContainers"} {
		each(s[list], func(_ int, c tree) { defaultContainer(c, list != "ephemeralContainers") })
	}
	if asBool(s["hostNetwork"]) {
		for _, list := range []string{"initContainers", "containers"} {
			each(s[list], func(_ int, c tree) {
				each(c["ports"], func(_ int, p tree) {
					if asInt(p["hostPort"]) == 0 {
						p["hostPort"] = p["containerPort"]
					}
				})
			})
		}
	}
}

func defaultContainer(c tree, resources bool) {
	defaults(c,
		"terminationMessagePath", "/dev/termination-log",
		"terminationMessagePolicy", "File",
		"imagePullPolicy", pullPolicy(asString(c["image"])),
	)
	each(c["ports"], func(_ int, p tree) { defaults(p, "protocol", "TCP") })
	each(c["env"], func(_ int, e tree) {
		if ref := asTree(at(e, "valueFrom", "fieldRef")); ref != nil {
			defaults(ref, "apiVersion", "v1")
		}
	})
	for _, name := range []string{"livenessProbe", "readinessProbe", "startupProbe"} {
		if p := asTree(c[name]); p != nil {
			defaultProbe(p)
		}
	}
	for _, hook := range []string{"postStart", "preStop"} {
		defaultHTTPGet(asTree(at(c, "lifecycle", hook, "httpGet")))
	}
	if !resources {
		return
	}
	limits := asTree(at(c, "resources", "limits"))
	if len(limits) == 0 {
		return
	}
	// What is limited and not requested is requested up to the limit.
	r := asTree(c["resources"])
	requests := asTree(r["requests"])
	if requests == nil {
		requests = tree{}
		r["requests"] = requests
	}
	defaults(requests, pairs(limits)...)
}

func pairs(t tree) (rows []any) {
	for _, k := range sortedKeys(t) {
		rows = append(rows, k, t[k])
	}
	return rows
}

// pullPolicy: an image without a tag, or with the tag latest, may change.
func pullPolicy(image string) string {
	if strings.Contains(image, "@") {
		return "IfNotPresent"
	}
	name := image[strings.LastIndexByte(image, '/')+1:]
	if _, tag, ok := strings.Cut(name, ":"); ok && tag != "latest" {
		return "IfNotPresent"
	}
	return "Always"
}

func defaultProbe(p tree) {
	defaults(p, "timeoutSeconds", number(1), "periodSeconds", number(10), "successThreshold", number(1), "failureThreshold", number(3))
	for name, unset := range map[string]int64{"timeoutSeconds": 1, "periodSeconds": 10, "successThreshold": 1, "failureThreshold": 3} {
		if asInt(p[name]) == 0 {
			p[name] = number(unset)
		}
	}
	defaultHTTPGet(asTree(p["httpGet"]))
	if g := asTree(p["grpc"]); g != nil && g["service"] == nil {
		g["service"] = ""
	}
}

func defaultHTTPGet(g tree) {
	if g != nil {
		defaults(g, "path", "/", "scheme", "HTTP")
	}
}

// volumeSources are the sources that get a mode for their files.
var volumeSources = []string{"secret", "configMap", "downwardAPI", "projected"}

func defaultVolume(v tree) {
	if len(v) == 1 && v["name"] != nil {
		v["emptyDir"] = tree{} // a volume without a source
	}
	for _, name := range volumeSources {
		if s := asTree(v[name]); s != nil && s["defaultMode"] == nil {
			s["defaultMode"] = number(0o644)
		}
	}
	if h := asTree(v["hostPath"]); h != nil && h["type"] == nil {
		h["type"] = ""
	}
	items := asList(at(v, "downwardAPI", "items"))
	each(at(v, "projected", "sources"), func(_ int, s tree) {
		items = append(items, asList(at(s, "downwardAPI", "items"))...)
		if t := asTree(s["serviceAccountToken"]); t != nil {
			defaults(t, "expirationSeconds", number(3600))
		}
	})
	each(items, func(_ int, i tree) {
		if ref := asTree(i["fieldRef"]); ref != nil {
			defaults(ref, "apiVersion", "v1")
		}
	})
	for _, d := range []struct {
		source string
		rows   []any
	}{
		{"iscsi", []any{"iscsiInterface", "default"}},
		{"rbd", []any{"pool", "rbd", "user", "admin", "keyring", "/etc/ceph/keyring"}},
		{"azureDisk", []any{"cachingMode", "ReadWrite", "fsType", "ext4", "readOnly", false, "kind", "Shared"}},
		{"scaleIO", []any{"storageMode", "ThinProvisioned", "fsType", "xfs"}},
	} {
		if s := asTree(v[d.source]); s != nil {
			defaults(s, d.rows...)
		}
	}
}

// qosClass says how a pod is treated when a node runs short.
//
// Upstream: pkg/apis/core/helper/qos/qos.go ComputePodQOS
func qosClass(o *object.Object) string {
	guaranteed, any := true, false
	for _, list := range []string{"initContainers", "containers"} {
		each(spec(o)[list], func(_ int, c tree) {
			requests, limits := asTree(at(c, "resources", "requests")), asTree(at(c, "resources", "limits"))
			for _, r := range []string{"cpu", "memory"} {
				any = any || requests[r] != nil || limits[r] != nil
				if limits[r] == nil || requests[r] != nil && requests[r] != limits[r] {
					guaranteed = false
				}
			}
		})
	}
	switch {
	case !any:
		return "BestEffort"
	case guaranteed:
		return "Guaranteed"
	}
	return "Burstable"
}
