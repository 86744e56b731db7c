package app_test

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	stage1 "example.com/kube-apiserver/stage1-main/app"
	stage1server "example.com/kube-apiserver/stage1-main/server"
	"example.com/kube-apiserver/stage1-main/startup"
	"example.com/kube-apiserver/stage2-options/options"
	"example.com/kube-apiserver/stage2-options/options/flagtable"
	stage3 "example.com/kube-apiserver/stage3-storage/app"
	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/registry/catalog"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	stage3server "example.com/kube-apiserver/stage3-storage/server"
	"example.com/kube-apiserver/stage4-informers/app"
	"example.com/kube-apiserver/stage4-informers/cache"
	"example.com/kube-apiserver/stage4-informers/client"
	"example.com/kube-apiserver/stage4-informers/informers"
	"github.com/spf13/pflag"
)

func row(name, kind string, namespaced bool) catalog.Resource {
	return catalog.Resource{Version: "v1", Name: name, Kind: kind, Namespaced: namespaced}
}

var (
	namespaces      = row("namespaces", "Namespace", false)
	configMaps      = row("configmaps", "ConfigMap", true)
	pods            = row("pods", "Pod", true)
	controllers     = row("replicationcontrollers", "ReplicationController", true)
	serviceAccounts = row("serviceaccounts", "ServiceAccount", true)
	events          = row("events", "Event", true)
	quotas          = row("resourcequotas", "ResourceQuota", true)
	volumes         = row("persistentvolumes", "PersistentVolume", false)
	watched         = []catalog.Resource{namespaces, configMaps, pods, controllers, serviceAccounts, events, quotas, volumes}
)

// running is a whole server of this stage with its data in a temporary folder.
type running struct {
	*testing.T
	url     string
	config  *app.Config
	master  *app.Master
	client  *client.Client
	factory *informers.SharedInformerFactory // the server's
	mirror  *informers.SharedInformerFactory // the test's, of the watched resources
	news    chan struct{}                    // something has changed in one of them

	addBoats, removeBoats func() // make the kind of boats known, and unknown again
}

// start runs the server until the test ends, and checks that it stops in order.
func start(t *testing.T, args ...string) *running {
	t.Helper()
	return startWith(t, startup.New(io.Discard), args...)
}

func startWith(t *testing.T, screen *startup.Log, args ...string) *running {
	t.Helper()
	s := options.NewServerRunOptions()
	s.Startup = screen
	fs := pflag.NewFlagSet("stage4", pflag.ContinueOnError)
	s.AddFlags(fs)
	flagtable.AddFlags(s, fs)
	args = append([]string{
		"--insecure-port=" + strconv.Itoa(freePort(t)), "--bbolt-file=" + filepath.Join(t.TempDir(), "state.db"),
	}, args...)
	if !slices.ContainsFunc(args, func(arg string) bool { return strings.HasPrefix(arg, "--admission-control=") }) {
		args = append(args, "--admission-control=NamespaceLifecycle")
	}
	if err := fs.Parse(args); err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{}
	loopback := &client.Client{HTTP: &http.Client{Transport: transport}}
	config, factory, insecure, err := app.CreateKubeAPIServerConfig(s, nil, &http.Transport{}, loopback)
	if err != nil {
		t.Fatal(err)
	}
	master, err := app.CreateKubeAPIServer(config, nil, factory)
	if err != nil {
		t.Fatal(err)
	}
	r := &running{T: t, config: config, master: master, factory: factory, news: make(chan struct{}, 1)}
	r.hideBoats()
	url, err := stage1.ServeInsecurely(insecure, master.GenericAPIServer.GenericAPIServer.GenericAPIServer, config.Trace.Chain(stage3.Chain))
	if err != nil {
		t.Fatal(err)
	}
	up := make(chan struct{})
	master.GenericAPIServer.On(stage1server.Listening, "tell the test", func(context.Context) error { close(up); return nil })
	stopCh, result := make(chan struct{}), make(chan error, 1)
	go func() { result <- master.GenericAPIServer.PrepareRun().Run(stopCh) }()
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		close(stopCh)
		if err := <-result; err != nil {
			t.Errorf("the server did not stop in order: %v", err)
		}
	})
	<-up
	r.url, r.client = url, &client.Client{Base: url, HTTP: loopback.HTTP}
	r.listen()
	r.until("the server is healthy", func() bool { code, _ := r.get("/readyz"); return code == http.StatusOK })
	return r
}

// listen follows the watched resources, so that until knows when to look.
func (r *running) listen() {
	r.mirror = informers.NewSharedInformerFactory(func(row catalog.Resource) cache.ListerWatcher { return r.client.ListerWatcher(row, "") }, 0)
	ring := func() {
		select {
		case r.news <- struct{}{}:
		default: // it has not been heard yet
		}
	}
	for _, row := range watched {
		r.mirror.ForResource(row).AddEventHandler(cache.ResourceEventHandlerFuncs{
			AddFunc: func(any) { ring() }, UpdateFunc: func(_, _ any) { ring() }, DeleteFunc: func(any) { ring() },
		})
	}
	stop := make(chan struct{})
	r.mirror.Start(stop)
	r.mirror.WaitForCacheSync(stop)
	r.Cleanup(func() { close(stop); r.mirror.Shutdown() })
}

// until waits for what the controllers are expected to bring about: it looks
// after everything that changes.
func (r *running) until(claim string, is func() bool) {
	r.Helper()
	patience := time.NewTimer(5 * time.Minute) // far more than it takes, on a busy machine too: so that a failure says what is missing
	defer patience.Stop()
	again := time.NewTicker(100 * time.Millisecond) // for what makes no news
	defer again.Stop()
	for !is() {
		select {
		case <-r.news:
		case <-again.C:
		case <-patience.C:
			r.Fatalf("after five minutes it is still not so that %s", claim)
		}
	}
}

func (r *running) get(path string) (code int, body string) {
	r.Helper()
	resp, err := r.client.HTTP.Get(r.url + path)
	if err != nil {
		r.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		r.Fatal(err)
	}
	return resp.StatusCode, string(data)
}

// make creates an object from JSON without kind and apiVersion.
func (r *running) make(in catalog.Resource, namespace, body string) *object.Object {
	r.Helper()
	tree, err := object.Parse([]byte(body))
	if err != nil {
		r.Fatal(err)
	}
	obj, err := object.FromTree(tree)
	if err != nil {
		r.Fatal(err)
	}
	obj.APIVersion, obj.Kind = in.APIVersion(), in.Kind
	made, err := r.client.Create(r.Context(), in, namespace, obj)
	if err != nil {
		r.Fatalf("create %s %s: %v", in.Name, body, err)
	}
	return r.decode(made)
}

func (r *running) decode(e *object.Encoded) *object.Object {
	r.Helper()
	obj, err := e.Object()
	if err != nil {
		r.Fatal(err)
	}
	return obj
}

// find returns an object, or nil.
func (r *running) find(in catalog.Resource, namespace, name string) *object.Object {
	r.Helper()
	e, err := r.client.Get(r.Context(), in, namespace, name)
	if err != nil {
		return nil
	}
	return r.decode(e)
}

func (r *running) list(in catalog.Resource, namespace string) (list []*object.Object) {
	r.Helper()
	items, err := r.client.List(r.Context(), in, namespace)
	if err != nil {
		r.Fatal(err)
	}
	for _, e := range items {
		list = append(list, r.decode(e))
	}
	return list
}

func (r *running) patch(in catalog.Resource, namespace, name, sub string, change map[string]any) {
	r.Helper()
	if _, err := r.client.Patch(r.Context(), in, namespace, name, sub, change); err != nil {
		r.Fatalf("patch %s %s: %v", in.Name, name, err)
	}
}

func (r *running) remove(in catalog.Resource, namespace, name, policy string) {
	r.Helper()
	if err := r.client.Delete(r.Context(), in, namespace, name, client.DeleteOptions{PropagationPolicy: policy}); err != nil {
		r.Fatalf("delete %s %s: %v", in.Name, name, err)
	}
}

// at is the value at a path of an object's fields, as JSON.
func at(o *object.Object, path ...string) string {
	var v any = o.Fields
	for _, name := range path {
		m, _ := v.(map[string]any)
		v = m[name]
	}
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return strings.Trim(string(text), `"`)
}

// ownedBy is the JSON of a reference to an owner.
func ownedBy(o *object.Object, blocks bool) string {
	return `{"apiVersion":"` + o.APIVersion + `","kind":"` + o.Kind + `","name":"` + o.Meta.Name + `","uid":"` + o.Meta.UID + `","blockOwnerDeletion":` + strconv.FormatBool(blocks) + `}`
}

var boats = catalog.Resource{Group: "harbor.example.com", Version: "v1", Name: "boats", Kind: "Boat", Namespaced: true, StoredUnder: "harbor.example.com/boats"}

// hideBoats installs a kind that the inventory does not show before addBoats
// is called, as if it were added then: routes cannot be added to a running server.
func (r *running) hideBoats() {
	r.Helper()
	store, err := registry.NewStore(registry.Kind{Resource: boats}, r.config.RESTOptionsGetter)
	if err != nil {
		r.Fatal(err)
	}
	err = r.master.GenericAPIServer.InstallAPIGroup(&stage3server.APIGroupInfo{Group: boats.Group, PrioritizedVersions: []string{boats.Version},
		VersionedResourcesStorageMap: map[string]map[string]rest.Storage{boats.Version: {boats.Name: store}}})
	if err != nil {
		r.Fatal(err)
	}
	groups := r.config.Installed.List()
	group := groups[len(groups)-1]
	r.config.Installed.Remove(group)
	r.addBoats = func() { r.config.Installed.Add(group) }
	r.removeBoats = func() { r.config.Installed.Remove(group) }
}

// freePort finds a port for --insecure-port, where 0 means none.
func freePort(t *testing.T) int {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	return ln.Addr().(*net.TCPAddr).Port
}
