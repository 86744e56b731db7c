package clienttest

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	core "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes/scheme"
	corev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/client-go/tools/record"
	"k8s.io/client-go/util/retry"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	metrics "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

// What kubectl does: find the resource of a kind, then deal with trees.
func TestADynamicClientWorksAsKubectlDoes(t *testing.T) {
	s := start(t)
	ctx := within(t)
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(s.clientset(s.config()).Discovery()))
	mapping, err := mapper.RESTMapping(schema.GroupKind{Kind: "ConfigMap"}, "v1")
	must(t, err)
	anything, err := dynamic.NewForConfig(s.config())
	must(t, err)
	maps := anything.Resource(mapping.Resource).Namespace("default")
	for i := range 7 {
		_, err := maps.Create(ctx, &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": fmt.Sprintf("m%d", i), "labels": map[string]any{"page": "yes"}}, "data": map[string]any{"a": "1", "b": "2"},
		}}, meta.CreateOptions{})
		must(t, err)
	}
	var names []string
	for page := (meta.ListOptions{Limit: 3, LabelSelector: "page=yes"}); ; {
		list, err := maps.List(ctx, page)
		must(t, err)
		for _, item := range list.Items {
			names = append(names, item.GetName())
		}
		if page.Continue = list.GetContinue(); page.Continue == "" {
			break
		}
	}
	if want := []string{"m0", "m1", "m2", "m3", "m4", "m5", "m6"}; !slices.Equal(names, want) {
		t.Errorf("the pages have %q, want %q", names, want)
	}
	for kind, patch := range map[types.PatchType]string{
		types.JSONPatchType:           `[{"op":"test","path":"/data/a","value":"1"},{"op":"remove","path":"/data/b"}]`,
		types.MergePatchType:          `{"data":{"b":null}}`,
		types.StrategicMergePatchType: `{"data":{"b":null}}`,
	} {
		name := map[types.PatchType]string{types.JSONPatchType: "m0", types.MergePatchType: "m1", types.StrategicMergePatchType: "m2"}[kind]
		patched, err := maps.Patch(ctx, name, kind, []byte(patch), meta.PatchOptions{})
		must(t, err)
		if data, _, _ := unstructured.NestedStringMap(patched.Object, "data"); len(data) != 1 || data["a"] != "1" {
			t.Errorf("%s leaves %v, want a=1 alone", kind, data)
		}
	}
	watch, err := maps.Watch(ctx, meta.ListOptions{FieldSelector: "metadata.name=m0"})
	must(t, err)
	defer watch.Stop()
	next(ctx, t, watch.ResultChan()) // the object as it is
	wrong := types.UID("not-this-one")
	if err := maps.Delete(ctx, "m0", meta.DeleteOptions{Preconditions: &meta.Preconditions{UID: &wrong}}); !apierrors.IsConflict(err) {
		t.Errorf("a deletion of another object with this name must be a conflict, got %v", err)
	}
	must(t, maps.Delete(ctx, "m0", meta.DeleteOptions{}))
	if event := next(ctx, t, watch.ResultChan()); event.Type != "DELETED" {
		t.Errorf("a deletion is watched as %s", event.Type)
	}
	if _, err := maps.Get(ctx, "m0", meta.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("a deleted object must not be found, got %v", err)
	}
}

func TestConflictsAreRetriedUntilAllAreCounted(t *testing.T) {
	s := start(t)
	ctx := within(t)
	maps := s.clientset(s.config()).CoreV1().ConfigMaps("default")
	_, err := maps.Create(ctx, &core.ConfigMap{ObjectMeta: meta.ObjectMeta{Name: "counter"}, Data: map[string]string{"n": "0"}}, meta.CreateOptions{})
	must(t, err)
	patiently := retry.DefaultRetry
	patiently.Steps = 100
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() {
			for range 5 {
				err := retry.RetryOnConflict(patiently, func() error {
					counter, err := maps.Get(ctx, "counter", meta.GetOptions{})
					if err != nil {
						return err
					}
					n := 0
					fmt.Sscan(counter.Data["n"], &n)
					counter.Data["n"] = fmt.Sprint(n + 1)
					_, err = maps.Update(ctx, counter, meta.UpdateOptions{})
					return err
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	counter, err := maps.Get(ctx, "counter", meta.GetOptions{})
	must(t, err)
	if counter.Data["n"] != "50" {
		t.Errorf("10 clients counted to 5 each, and the counter is %s", counter.Data["n"])
	}
}

// lock keeps the record of a leader in a config map, as clients did before
// there were leases.
type lock struct {
	maps     corev1.ConfigMapInterface
	identity string
	last     *core.ConfigMap
}

func (l *lock) Get(ctx context.Context) (*resourcelock.LeaderElectionRecord, []byte, error) {
	found, err := l.maps.Get(ctx, "leader", meta.GetOptions{})
	if err != nil {
		return nil, nil, err
	}
	l.last = found
	var held resourcelock.LeaderElectionRecord
	return &held, []byte(found.Data["record"]), json.Unmarshal([]byte(found.Data["record"]), &held)
}

func (l *lock) Create(ctx context.Context, held resourcelock.LeaderElectionRecord) (err error) {
	text, err := json.Marshal(held)
	if err == nil {
		l.last, err = l.maps.Create(ctx, &core.ConfigMap{ObjectMeta: meta.ObjectMeta{Name: "leader"}, Data: map[string]string{"record": string(text)}}, meta.CreateOptions{})
	}
	return err
}

func (l *lock) Update(ctx context.Context, held resourcelock.LeaderElectionRecord) error {
	text, err := json.Marshal(held)
	if err != nil {
		return err
	}
	changed := l.last.DeepCopy()
	changed.Data["record"] = string(text)
	stored, err := l.maps.Update(ctx, changed, meta.UpdateOptions{})
	if err == nil {
		l.last = stored
	}
	return err
}

func (l *lock) RecordEvent(string) {}
func (l *lock) Identity() string   { return l.identity }
func (l *lock) Describe() string   { return "default/leader" }

func TestThereIsOneLeaderAtATime(t *testing.T) {
	s := start(t)
	maps := s.clientset(s.throughProxy()).CoreV1().ConfigMaps("default")
	var leading, most atomic.Int64
	leaders := make(chan string, 10)
	candidate := func(ctx context.Context, name string) {
		var leads atomic.Bool
		leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
			Lock: &lock{maps: maps, identity: name}, ReleaseOnCancel: true,
			LeaseDuration: 6 * time.Second, RenewDeadline: 5 * time.Second, RetryPeriod: 100 * time.Millisecond,
			Callbacks: leaderelection.LeaderCallbacks{
				OnStartedLeading: func(context.Context) {
					leads.Store(true)
					if n := leading.Add(1); n > most.Load() {
						most.Store(n)
					}
					leaders <- name
				},
				OnStoppedLeading: func() { // called for one who never led, too
					if leads.Load() {
						leading.Add(-1)
					}
				},
			},
		})
	}
	ctx := within(t)
	var running sync.WaitGroup
	first, resign := context.WithCancel(ctx)
	running.Go(func() { candidate(first, "first") })
	if name := next(ctx, t, leaders); name != "first" {
		t.Fatalf("the only candidate is first, and %s leads", name)
	}
	second, stop := context.WithCancel(ctx)
	running.Go(func() { candidate(second, "second") })
	s.stop() // the leader has 5 seconds to renew
	s.up()
	s.proxy.cut()
	resign()
	if name := next(ctx, t, leaders); name != "second" {
		t.Fatalf("first has resigned, and %s leads", name)
	}
	stop()
	running.Wait()
	if n := most.Load(); n != 1 {
		t.Errorf("%d candidates led at the same time", n)
	}
}

func TestEventsOfAClientAreCountedUp(t *testing.T) {
	s := start(t)
	ctx := within(t)
	clientset := s.clientset(s.config())
	about, err := clientset.CoreV1().ConfigMaps("default").Create(ctx, &core.ConfigMap{ObjectMeta: meta.ObjectMeta{Name: "about"}}, meta.CreateOptions{})
	must(t, err)
	broadcaster := record.NewBroadcaster(record.WithContext(ctx))
	defer broadcaster.Shutdown()
	broadcaster.StartRecordingToSink(&corev1.EventSinkImpl{Interface: clientset.CoreV1().Events("")})
	recorder := broadcaster.NewRecorder(scheme.Scheme, core.EventSource{Component: "clienttest"})
	watch, err := clientset.CoreV1().Events("default").Watch(ctx, meta.ListOptions{FieldSelector: "involvedObject.name=about"})
	must(t, err)
	defer watch.Stop()
	for range 3 {
		recorder.Event(about, core.EventTypeNormal, "Tested", "again")
	}
	for {
		if event := next(ctx, t, watch.ResultChan()).Object.(*core.Event); event.Count == 3 {
			break
		}
	}
}

// copier is a reconciler: every config map with the label has a secret that it owns.
type copier struct{ client.Client }

func (c copier) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var source core.ConfigMap
	if err := c.Get(ctx, req.NamespacedName, &source); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if source.Labels["copy"] == "" {
		return ctrl.Result{}, nil
	}
	secret := core.Secret{ObjectMeta: meta.ObjectMeta{Namespace: source.Namespace, Name: source.Name}}
	_, err := controllerutil.CreateOrUpdate(ctx, c.Client, &secret, func() error {
		secret.StringData = source.Data
		return controllerutil.SetControllerReference(&source, &secret, c.Scheme())
	})
	return ctrl.Result{}, err
}

func TestAControllerOfControllerRuntimeWorks(t *testing.T) {
	s := start(t)
	ctx := within(t)
	manager, err := ctrl.NewManager(s.throughProxy(), ctrl.Options{Metrics: metrics.Options{BindAddress: "0"}})
	must(t, err)
	must(t, ctrl.NewControllerManagedBy(manager).For(&core.ConfigMap{}).Owns(&core.Secret{}).Complete(copier{manager.GetClient()}))
	managing, stop := context.WithCancel(ctx)
	var running sync.WaitGroup
	running.Go(func() {
		if err := manager.Start(managing); err != nil {
			t.Errorf("the manager ended: %v", err)
		}
	})
	defer running.Wait()
	defer stop()
	clientset := s.clientset(s.config())
	secrets, err := clientset.CoreV1().Secrets("default").Watch(ctx, meta.ListOptions{FieldSelector: "metadata.name=source"})
	must(t, err)
	defer secrets.Stop()
	source := &core.ConfigMap{ObjectMeta: meta.ObjectMeta{Name: "source", Labels: map[string]string{"copy": "yes"}}, Data: map[string]string{"k": "v"}}
	_, err = clientset.CoreV1().ConfigMaps("default").Create(ctx, source, meta.CreateOptions{})
	must(t, err)
	if made := next(ctx, t, secrets.ResultChan()).Object.(*core.Secret); string(made.Data["k"]) != "v" {
		t.Errorf("the copy has %v, want k=v", made.Data)
	}
	s.proxy.cut()
	must(t, clientset.CoreV1().Secrets("default").Delete(ctx, "source", meta.DeleteOptions{}))
	for _, want := range []string{"DELETED", "ADDED"} {
		if event := next(ctx, t, secrets.ResultChan()); string(event.Type) != want {
			t.Errorf("a copy that somebody deletes is made again: got %s, want %s", event.Type, want)
		}
	}
	must(t, clientset.CoreV1().ConfigMaps("default").Delete(ctx, "source", meta.DeleteOptions{}))
	if event := next(ctx, t, secrets.ResultChan()); string(event.Type) != "DELETED" {
		t.Errorf("the copy goes with its owner, by the server's own collector: got %s", event.Type)
	}
}
