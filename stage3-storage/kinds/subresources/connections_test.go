package subresources_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"example.com/kube-apiserver/stage3-storage/kinds/subresources"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
)

// city is a world with a node, pods on it, and a service before one of them.
func city(t *testing.T, transport subresources.Transport) *world {
	t.Helper()
	w := newWorld(t, subresources.Options{
		Kubelet:   subresources.Kubelet{Port: 10250, HTTPS: true, PreferredAddressTypes: []string{"Hostname", "InternalIP"}},
		Transport: transport,
	})
	w.create(t, "nodes", `{"metadata":{"name":"n1"},"status":{"addresses":[{"type":"InternalIP","address":"192.0.2.7"},{"type":"ExternalIP","address":"192.0.2.8"}]}}`)
	w.create(t, "nodes", `{"metadata":{"name":"own-port"},"status":{"addresses":[{"type":"InternalIP","address":"fd00::1"}],"daemonEndpoints":{"kubeletEndpoint":{"Port":12345}}}}`)
	w.create(t, "nodes", `{"metadata":{"name":"nowhere"},"status":{"addresses":[{"type":"ExternalIP","address":"192.0.2.8"}]}}`)
	for name, spec := range map[string]string{
		"idle":  ``,
		"one":   `"nodeName":"n1",`,
		"other": `"nodeName":"own-port",`,
		"lost":  `"nodeName":"gone",`,
		"far":   `"nodeName":"nowhere",`,
	} {
		w.create(t, "pods", `{"metadata":{"name":"`+name+`"},"spec":{`+spec+`"containers":[{"name":"c","image":"i","ports":[{"containerPort":8080}]}]}}`)
	}
	w.create(t, "pods", `{"metadata":{"name":"two"},"spec":{"nodeName":"n1","initContainers":[{"name":"i","image":"i"}],"containers":[{"name":"a","image":"i"},{"name":"b","image":"i"}]}}`)
	w.report(t, "pods", in("one"), `{"phase":"Running","podIPs":[{"ip":"10.1.0.5"}]}`)
	w.report(t, "pods", in("two"), `{"phase":"Running","podIPs":[{"ip":"127.0.0.1"}]}`)
	w.create(t, "services", `{"metadata":{"name":"s"},"spec":{"ports":[{"name":"web","port":80},{"name":"admin","port":81}]}}`)
	w.create(t, "endpoints", `{"metadata":{"name":"s"},"subsets":[{"addresses":[{"ip":"10.1.0.5","targetRef":{"kind":"Pod","namespace":"ns","name":"one"}}],"ports":[{"name":"web","port":8080}]}]}`)
	w.create(t, "endpoints", `{"metadata":{"name":"liar"},"subsets":[{"addresses":[{"ip":"10.1.0.9","targetRef":{"kind":"Pod","namespace":"ns","name":"one"}},{"ip":"10.1.0.5","targetRef":{"kind":"Pod","namespace":"other","name":"one"}}],"ports":[{"port":1}]}]}`)
	return w
}

func TestAConnectionIsLedToItsTarget(t *testing.T) {
	var to subresources.Target
	w := city(t, notebook{&to})
	for _, c := range []struct {
		path        string
		storage     rest.Storage
		key         rest.Key
		query, rest string
		want        string
		kubelet     bool
		way         subresources.Way
	}{
		{"log", w.pods.Log, in("one"), "", "", "https://192.0.2.7:10250/containerLogs/ns/one/c", true, subresources.Read},
		{"log of one of two", w.pods.Log, in("two"), "container=b&tailLines=0&follow&timestamps=false&previous=no", "", "https://192.0.2.7:10250/containerLogs/ns/two/b?follow=true&previous=true&tailLines=0", true, subresources.Read},
		{"log since", w.pods.Log, in("two"), "container=i&sinceTime=2020-01-01T02:00:00%2B02:00&limitBytes=9", "", "https://192.0.2.7:10250/containerLogs/ns/two/i?limitBytes=9&sinceTime=2020-01-01T00%3A00%3A00Z", true, subresources.Read},
		{"exec", w.pods.Exec, in("one"), "command=ls&command=-l&stdin=true&tty=0", "", "https://192.0.2.7:10250/exec/ns/one/c?command=ls&command=-l&error=1&input=1&output=1", true, subresources.Upgrade},
		{"attach", w.pods.Attach, in("other"), "tty=1", "", "https://[fd00::1]:12345/attach/ns/other/c?error=1&output=1&tty=1", true, subresources.Upgrade},
		{"portforward", w.pods.PortForward, in("one"), "ports=80&ports=81", "", "https://192.0.2.7:10250/portForward/ns/one?port=80%2C81", true, subresources.Upgrade},
		{"a pod's first port", w.pods.Proxy, in("one"), "", "/a/", "http://10.1.0.5:8080/a/", false, subresources.Forward},
		{"a pod's port", w.pods.Proxy, in("https:one:99"), "", "", "https://10.1.0.5:99", false, subresources.Forward},
		{"a service", w.serviceProxy, in("s:web"), "", "/x", "http://10.1.0.5:8080/x", false, subresources.Forward},
		{"a service's port by number", w.serviceProxy, in("https:s:80"), "", "", "https://10.1.0.5:8080", false, subresources.Forward},
		{"a kubelet", w.nodeProxy, rest.Key{Name: "n1"}, "", "/metrics", "https://192.0.2.7:10250/metrics", true, subresources.Forward},
		{"a kubelet by its port", w.nodeProxy, rest.Key{Name: "own-port:12345"}, "", "", "https://[fd00::1]:12345", true, subresources.Forward},
		{"a node's port", w.nodeProxy, rest.Key{Name: "n1:9100"}, "", "", "http://192.0.2.7:9100", false, subresources.Forward},
	} {
		to = subresources.Target{}
		code, err := connectTo(t, c.storage, c.key, c.query, c.rest)
		if err != nil || code != 418 {
			t.Errorf("%s: the connection is not made: %d %v", c.path, code, err)
			continue
		}
		if to.URL.String() != c.want || to.Kubelet != c.kubelet || to.Way != c.way {
			t.Errorf("%s leads to %s (kubelet %t, way %d)\n want %s (kubelet %t, way %d)", c.path, to.URL, to.Kubelet, to.Way, c.want, c.kubelet, c.way)
		}
	}
}

func TestWhatKeepsAConnectionFromItsTargetIsSaid(t *testing.T) {
	var to subresources.Target
	w := city(t, notebook{&to})
	for _, c := range []struct {
		what    string
		storage rest.Storage
		key     rest.Key
		query   string
		code    int
		message string
	}{
		{"log of nothing", w.pods.Log, in("none"), "", 404, `pods "none" not found`},
		{"log of another container", w.pods.Log, in("one"), "container=x", 400, "container x is not valid for pod one"},
		{"log of one of two", w.pods.Log, in("two"), "", 400, "a container name must be specified for pod two, choose one of: [a b] or one of the init containers: [i]"},
		{"log on a node that has gone", w.pods.Log, in("lost"), "", 404, `pods "gone" not found`},
		{"log on a node without an address", w.pods.Log, in("far"), "", 500, "no preferred addresses found; known addresses: [{ExternalIP 192.0.2.8}]"},
		{"less than no lines", w.pods.Log, in("none"), "tailLines=-1", 422, `PodLogOptions "none" is invalid: tailLines: Invalid value: -1: must be greater than or equal to 0`},
		{"many lines", w.pods.Log, in("one"), "tailLines=many", 400, `strconv.ParseInt: parsing "many": invalid syntax`},
		{"two beginnings", w.pods.Log, in("one"), "sinceSeconds=5&sinceTime=2020-01-01T00:00:00Z", 422, "PodLogOptions \"one\" is invalid: []: Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified"},
		{"exec on no node", w.pods.Exec, in("idle"), "", 400, "pod idle does not have a host assigned"},
		{"exec in another container", w.pods.Exec, in("idle"), "container=x", 400, "container x is not valid for pod idle"},
		{"portforward to no node", w.pods.PortForward, in("idle"), "", 400, "pod idle does not have a host assigned"},
		{"portforward to nothing", w.pods.PortForward, in("none"), "", 404, `pods "none" not found`},
		{"a pod without an address", w.pods.Proxy, in("idle"), "", 400, "address not allowed"},
		{"a pod that says it is this machine", w.pods.Proxy, in("two"), "", 400, "address not allowed"},
		{"a name with too many parts", w.pods.Proxy, in("a:b:c:d"), "", 400, `invalid pod request "a:b:c:d"`},
		{"an unknown scheme", w.serviceProxy, in("ftp:s:80"), "", 400, `invalid service request "ftp:s:80"`},
		{"no service", w.serviceProxy, in("none"), "", 503, `no endpoints available for service "none"`},
		{"no service, by number", w.serviceProxy, in("none:80"), "", 404, `services "none" not found`},
		{"no port of that number", w.serviceProxy, in("s:99"), "", 503, `no service port 99 found for service "s"`},
		{"no port of that name", w.serviceProxy, in("s:x"), "", 503, `no endpoints available for service "s"`},
		{"nobody behind a port", w.serviceProxy, in("s:81"), "", 503, `no endpoints available for service "s"`},
		{"addresses of others", w.serviceProxy, in("liar"), "", 503, `no endpoints available for service "liar"`},
		{"no node", w.nodeProxy, rest.Key{Name: "gone"}, "", 404, `nodes "gone" not found`},
	} {
		_, err := connectTo(t, c.storage, c.key, c.query, "")
		wants(t, c.what, err, c.code, c.message)
	}
}

func TestWithoutATransportAConnectionSaysWhatBringsIt(t *testing.T) {
	w := city(t, nil)
	_, err := connectTo(t, w.pods.Exec, in("one"), "", "")
	wants(t, "exec", err, 501, "connections to 192.0.2.7:10250 are not made yet: stage 5 brings them")
	if code, err := connectTo(t, w.pods.Log, in("idle"), "", ""); code != 204 || err != nil {
		t.Errorf("the log of a pod that is on no node is answered with %d %v; want 204", code, err)
	}
	_, err = connectTo(t, w.pods.Exec, in("lost"), "", "")
	wants(t, "what is wrong besides", err, 404, `pods "gone" not found`)
}

func TestTokensSayWhatBringsThem(t *testing.T) {
	w := newWorld(t, subresources.Options{})
	w.create(t, "serviceaccounts", `{"metadata":{"name":"robot"}}`)
	token := w.table.Token(w.stores["serviceaccounts"], nil, nil)
	wants(t, "a token", post(t, token, in("robot"), body(`{}`)), 501, "tokens of service accounts are not here yet: stage 5 brings them")
	wants(t, "a token of nobody", post(t, token, in("none"), body(`{}`)), 404, `serviceaccounts "none" not found`)
}

func TestComponentStatusesAskTheComponents(t *testing.T) {
	probe := func(message string, err error) func(context.Context) (string, error) {
		return func(context.Context) (string, error) { return message, err }
	}
	w := newWorld(t, subresources.Options{Components: []subresources.Component{
		{Name: "well", Probe: probe("ok", nil)}, {Name: "ill", Probe: probe("", errors.New("no answer"))},
	}})
	components := w.table.ComponentStatuses().(interface {
		rest.Lister
		rest.Getter
	})
	list, err := components.List(t.Context(), "", rest.ListOptions{})
	if err != nil || len(list.Items) != 2 {
		t.Fatalf("got %d components, %v; want 2", len(list.Items), err)
	}
	for i, want := range []string{`"message":"ok","status":"True"`, `"message":"no answer","status":"False"`} {
		if got := string(list.Items[i].JSON()); !strings.Contains(got, want) {
			t.Errorf("a component is shown as %s; want %s in it", got, want)
		}
	}
	list, err = components.List(t.Context(), "", rest.ListOptions{Selector: rest.Selector{Matches: func(e *object.Encoded) bool { return strings.Contains(string(e.JSON()), "ill") }}})
	if err != nil || len(list.Items) != 1 {
		t.Errorf("a selector that fits one of two gets %d, %v", len(list.Items), err)
	}
	if _, err := components.Get(t.Context(), rest.Key{Name: "none"}, rest.GetOptions{}); status.From(err).Message != `componentstatus "none" not found` {
		t.Errorf("a component that does not exist is answered with %v", err)
	}
}

func TestWhoMayOnlyGetIsNotLedIntoAPod(t *testing.T) {
	asked := ""
	w := newWorld(t, subresources.Options{Permit: func(_ context.Context, verb string) error {
		asked += verb + " "
		return status.Forbidden(status.Resource{Name: "pods"}, "p", "no")
	}})
	for _, s := range []rest.Storage{w.pods.Exec, w.pods.Attach, w.pods.PortForward} {
		_, err := connectTo(t, s, in("p"), "", "") // it is not even looked for
		wants(t, "a connection", err, 403, `pods "p" is forbidden: no`)
	}
	_, err := connectTo(t, w.pods.Log, in("p"), "", "")
	wants(t, "a log, which is only read", err, 404, `pods "p" not found`)
	if asked != "create create create " {
		t.Errorf("the user is asked for the verbs %q; want create for each connection, and nothing for the log", asked)
	}
}

func TestWhoDoesNotCareForCertificatesIsTakenAtHisWord(t *testing.T) {
	var to subresources.Target
	w := city(t, notebook{&to})
	for query, want := range map[string]bool{"": false, "insecureSkipTLSVerifyBackend=true": true, "insecureSkipTLSVerifyBackend=false": false} {
		if _, err := connectTo(t, w.pods.Log, in("one"), query, ""); err != nil || to.Unchecked != want {
			t.Errorf("log?%s: unchecked %t, %v; want %t", query, to.Unchecked, err, want)
		}
	}
}
