package kinds_test

import (
	"context"
	"testing"

	"example.com/kube-apiserver/stage3-storage/kinds"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"github.com/google/go-cmp/cmp"
)

// commit does what the registry does around the commit of a write.
func commit(t testing.TB, k kinds.Kind, o, old *object.Object, succeeds bool) error {
	t.Helper()
	end, err := k.Strategy.Begin(context.Background(), o, old)
	if err != nil {
		return err
	}
	end(succeeds)
	return nil
}

// store creates a service and commits it.
func store(t testing.TB, k kinds.Kind, text string) *object.Object {
	t.Helper()
	o, err := create(t, k, text)
	if err != nil {
		t.Fatalf("the service is refused: %v", err)
	}
	if errs := check(k, o, nil); len(errs) > 0 {
		t.Fatalf("the service is refused: %v", errs)
	}
	if err := commit(t, k, o, nil, true); err != nil {
		t.Fatalf("the service cannot be committed: %v", err)
	}
	return o
}

func service(name, spec string) string {
	return `{"metadata":{"name":"` + name + `"},"spec":{` + spec + `}}`
}

// masked replaces what was allocated, so that the rest can be compared.
func masked(o *object.Object) map[string]any {
	m := fields(o)["spec"].(map[string]any)
	if ip, _ := m["clusterIP"].(string); ip != "" && ip != "None" {
		m["clusterIP"], m["clusterIPs"] = "IP", []any{"IP"}
	}
	if m["healthCheckNodePort"] != nil {
		m["healthCheckNodePort"] = "PORT"
	}
	ports, _ := m["ports"].([]any)
	for _, p := range ports {
		if p := p.(map[string]any); p["nodePort"] != nil {
			p["nodePort"] = "PORT"
		}
	}
	return m
}

func TestAServiceGetsWhatItsTypeNeeds(t *testing.T) {
	const common = `"clusterIP":"IP","clusterIPs":["IP"],"internalTrafficPolicy":"Cluster","ipFamilies":["IPv4"],"ipFamilyPolicy":"SingleStack","sessionAffinity":"None"`
	for name, c := range map[string]struct{ in, want string }{
		"of no type":             {`"ports":[{"port":80}]`, `{` + common + `,"type":"ClusterIP","ports":[{"port":80,"targetPort":80,"protocol":"TCP"}]}`},
		"with affinity":          {`"sessionAffinity":"ClientIP","ports":[{"port":80,"targetPort":"http"}]`, `{"clusterIP":"IP","clusterIPs":["IP"],"internalTrafficPolicy":"Cluster","ipFamilies":["IPv4"],"ipFamilyPolicy":"SingleStack","sessionAffinity":"ClientIP","sessionAffinityConfig":{"clientIP":{"timeoutSeconds":10800}},"type":"ClusterIP","ports":[{"port":80,"targetPort":"http","protocol":"TCP"}]}`},
		"on all nodes":           {`"type":"NodePort","ports":[{"port":80}]`, `{` + common + `,"type":"NodePort","externalTrafficPolicy":"Cluster","ports":[{"port":80,"targetPort":80,"protocol":"TCP","nodePort":"PORT"}]}`},
		"behind a balancer":      {`"type":"LoadBalancer","ports":[{"port":80}]`, `{` + common + `,"type":"LoadBalancer","allocateLoadBalancerNodePorts":true,"externalTrafficPolicy":"Cluster","ports":[{"port":80,"targetPort":80,"protocol":"TCP","nodePort":"PORT"}]}`},
		"behind a local one":     {`"type":"LoadBalancer","externalTrafficPolicy":"Local","allocateLoadBalancerNodePorts":false,"ports":[{"port":80}]`, `{` + common + `,"type":"LoadBalancer","allocateLoadBalancerNodePorts":false,"externalTrafficPolicy":"Local","healthCheckNodePort":"PORT","ports":[{"port":80,"targetPort":80,"protocol":"TCP"}]}`},
		"elsewhere":              {`"type":"ExternalName","externalName":"a.example"`, `{"type":"ExternalName","externalName":"a.example","sessionAffinity":"None"}`},
		"without an address":     {`"clusterIP":"None","selector":{"a":"b"}`, `{"clusterIP":"None","clusterIPs":["None"],"internalTrafficPolicy":"Cluster","ipFamilies":["IPv4"],"ipFamilyPolicy":"SingleStack","sessionAffinity":"None","type":"ClusterIP","selector":{"a":"b"}}`},
		"whose endpoints come":   {`"clusterIP":"None"`, `{"clusterIP":"None","clusterIPs":["None"],"internalTrafficPolicy":"Cluster","ipFamilies":["IPv4","IPv6"],"ipFamilyPolicy":"RequireDualStack","sessionAffinity":"None","type":"ClusterIP"}`},
		"for two protocols":      {`"type":"NodePort","ports":[{"name":"a","port":53},{"name":"b","port":53,"protocol":"UDP"}]`, `{` + common + `,"type":"NodePort","externalTrafficPolicy":"Cluster","ports":[{"name":"a","port":53,"targetPort":53,"protocol":"TCP","nodePort":"PORT"},{"name":"b","port":53,"targetPort":53,"protocol":"UDP","nodePort":"PORT"}]}`},
		"reachable from outside": {`"externalIPs":["192.0.2.1"],"ports":[{"port":80}]`, `{` + common + `,"type":"ClusterIP","externalTrafficPolicy":"Cluster","externalIPs":["192.0.2.1"],"ports":[{"port":80,"targetPort":80,"protocol":"TCP"}]}`},
	} {
		t.Run(name, func(t *testing.T) {
			o := store(t, kind(t, kinds.Core(newOptions()), "Service"), service("s", c.in))
			if diff := cmp.Diff(tree(t, c.want), masked(o)); diff != "" {
				t.Errorf("the service is not what it should be (-want +got):\n%s", diff)
			}
		})
	}
}

func TestWrongServicesAreRefused(t *testing.T) {
	for name, c := range map[string]struct {
		in   string
		want []string
	}{
		"a port":              {`"ports":[{"port":0}]`, []string{"spec.ports[0].port Invalid", "spec.ports[0].targetPort Invalid"}},
		"nameless ports":      {`"ports":[{"port":80},{"port":81}]`, []string{"spec.ports[0].name Required", "spec.ports[1].name Required"}},
		"a name twice":        {`"ports":[{"name":"a","port":80},{"name":"a","port":81}]`, []string{"spec.ports[1].name Duplicate"}},
		"a port twice":        {`"ports":[{"name":"a","port":80},{"name":"b","port":80}]`, []string{"spec.ports[1] Duplicate"}},
		"a protocol":          {`"ports":[{"port":80,"protocol":"HTTP","targetPort":"Not_Valid"}]`, []string{"spec.ports[0].protocol NotSupported", "spec.ports[0].targetPort Invalid"}},
		"no port":             {`"selector":{"a":"b"}`, []string{"spec.ports Required"}},
		"a type":              {`"type":"Magic","ports":[{"port":80}]`, []string{"spec.type NotSupported"}},
		"an affinity":         {`"sessionAffinity":"Cookie","ports":[{"port":80}]`, []string{"spec.sessionAffinity NotSupported"}},
		"a long affinity":     {`"sessionAffinity":"ClientIP","sessionAffinityConfig":{"clientIP":{"timeoutSeconds":100000}},"ports":[{"port":80}]`, []string{"spec.sessionAffinityConfig.clientIP.timeoutSeconds Invalid"}},
		"no name":             {`"type":"ExternalName"`, []string{"spec.externalName Required"}},
		"an address":          {`"type":"ExternalName","externalName":"a","clusterIP":"None"`, []string{"spec.clusterIPs Forbidden"}},
		"a node's port":       {`"ports":[{"port":80,"nodePort":31234}]`, []string{"spec.ports[0].nodePort Forbidden"}},
		"a node's port, off":  {`"type":"NodePort","ports":[{"port":80,"nodePort":100}]`, []string{"spec.ports[0].nodePort Invalid"}},
		"no address":          {`"clusterIP":"not-an-ip","ports":[{"port":80}]`, []string{"spec.clusterIPs[0] Invalid"}},
		"a far address":       {`"clusterIP":"192.0.2.1","ports":[{"port":80}]`, []string{"spec.clusterIPs Invalid"}},
		"another family":      {`"clusterIP":"2001:db8::1","ports":[{"port":80}]`, []string{"spec.clusterIPs[0] Invalid"}},
		"two families":        {`"ipFamilyPolicy":"RequireDualStack","ports":[{"port":80}]`, []string{"spec.ipFamilyPolicy Invalid"}},
		"two addresses":       {`"clusterIP":"10.0.0.5","clusterIPs":["10.0.0.6"],"ports":[{"port":80}]`, []string{"spec.clusterIPs Invalid"}},
		"a headless NodePort": {`"type":"NodePort","clusterIP":"None","ports":[{"port":80}]`, []string{"spec.clusterIPs[0] Invalid"}},
		"a policy":            {`"externalTrafficPolicy":"Local","internalTrafficPolicy":"No","ports":[{"port":80}]`, []string{"spec.externalTrafficPolicy Invalid", "spec.internalTrafficPolicy NotSupported"}},
		"ranges":              {`"loadBalancerSourceRanges":["x"],"ports":[{"port":80}]`, []string{"spec.LoadBalancerSourceRanges Forbidden", "spec.LoadBalancerSourceRanges[0] Invalid"}},
		"an external address": {`"externalIPs":["127.0.0.1","x"],"ports":[{"port":80}]`, []string{"spec.externalIPs[0] Invalid", "spec.externalIPs[1] Invalid"}},
	} {
		t.Run(name, func(t *testing.T) {
			k := kind(t, kinds.Core(newOptions()), "Service")
			o, err := create(t, k, service("s", c.in))
			var got []string
			if s, ok := err.(*status.Status); ok {
				for _, cause := range s.Details.Causes {
					got = append(got, cause.Field+" "+cause.Reason[len("FieldValue"):])
				}
			} else {
				got = complaints(check(k, o, nil))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("the complaints are not what they should be (-want +got):\n%s", diff)
			}
		})
	}
}
