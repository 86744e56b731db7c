package kinds

import (
	"net"
	"regexp"
	"strings"

	"example.com/kube-apiserver/stage3-storage/kinds/rules"
	"example.com/kube-apiserver/stage3-storage/object/field"
	"example.com/kube-apiserver/stage3-storage/wire/metadata"
)

// This file has the rules of single kinds of storage, most of them of one
// vendor. Pods and volumes of the cluster share them; what differs has two rows.

var (
	mustBeNamed  = rules.Fields{{Name: "name", Check: rules.Required()}}
	mustBePlaced = rules.Fields{{Name: "name", Check: rules.Required()}, {Name: "namespace", Check: rules.Required()}}

	gcePersistentDisk    = rules.Fields{{Name: "pdName", Check: rules.Required()}, {Name: "partition", Check: partition}}
	awsElasticBlockStore = rules.Fields{{Name: "volumeID", Check: rules.Required()}, {Name: "partition", Check: partition}}
	glusterfs            = rules.Fields{{Name: "endpoints", Check: rules.Required()}, {Name: "path", Check: rules.Required()}}
	rbd                  = rules.Fields{{Name: "monitors", Check: rules.Required()}, {Name: "image", Check: rules.Required()}}
	cephfs               = rules.Fields{{Name: "monitors", Check: rules.Required()}}
	cinder               = rules.Fields{{Name: "volumeID", Check: rules.Required()}, {Name: "secretRef", Check: mustBeNamed.Check}}
	cinderOfCluster      = rules.Fields{{Name: "volumeID", Check: rules.Required()}, {Name: "secretRef", Check: mustBePlaced.Check}}
	flexVolume           = rules.Fields{{Name: "driver", Check: rules.Required()}, {Name: "options", Check: flexOptions}}
	azureFile            = rules.Fields{{Name: "secretName", Check: rules.Required()}, {Name: "shareName", Check: rules.Required()}}
	vsphereVolume        = rules.Fields{{Name: "volumePath", Check: rules.Required()}}
	photonPersistentDisk = rules.Fields{{Name: "pdID", Check: rules.Required()}}
	portworxVolume       = rules.Fields{{Name: "volumeID", Check: rules.Required()}}
	scaleIO              = rules.Fields{{Name: "gateway", Check: rules.Required()}, {Name: "system", Check: rules.Required()}, {Name: "volumeName", Check: rules.Required()}}
	storageOS            = rules.Fields{{Name: "volumeName", Check: rules.Required(rules.Label)}, {Name: "volumeNamespace", Check: rules.Label}, {Name: "secretRef", Check: mustBeNamed.Check}}
	storageOSOfCluster   = rules.Fields{{Name: "volumeName", Check: rules.Required(rules.Label)}, {Name: "volumeNamespace", Check: rules.Label}, {Name: "secretRef", Check: mustBePlaced.Check}}
)

// nfs: a path that is missing is not absolute either, and both is said.
var nfs = rules.Fields{
	{Name: "server", Check: rules.Required()},
	{Name: "path", Check: rules.All(rules.Required(), rules.Strictly(rules.AbsolutePath))},
}

// hostPath says nothing of the type where the path is missing.
func hostPath(at string, v any) field.Errors {
	t, _ := v.(tree)
	if rules.Text(t, "path") == "" {
		return field.Errors{field.Required(at+".path", "")}
	}
	return rules.Fields{
		{Name: "path", Check: rules.Words(rules.NoBacksteps)},
		{Name: "type", Check: rules.OneOf("", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket")},
	}.Check(at, t)
}

// partition: 0 is the whole disk, though the sentence does not say so.
func partition(at string, v any) field.Errors {
	if n := rules.IntOf(v); n < 0 || n > 255 {
		return field.Errors{field.Invalid(at, n, "must be between 1 and 255, inclusive")}
	}
	return nil
}

// asDisk is a check whose complaints call the source persistentDisk, as
// upstream's do.
func asDisk(check rules.Check) rules.Check {
	return func(at string, v any) field.Errors { return check(rules.Beside(at, "persistentDisk"), v) }
}

func flexOptions(at string, v any) (errs field.Errors) {
	options, _ := v.(tree)
	for _, k := range rules.Keys(options) {
		domain, _, _ := strings.Cut(k, "/")
		domain = "." + strings.ToLower(domain)
		if strings.HasSuffix(domain, ".kubernetes.io") || strings.HasSuffix(domain, ".k8s.io") {
			errs = append(errs, field.Invalid(rules.Key(at, k), k, "kubernetes.io and k8s.io namespaces are reserved"))
		}
	}
	return errs
}

func flocker(at string, v any) (errs field.Errors) {
	t, _ := v.(tree)
	name, id := rules.Text(t, "datasetName"), rules.Text(t, "datasetUUID")
	switch {
	case name == "" && id == "":
		errs = append(errs, field.Required(at, "one of datasetName and datasetUUID is required"))
	case name != "" && id != "":
		errs = append(errs, field.Invalid(at, "resource", "datasetName and datasetUUID can not be specified simultaneously"))
	}
	if strings.Contains(name, "/") {
		errs = append(errs, field.Invalid(at+".datasetName", name, "must not contain '/'"))
	}
	return errs
}

func quobyte(at string, v any) (errs field.Errors) {
	const pairs = "must be a host:port pair or multiple pairs separated by commas"
	t, _ := v.(tree)
	hosts := rules.Text(t, "registry")
	switch {
	case hosts == "":
		errs = append(errs, field.Required(at+".registry", pairs))
	case len(rules.Text(t, "tenant")) > 64:
		errs = append(errs, field.Required(at+".tenant", "must be a UUID and may not exceed a length of 64 characters"))
	default:
		for pair := range strings.SplitSeq(hosts, ",") {
			if _, _, err := net.SplitHostPort(pair); err != nil {
				errs = append(errs, field.Invalid(at+".registry", hosts, pairs))
			}
		}
	}
	return append(errs, rules.Required()(at+".volume", t["volume"])...)
}

// fibreChannel names its target in one of two ways.
func fibreChannel(at string, v any) (errs field.Errors) {
	t, _ := v.(tree)
	targets, ids := rules.List(t, "targetWWNs"), rules.List(t, "wwids")
	switch {
	case len(targets)+len(ids) == 0:
		errs = append(errs, field.Required(at+".targetWWNs", "must specify either targetWWNs or wwids, but not both"))
	case len(targets) > 0 && len(ids) > 0:
		errs = append(errs, field.Invalid(at+".targetWWNs", targets, "targetWWNs and wwids can not be specified simultaneously"))
	}
	if len(targets) > 0 {
		errs = append(errs, rules.RequiredAs("lun is required if targetWWNs is specified", rules.Between(0, 255))(at+".lun", t["lun"])...)
	}
	return errs
}

func azureDisk(at string, v any) field.Errors {
	t, _ := v.(tree)
	errs := rules.Fields{
		{Name: "diskName", Check: rules.Required()},
		{Name: "diskURI", Check: rules.Required()},
		{Name: "cachingMode", Check: rules.OneOf("None", "ReadOnly", "ReadWrite")},
		{Name: "kind", Check: rules.OneOf("Dedicated", "Managed", "Shared")},
	}.Check(at, t)
	uri := rules.Text(t, "diskURI")
	switch kind := t["kind"]; {
	case kind == "Managed" && !strings.HasPrefix(uri, "/subscriptions/"):
		errs = append(errs, field.NotSupported(at+".diskURI", uri, "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}"))
	case kind != nil && kind != "Managed" && !strings.HasPrefix(uri, "https://"):
		errs = append(errs, field.NotSupported(at+".diskURI", uri, "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd"))
	}
	return errs
}

var initiators = map[string]*regexp.Regexp{
	"iqn": regexp.MustCompile(`iqn\.\d{4}-\d{2}\.([[:alnum:]-.]+)(:[^,;*&$|\s]+)$`),
	"eui": regexp.MustCompile(`^eui.[[:alnum:]]{16}$`),
	"naa": regexp.MustCompile(`^naa.[[:alnum:]]{32}$`),
}

// initiator is the name of one end of an iSCSI connection; unknown is the
// complaint about one of no known kind.
func initiator(unknown string) func(string) []string {
	return func(s string) []string {
		form := initiators[s[:min(len(s), 3)]]
		switch {
		case form == nil:
			return []string{unknown}
		case !form.MatchString(s):
			return []string{"must be valid format"}
		}
		return nil
	}
}

// iscsi is a disk behind a network address. secret are the rules of its secret.
func iscsi(unknown string, secret rules.Fields) rules.Check {
	form := rules.Words(initiator(unknown))
	return func(at string, v any) field.Errors {
		t, _ := v.(tree)
		errs := rules.Fields{
			{Name: "targetPortal", Check: rules.Required()},
			{Name: "iqn", Check: rules.Required(form)},
			{Name: "lun", Check: rules.Between(0, 255)},
		}.Check(at, t)
		if t["secretRef"] == nil && (rules.Bool(t, "chapAuthDiscovery") || rules.Bool(t, "chapAuthSession")) {
			errs = append(errs, field.Required(at+".secretRef", ""))
		}
		errs = append(errs, secret.Check(at+".secretRef", t["secretRef"])...)
		return append(errs, form(at+".initiatorname", t["initiatorName"])...)
	}
}

// csiDriver is the name of a driver of the container storage interface.
//
// Now: pkg/apis/core/validation/validation.go ValidateCSIDriverName
func csiDriver(at string, v any) field.Errors {
	const longest = 63
	name, _ := v.(string)
	errs := rules.Required()(at, v)
	if len(name) > longest {
		errs = append(errs, field.TooLong(at, longest))
	}
	for _, p := range metadata.DNSSubdomain(strings.ToLower(name)) {
		errs = append(errs, field.Invalid(at, name, p))
	}
	return errs
}
