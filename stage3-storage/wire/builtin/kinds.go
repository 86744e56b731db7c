package builtin

import (
	"reflect"
	"sync"

	apidiscovery "k8s.io/api/apidiscovery/v2"
	authentication "k8s.io/api/authentication/v1"
	autoscaling "k8s.io/api/autoscaling/v1"
	core "k8s.io/api/core/v1"
	policy "k8s.io/api/policy/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/kube-apiserver/stage3-storage/wire/schema"
)

// Message is a Go type of k8s.io/api that is a kind.
type Message interface {
	runtime.Object
	Reset()
	Marshal() ([]byte, error)
	Unmarshal([]byte) error
}

// Group is a row of the table of kinds: the types of one group version. A
// kind is called like its type.
type Group struct {
	APIVersion string // "" is every group version
	Kinds      []Message
	Tags       map[string]Tags // what the sources say about the types and those within them
}

// ownGroups are the kinds that a server with nothing but the core group needs.
var ownGroups = []Group{
	{"v1", []Message{
		&core.Binding{}, &core.ComponentStatus{}, &core.ComponentStatusList{}, &core.ConfigMap{}, &core.ConfigMapList{},
		//lint:ignore SA1019 deprecated, and served as long as clients ask for it
		&core.Endpoints{}, &core.EndpointsList{}, &core.Event{}, &core.EventList{}, &core.LimitRange{}, &core.LimitRangeList{},
		&core.Namespace{}, &core.NamespaceList{}, &core.Node{}, &core.NodeList{},
		&core.PersistentVolume{}, &core.PersistentVolumeList{}, &core.PersistentVolumeClaim{}, &core.PersistentVolumeClaimList{},
		&core.Pod{}, &core.PodList{}, &core.PodTemplate{}, &core.PodTemplateList{},
		&core.ReplicationController{}, &core.ReplicationControllerList{}, &core.ResourceQuota{}, &core.ResourceQuotaList{},
		&core.Secret{}, &core.SecretList{}, &core.Service{}, &core.ServiceList{}, &core.ServiceAccount{}, &core.ServiceAccountList{},
		&meta.Status{},
	}, tags},
	{"policy/v1", []Message{&policy.Eviction{}}, tags},
	{"autoscaling/v1", []Message{&autoscaling.Scale{}}, tags},
	{"authentication.k8s.io/v1", []Message{&authentication.TokenRequest{}}, tags},
	{"apidiscovery.k8s.io/v2", []Message{&apidiscovery.APIGroupDiscoveryList{}}, nil},
	{"meta.k8s.io/v1", []Message{&meta.PartialObjectMetadata{}, &meta.PartialObjectMetadataList{}}, tags},
	{"", []Message{&meta.DeleteOptions{}, &meta.APIVersions{}, &meta.APIGroupList{}, &meta.APIGroup{}, &meta.APIResourceList{}}, tags},
}

// Kinds is a table of kinds. Its methods may be called concurrently.
//
// Upstream: staging/src/k8s.io/apimachinery/pkg/runtime/scheme.go Scheme
type Kinds struct {
	types map[typeMeta]reflect.Type

	mu    sync.Mutex // guards the builder
	build builder
}

type typeMeta struct{ apiVersion, kind string }

// New returns a table of the package's own kinds and of those of more groups.
func New(more ...Group) *Kinds {
	k := &Kinds{types: map[typeMeta]reflect.Type{}, build: newBuilder()}
	for _, g := range append(ownGroups[:len(ownGroups):len(ownGroups)], more...) {
		for _, m := range g.Kinds {
			t := reflect.TypeOf(m).Elem()
			k.types[typeMeta{g.APIVersion, t.Name()}] = t
		}
		k.build.addTags(g.Tags)
	}
	return k
}

// Kind returns the schema of a kind, which is made at the first call.
func (k *Kinds) Kind(apiVersion, kind string) (*schema.Schema, bool) {
	t, ok := k.typeOf(apiVersion, kind)
	if !ok {
		return nil, false
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.build.node(t), true
}

func (k *Kinds) typeOf(apiVersion, kind string) (reflect.Type, bool) {
	if t, ok := k.types[typeMeta{apiVersion, kind}]; ok {
		return t, true
	}
	t, ok := k.types[typeMeta{"", kind}]
	return t, ok
}

// own is made when it is first needed and never changes.
var own = sync.OnceValue(func() *Kinds { return New() })

// Own returns the table of the package's own kinds.
func Own() *Kinds { return own() }

// Kind returns the schema of one of the package's own kinds.
func Kind(apiVersion, kind string) (*schema.Schema, bool) { return own().Kind(apiVersion, kind) }

// DecodeProtobuf is the method of that name for the package's own kinds.
func DecodeProtobuf(body []byte) (json []byte, apiVersion, kind string, err error) {
	return own().DecodeProtobuf(body)
}

// EncodeProtobuf is the method of that name for the package's own kinds.
func EncodeProtobuf(apiVersion, kind string, json []byte) ([]byte, error) {
	return own().EncodeProtobuf(apiVersion, kind, json)
}
