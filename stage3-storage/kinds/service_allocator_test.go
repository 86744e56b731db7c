package kinds_test

import (
	"fmt"
	"net"
	"sync"
	"testing"

	"example.com/kube-apiserver/stage3-storage/kinds"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"github.com/google/go-cmp/cmp"
)

func ipOf(o *object.Object) string { return part(o, "spec", "clusterIP").(string) }

func TestAnAddressOfATrialIsFreeAgain(t *testing.T) {
	options := newOptions()
	options.Services = kinds.NewAllocator(net.IPNet{IP: net.IPv4(10, 0, 0, 0).To4(), Mask: net.CIDRMask(30, 32)}, 30000, 2)
	k := kind(t, kinds.Core(options), "Service")
	const spec = `"type":"NodePort","ports":[{"port":80}]`
	for range 20 { // there are two addresses and two ports
		if _, err := create(t, k, service("trial", spec)); err != nil {
			t.Fatalf("a dry run or a refused service has kept its address: %v", err)
		}
	}
	for range 20 {
		o, err := create(t, k, service("failing", spec))
		if err != nil {
			t.Fatalf("a failed commit has kept its address: %v", err)
		}
		if err := commit(t, k, o, nil, false); err != nil {
			t.Fatalf("a failed commit has kept its address: %v", err)
		}
	}
	store(t, k, service("a", spec))
	store(t, k, service("b", spec))
	if _, err := create(t, k, service("c", spec)); err == nil {
		t.Error("the range is full and a third service is created")
	}
}

func TestAnAddressIsNeverGivenTwice(t *testing.T) {
	k := kind(t, kinds.Core(newOptions()), "Service")
	var mu sync.Mutex
	owners := map[string]string{}
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			for i := range 25 {
				name := fmt.Sprintf("s%d-%d", w, i)
				o, err := create(t, k, service(name, `"ports":[{"port":80}]`))
				if err != nil {
					t.Errorf("the service %s gets no address although there are enough: %v", name, err)
					return
				}
				if commit(t, k, o, nil, true) != nil {
					continue // somebody else was faster
				}
				mu.Lock()
				if other := owners[ipOf(o)]; other != "" {
					t.Errorf("%s and %s both have the address %s", name, other, ipOf(o))
				}
				owners[ipOf(o)] = name
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if len(owners) < 190 {
		t.Errorf("only %d of 200 services were created", len(owners))
	}
}

func TestATakenAddressIsRefused(t *testing.T) {
	k := kind(t, kinds.Core(newOptions()), "Service")
	a := store(t, k, service("a", `"type":"NodePort","ports":[{"port":80}]`))
	port := part(a, "spec", "ports").([]any)[0].(map[string]any)["nodePort"]
	for _, spec := range []string{
		`"clusterIP":"` + ipOf(a) + `","ports":[{"port":80}]`,
		fmt.Sprintf(`"type":"NodePort","ports":[{"port":80,"nodePort":%v}]`, port),
	} {
		if _, err := create(t, k, service("b", spec)); !status.Is(err, "Invalid") {
			t.Errorf("what %s asks for is taken, got %v", spec, err)
		}
	}
	// Two may ask for the same free address at the same time: the second commit fails.
	x, err1 := create(t, k, service("x", `"clusterIP":"10.0.0.9","ports":[{"port":80}]`))
	y, err2 := create(t, k, service("y", `"clusterIP":"10.0.0.9","ports":[{"port":80}]`))
	if err1 != nil || err2 != nil {
		t.Fatalf("a free address is refused: %v, %v", err1, err2)
	}
	if err := commit(t, k, x, nil, true); err != nil {
		t.Errorf("the first of two fails: %v", err)
	}
	if err := commit(t, k, y, nil, true); !status.Is(err, "Conflict") {
		t.Errorf("the second of two gets the address of the first: %v", err)
	}
}

func TestWhatAServiceGivesUpIsFree(t *testing.T) {
	k := kind(t, kinds.Core(newOptions()), "Service")
	take := service("b", `"clusterIP":"10.0.0.7","ports":[{"port":80}]`)
	a := store(t, k, service("a", `"clusterIP":"10.0.0.7","ports":[{"port":80}]`))
	o, err := update(t, k, service("a", `"type":"ExternalName","externalName":"x.example"`), a)
	if err != nil {
		t.Fatal(err)
	}
	if err := commit(t, k, o, a, false); err != nil {
		t.Fatal(err)
	}
	if _, err := create(t, k, take); err == nil {
		t.Error("the update has failed and its address is free")
	}
	if err := commit(t, k, o, a, true); err != nil {
		t.Fatal(err)
	}
	b := store(t, k, take)
	if err := commit(t, k, nil, b, true); err != nil {
		t.Fatal(err)
	}
	c := store(t, k, take) // the deleted service's address
	c.Meta.Finalizers = []string{"example.com/hold"}
	c.Meta.DeletionTimestamp = object.Now()
	gone := c.DeepCopy()
	gone.Meta.Finalizers = nil
	if err := commit(t, k, gone, c, true); err != nil {
		t.Fatal(err)
	}
	store(t, k, take) // that of one whose last finalizer went
}

func TestAnUpdateKeepsWhatWasGiven(t *testing.T) {
	k := kind(t, kinds.Core(newOptions()), "Service")
	old := store(t, k, service("a", `"type":"NodePort","ports":[{"name":"a","port":80},{"name":"b","port":81}]`))
	o, err := update(t, k, service("a", `"type":"NodePort","ports":[{"name":"b","port":91},{"name":"a","port":90}]`), old)
	if err != nil {
		t.Fatal(err)
	}
	ports := func(o *object.Object) map[any]any {
		m := map[any]any{}
		for _, p := range part(o, "spec", "ports").([]any) {
			m[p.(map[string]any)["name"]] = p.(map[string]any)["nodePort"]
		}
		return m
	}
	if ipOf(o) != ipOf(old) {
		t.Errorf("the address was left out and has changed from %s to %s", ipOf(old), ipOf(o))
	}
	if diff := cmp.Diff(ports(old), ports(o)); diff != "" {
		t.Errorf("ports are known by their names and keep the ports of the nodes (-before +after):\n%s", diff)
	}
}

func TestTheTypeOfAServiceChanges(t *testing.T) {
	k := kind(t, kinds.Core(newOptions()), "Service")
	now := store(t, k, service("s", `"type":"NodePort","ports":[{"port":80}]`))
	ip := ipOf(now)
	for _, step := range []struct{ spec, want string }{
		{`"type":"ClusterIP","ports":[{"port":80}]`, `{"clusterIP":"IP","clusterIPs":["IP"],"internalTrafficPolicy":"Cluster","ipFamilies":["IPv4"],"ipFamilyPolicy":"SingleStack","sessionAffinity":"None","type":"ClusterIP","ports":[{"port":80,"targetPort":80,"protocol":"TCP"}]}`},
		{`"type":"ExternalName","externalName":"x.example","clusterIP":"` + ip + `","clusterIPs":["` + ip + `"],"ipFamilies":["IPv4"],"ipFamilyPolicy":"SingleStack"`, `{"externalName":"x.example","sessionAffinity":"None","type":"ExternalName"}`},
		{`"ports":[{"port":80}]`, `{"clusterIP":"IP","clusterIPs":["IP"],"internalTrafficPolicy":"Cluster","ipFamilies":["IPv4"],"ipFamilyPolicy":"SingleStack","sessionAffinity":"None","type":"ClusterIP","ports":[{"port":80,"targetPort":80,"protocol":"TCP"}]}`},
	} {
		o, err := update(t, k, service("s", step.spec), now)
		if err != nil {
			t.Fatalf("the update to %s is refused: %v", step.spec, err)
		}
		if errs := check(k, o, now); len(errs) > 0 {
			t.Fatalf("the update to %s is refused: %v", step.spec, errs)
		}
		if err := commit(t, k, o, now, true); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tree(t, step.want), masked(o)); diff != "" {
			t.Errorf("after the update to %s (-want +got):\n%s", step.spec, diff)
		}
		now = o
	}
}

func TestAnAddressCannotChange(t *testing.T) {
	k := kind(t, kinds.Core(newOptions()), "Service")
	old := store(t, k, service("s", `"ports":[{"port":80}]`))
	same := `"clusterIPs":["` + ipOf(old) + `"],"ipFamilies":["IPv4"],"ports":[{"port":80}]`
	for _, spec := range []string{
		`"clusterIP":"10.0.0.9","clusterIPs":["10.0.0.9"],"ports":[{"port":80}]`, `"clusterIP":"10.0.0.9",` + same, `"clusterIP":"None",` + same,
	} {
		o, err := update(t, k, service("s", spec), old)
		if err != nil {
			t.Fatalf("the update to %s is refused before it is validated: %v", spec, err)
		}
		if diff := cmp.Diff([]string{"spec.clusterIPs[0] Invalid"}, complaints(check(k, o, old))); diff != "" {
			t.Errorf("the update to %s (-want +got):\n%s", spec, diff)
		}
	}
}

func TestAfterARestartTheAddressesAreKnown(t *testing.T) {
	first := kind(t, kinds.Core(newOptions()), "Service")
	a := store(t, first, service("a", `"type":"NodePort","ports":[{"port":80}]`))
	far := parse(t, first, service("far", `"clusterIP":"192.0.2.1","clusterIPs":["192.0.2.1"]`))

	options := newOptions()
	if err := options.Services.Repair([]*object.Encoded{object.Unstored(a), object.Unstored(far)}); err != nil {
		t.Fatalf("the services cannot be read back: %v", err)
	}
	second := kind(t, kinds.Core(options), "Service")
	if _, err := create(t, second, service("b", `"clusterIP":"`+ipOf(a)+`","ports":[{"port":80}]`)); !status.Is(err, "Invalid") {
		t.Errorf("the address of a stored service is given to another one: %v", err)
	}
	if o, err := update(t, second, service("a", `"type":"NodePort","ports":[{"port":81}]`), a); err != nil || commit(t, second, o, a, true) != nil {
		t.Errorf("a stored service cannot keep its own address: %v", err)
	}
}

func TestServicesOfAnotherFamily(t *testing.T) {
	_, network, err := net.ParseCIDR("2001:db8::/112")
	if err != nil {
		t.Fatal(err)
	}
	options := newOptions()
	options.Services = kinds.NewAllocator(*network, 30000, 100)
	o := store(t, kind(t, kinds.Core(options), "Service"), service("s", `"ports":[{"port":80}]`))
	if ip := net.ParseIP(ipOf(o)); !network.Contains(ip) || part(o, "spec", "ipFamilies").([]any)[0] != "IPv6" {
		t.Errorf("the service has the address %s, want one of %s", ipOf(o), network)
	}
}
