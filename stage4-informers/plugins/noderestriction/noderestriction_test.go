package noderestriction_test

import (
	"strings"
	"testing"

	optionsadmission "example.com/kube-apiserver/stage2-options/admission"
	"example.com/kube-apiserver/stage2-options/admission/configfile"
	"example.com/kube-apiserver/stage3-storage/admission"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage3-storage/registry/request"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage4-informers/client"
	"example.com/kube-apiserver/stage4-informers/plugins/noderestriction"
	"example.com/kube-apiserver/stage4-informers/plugins/plugintest"
)

// newChain makes the plugin for a cluster in which the node n and the pods
// mine, on n, and other, on m, are known.
func newChain(t *testing.T) (c admission.Chain, uid func(path string) string) {
	t.Helper()
	s := plugintest.Start(t)
	s.Create("nodes", `{"metadata":{"name":"n"}}`)
	for pod, node := range map[string]string{"mine": "n", "other": "m"} {
		s.Create("namespaces/default/pods", `{"metadata":{"name":"`+pod+`"},"spec":{"nodeName":"`+node+`","containers":[{"name":"c","image":"i"}]}}`)
	}
	var registry optionsadmission.Plugins
	if err := registry.Register(noderestriction.Name, configfile.Unconfigured(noderestriction.New)); err != nil {
		t.Fatal(err)
	}
	c, err := registry.NewFromPlugins([]string{noderestriction.Name}, nil, func(p optionsadmission.Interface) {
		p.(interface{ SetLoopback(*client.Client) }).SetLoopback(s.Client())
	})
	if err != nil {
		t.Fatal(err)
	}
	return c, func(path string) string {
		return s.Do("GET", path, "").Object["metadata"].(map[string]any)["uid"].(string)
	}
}

func parse(t *testing.T, text string) *object.Object {
	t.Helper()
	if text == "" {
		return nil
	}
	tree, err := object.Parse([]byte(text))
	if err != nil {
		t.Fatalf("the test's own JSON does not parse: %v\n%s", err, text)
	}
	o, err := object.FromTree(tree)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

var node = request.User{Name: "system:node:n", Groups: []string{"system:nodes"}}

// attempt is what a node tries; UID stands for the uid of the node or the pod.
type attempt struct {
	operation rest.Operation
	resource  string // with its subresource: "pods/status"
	name      string
	old, obj  string
	why       string // "" where it may
}

const (
	owner = `"ownerReferences":[{"apiVersion":"v1","kind":"Node","name":"n","uid":"UID","controller":true}]`
	shown = `"annotations":{"kubernetes.io/config.mirror":"a"}`
)

func mirror(meta, spec string) string {
	return `{"metadata":{` + meta + `},"spec":{"nodeName":"n"` + spec + `}}`
}

var attempts = map[string]attempt{
	"shows its own pod":                   {rest.Create, "pods", "p", ``, mirror(shown+","+owner, ``), ``},
	"makes a pod":                         {rest.Create, "pods", "p", ``, mirror(owner, ``), `pod does not have "kubernetes.io/config.mirror" annotation, node "n" can only create mirror pods`},
	"shows a pod of another node":         {rest.Create, "pods", "p", ``, `{"metadata":{` + shown + `},"spec":{"nodeName":"m"}}`, `node "n" can only create pods with spec.nodeName set to itself`},
	"shows a pod of nobody":               {rest.Create, "pods", "p", ``, mirror(shown, ``), `node "n" can only create pods with an owner reference set to itself`},
	"shows a pod of the node before it":   {rest.Create, "pods", "p", ``, mirror(shown+","+strings.Replace(owner, "UID", "old", 1), ``), `node n UID mismatch: expected old got UID`},
	"shows a pod with an account":         {rest.Create, "pods", "p", ``, mirror(shown+","+owner, `,"serviceAccountName":"a"`), `node "n" can not create pods that reference a service account`},
	"shows a pod with a secret":           {rest.Create, "pods", "p", ``, mirror(shown+","+owner, `,"volumes":[{"name":"v","secret":{"secretName":"s"}}]`), `node "n" can not create pods that reference secrets`},
	"shows a pod with a hidden secret":    {rest.Create, "pods", "p", ``, mirror(shown+","+owner, `,"containers":[{"envFrom":[{"secretRef":{"name":"s"}}]}]`), `node "n" can not create pods that reference secrets`},
	"shows a pod with a projected config": {rest.Create, "pods", "p", ``, mirror(shown+","+owner, `,"volumes":[{"name":"v","projected":{"sources":[{"configMap":{"name":"s"}}]}}]`), `node "n" can not create pods that reference configmaps`},
	"shows a pod with a claim":            {rest.Create, "pods", "p", ``, mirror(shown+","+owner, `,"volumes":[{"name":"v","persistentVolumeClaim":{"claimName":"s"}}]`), `node "n" can not create pods that reference persistentvolumeclaims`},
	"ends its pod":                        {rest.Delete, "pods", "p", `{"spec":{"nodeName":"n"}}`, ``, ``},
	"ends a pod of another node":          {rest.Delete, "pods", "p", `{"spec":{"nodeName":"m"}}`, ``, `node "n" can only delete pods with spec.nodeName set to itself`},
	"changes a pod":                       {rest.Update, "pods", "p", `{"spec":{"nodeName":"n"}}`, `{"spec":{"nodeName":"n"}}`, `unexpected operation "UPDATE", node "n" can only create and delete mirror pods`},
	"says how its pod is":                 {rest.Update, "pods/status", "p", `{"spec":{"nodeName":"n"}}`, `{"spec":{"nodeName":"n"},"status":{"phase":"Running"}}`, ``},
	"says how another pod is":             {rest.Update, "pods/status", "p", `{"spec":{"nodeName":"m"}}`, `{"spec":{"nodeName":"m"}}`, `node "n" can only update pod status for pods with spec.nodeName set to itself`},
	"labels its pod":                      {rest.Update, "pods/status", "p", `{"spec":{"nodeName":"n"}}`, `{"metadata":{"labels":{"a":"b"}},"spec":{"nodeName":"n"}}`, `node "n" cannot update labels through pod status`},
	"evicts its pod":                      {rest.Create, "pods/eviction", "mine", ``, `{}`, ``},
	"evicts another pod":                  {rest.Create, "pods/eviction", "other", ``, `{}`, `node n can only evict pods with spec.nodeName set to itself`},
	"binds a pod":                         {rest.Create, "pods/binding", "p", ``, `{}`, `unexpected pod subresource "binding", only 'status' and 'eviction' are allowed`},

	"registers":                            {rest.Create, "nodes", "n", ``, `{"metadata":{"labels":{"kubernetes.io/os":"linux","node.kubernetes.io/x":"y","mine":"z"}}}`, ``},
	"registers with a label of others":     {rest.Create, "nodes", "n", ``, `{"metadata":{"labels":{"node-restriction.kubernetes.io/a":"b","other.k8s.io/a":"b"}}}`, `node "n" is not allowed to set the following labels: node-restriction.kubernetes.io/a, other.k8s.io/a`},
	"changes another node":                 {rest.Update, "nodes/status", "m", `{}`, `{}`, `node "n" is not allowed to modify node "m"`},
	"takes its taint away":                 {rest.Update, "nodes", "n", `{"spec":{"taints":[{"key":"a","effect":"NoSchedule"}]}}`, `{"spec":{}}`, `node "n" is not allowed to modify taints`},
	"takes a label away":                   {rest.Update, "nodes", "n", `{"metadata":{"labels":{"x.node-restriction.kubernetes.io/a":"b"}}}`, `{}`, `is not allowed to modify labels: x.node-restriction.kubernetes.io/a`},
	"keeps what it has":                    {rest.Update, "nodes", "n", `{"metadata":{"labels":{"other.k8s.io/a":"b"}}}`, `{"metadata":{"labels":{"other.k8s.io/a":"b","c":"d"}}}`, ``},
	"says how large a volume is":           {rest.Update, "persistentvolumeclaims/status", "c", `{"status":{"phase":"Bound"}}`, `{"status":{"phase":"Bound","capacity":{"storage":"1Gi"}}}`, ``},
	"says that a volume is gone":           {rest.Update, "persistentvolumeclaims/status", "c", `{"status":{"phase":"Bound"}}`, `{"status":{"phase":"Lost"}}`, `node "n" is not allowed to update fields other than status.capacity and status.conditions`},
	"asks for a token":                     {rest.Create, "serviceaccounts/token", "a", ``, `{"spec":{}}`, `node requested token not bound to a pod`},
	"asks for a token of its pod":          {rest.Create, "serviceaccounts/token", "a", ``, `{"spec":{"boundObjectRef":{"apiVersion":"v1","kind":"Pod","name":"mine","uid":"UID"}}}`, ``},
	"asks for a token of another pod":      {rest.Create, "serviceaccounts/token", "a", ``, `{"spec":{"boundObjectRef":{"apiVersion":"v1","kind":"Pod","name":"other","uid":"UID"}}}`, `node requested token bound to a pod scheduled on a different node`},
	"shows that it is alive":               {rest.Update, "leases", "n", `{}`, `{}`, `can only access leases in the "kube-node-lease" system namespace`},
	"does what the plugin is not asked of": {rest.Create, "events", "e", ``, `{}`, ``},
}

func TestANodeMayChangeWhatIsOnIt(t *testing.T) {
	c, uid := newChain(t)
	uids := map[string]string{"pods": uid("nodes/n"), "mine": uid("namespaces/default/pods/mine"), "other": uid("namespaces/default/pods/other")}
	for claim, try := range attempts {
		t.Run("a node "+claim, func(t *testing.T) {
			resource, subresource, _ := strings.Cut(try.resource, "/")
			r := catalog.Resource{Version: "v1", Name: resource}
			if resource == "leases" {
				r.Group = "coordination.k8s.io"
			}
			id := uids[resource]
			for _, pod := range []string{"mine", "other"} {
				if strings.Contains(try.obj, `"`+pod+`"`) {
					id = uids[pod]
				}
			}
			a := &admission.Attributes{
				Operation: try.operation, Resource: r, Subresource: subresource, Key: rest.Key{Namespace: "default", Name: try.name}, User: node,
				Object: parse(t, strings.ReplaceAll(try.obj, "UID", id)), Old: parse(t, try.old),
			}
			got := ""
			if err := c.Validate(t.Context(), a); err != nil {
				_, got, _ = strings.Cut(err.Error(), "is forbidden: ")
			}
			if want := strings.ReplaceAll(try.why, "got UID", "got "+id); got != want {
				t.Errorf("the answer is\n\t%q\nwant\n\t%q", got, want)
			}
			a.User.Groups = nil
			if err := c.Validate(t.Context(), a); err != nil {
				t.Errorf("who is only called like a node is refused: %v", err)
			}
		})
	}
}
