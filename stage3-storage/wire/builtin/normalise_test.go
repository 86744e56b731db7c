package builtin

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	authentication "k8s.io/api/authentication/v1"
	autoscaling "k8s.io/api/autoscaling/v1"
	core "k8s.io/api/core/v1"
	policy "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/runtime"
	kjson "k8s.io/apimachinery/pkg/runtime/serializer/json"

	"example.com/kube-apiserver/stage3-storage/object"
)

// upstreams is the decoder of a real server. It returns the object as it would
// come back from the store: a real server keeps protobuf.
type upstreams struct{ runtime.Decoder }

func newUpstreams(t testing.TB) upstreams {
	t.Helper()
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{core.AddToScheme, policy.AddToScheme, autoscaling.AddToScheme, authentication.AddToScheme} {
		if err := add(scheme); err != nil {
			t.Fatalf("a scheme of the types of k8s.io/api cannot be made: %v", err)
		}
	}
	return upstreams{kjson.NewSerializerWithOptions(kjson.DefaultMetaFactory, scheme, scheme, kjson.SerializerOptions{Strict: true})}
}

func (u upstreams) decode(body []byte, typ reflect.Type) (stored []byte, unknown []string, err error) {
	obj, _, err := u.Decode(body, nil, nil)
	if strict, ok := runtime.AsStrictDecodingError(err); ok {
		for _, e := range strict.Errors() {
			unknown = append(unknown, e.Error())
		}
		slices.Sort(unknown)
	} else if err != nil {
		return nil, nil, err
	}
	message, err := obj.(Message).Marshal()
	if err != nil {
		return nil, nil, err
	}
	again := reflect.New(typ).Interface().(Message)
	if err := again.Unmarshal(message); err != nil {
		return nil, nil, err
	}
	again.GetObjectKind().SetGroupVersionKind(obj.GetObjectKind().GroupVersionKind())
	stored, err = json.Marshal(again)
	return stored, unknown, err
}

func encode(t testing.TB, v any) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatalf("a tree of JSON values must be encodable: %v", err)
	}
	return data
}

func tree(t testing.TB, data []byte) map[string]any {
	t.Helper()
	m, err := object.Parse(data)
	if err != nil {
		t.Fatalf("this must be a JSON object: %v\n%s", err, data)
	}
	return m
}

// eachKind calls f with every kind that a client writes. Two that are never
// stored are left out, as the way through the store would change them.
func eachKind(t *testing.T, f func(t *testing.T, apiVersion, kind string, typ reflect.Type)) {
	for _, g := range ownGroups {
		for _, m := range g.Kinds {
			typ := reflect.TypeOf(m).Elem()
			kind := typ.Name()
			if g.APIVersion != "" && g.APIVersion != "meta.k8s.io/v1" && kind != "Status" && kind != "Eviction" && kind != "TokenRequest" && !strings.HasSuffix(kind, "List") {
				t.Run(kind, func(t *testing.T) { f(t, g.APIVersion, kind, typ) })
			}
		}
	}
}

func TestANormalisedObjectIsWhatUpstreamWouldStore(t *testing.T) {
	upstream := newUpstreams(t)
	eachKind(t, func(t *testing.T, apiVersion, kind string, typ reflect.Type) {
		s, _ := Kind(apiVersion, kind)
		for seed := range uint64(100) {
			r := &maker{Rand: rand.New(rand.NewPCG(seed, 1))}
			in := r.object(s)
			in["apiVersion"], in["kind"] = apiVersion, kind
			body := encode(t, in)
			want, wantUnknown, err := upstream.decode(body, typ)
			if err != nil {
				t.Fatalf("upstream does not take the test's own object, seed %d: %v\n%s", seed, err, body)
			}
			got := tree(t, body)
			unknown, err := s.Normalise(got)
			if err != nil {
				t.Fatalf("Normalise refuses what upstream takes, seed %d: %v\n%s", seed, err, body)
			}
			if diff := cmp.Diff(tree(t, want), got); diff != "" {
				t.Fatalf("the object is not as upstream would store it, seed %d (-upstream +ours):\n%s\n%s", seed, diff, body)
			}
			if diff := cmp.Diff(wantUnknown, unknown); diff != "" {
				t.Fatalf("the warnings are not upstream's, seed %d (-upstream +ours):\n%s\n%s", seed, diff, body)
			}
			if _, err := s.Normalise(got); err != nil || string(encode(t, got)) != string(encode(t, tree(t, want))) {
				t.Fatalf("normalising twice is not the same as once, seed %d, error %v\n%s", seed, err, body)
			}
		}
	})
}

func TestAWrongTypeIsToldInUpstreamsWords(t *testing.T) {
	upstream := newUpstreams(t)
	refused := 0
	eachKind(t, func(t *testing.T, apiVersion, kind string, typ reflect.Type) {
		s, _ := Kind(apiVersion, kind)
		for seed := range uint64(100) {
			r := &maker{Rand: rand.New(rand.NewPCG(seed, 2)), wrong: true}
			in := r.object(s)
			in["apiVersion"], in["kind"] = apiVersion, kind
			body := encode(t, in)
			_, _, want := upstream.decode(body, typ)
			_, err := s.Normalise(tree(t, body))
			switch {
			case (want == nil) != (err == nil):
				t.Fatalf("upstream says %v, Normalise says %v, seed %d:\n%s", want, err, seed, body)
			case err != nil && err.Error() != want.Error():
				t.Fatalf("the words differ, seed %d\nupstream: %v\nours:     %v\n%s", seed, want, err, body)
			case err != nil:
				refused++
			}
		}
	})
	if refused < 100 {
		t.Errorf("only %d objects were refused: the test has not seen enough wrong values", refused)
	}
}

func TestDefaultedObjectsOfUpstreamStayAsTheyAre(t *testing.T) {
	for _, body := range samples {
		in := tree(t, []byte(body))
		s, ok := Kind(in["apiVersion"].(string), in["kind"].(string))
		if !ok {
			t.Fatalf("the kind of this sample is not known: %s", body)
		}
		if unknown, err := s.Normalise(in); err != nil || len(unknown) > 0 {
			t.Errorf("a good object is complained about: %v %v\n%s", unknown, err, body)
		}
		if diff := cmp.Diff(tree(t, []byte(body)), in); diff != "" {
			t.Errorf("an object that is in its stored form is changed (-stored +normalised):\n%s", diff)
		}
	}
}

// samples are objects as a real server answers them.
var samples = []string{
	`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"},"data":{"a":""}}`,
	`{"apiVersion":"v1","kind":"Event","metadata":{},"involvedObject":{},"source":{},"firstTimestamp":null,"lastTimestamp":null,"eventTime":null,"reportingComponent":"","reportingInstance":""}`,
	`{"apiVersion":"v1","kind":"Pod","metadata":{},"spec":{"containers":[{"name":"a","resources":{"limits":{"cpu":"100m"}}}],"priority":0,"enableServiceLinks":false,"securityContext":{}},"status":{}}`,
	`{"apiVersion":"v1","kind":"Service","metadata":{},"spec":{"ports":[{"port":80,"targetPort":0}]},"status":{"loadBalancer":{}}}`,
}

func TestKeysMatchExactly(t *testing.T) {
	s, _ := Kind("v1", "ConfigMap")
	in := tree(t, []byte(`{"Metadata":{"name":"x"},"metadata":{"name":"c"},"DATA":{"a":"b"}}`))
	unknown, err := s.Normalise(in)
	if err != nil {
		t.Fatalf("unknown fields are no error: %v", err)
	}
	if want := []string{`unknown field "DATA"`, `unknown field "Metadata"`}; !slices.Equal(unknown, want) {
		t.Errorf("a key in another case is an unknown field: want %q, got %q", want, unknown)
	}
}

func TestAQuantityCannotKeepTheServerBusy(t *testing.T) {
	for _, text := range []string{"1E-99999999", "1111111111111111111111e9999999", "1e2147483648", strings.Repeat("1", 1000000)} {
		if _, err := canonicalQuantity(text); err == nil {
			t.Errorf("%.40s, whose digits upstream's type would write out, must be refused", text)
		}
	}
	for _, text := range []string{"1e-0003", "1E", "2Ei", "1.5e+3"} {
		if _, err := canonicalQuantity(text); err != nil {
			t.Errorf("%s is a good quantity, but: %v", text, err)
		}
	}
}

func FuzzNormalise(f *testing.F) {
	for _, s := range samples {
		f.Add([]byte(s))
	}
	f.Add([]byte(`{"spec":{"containers":[null,{"ports":[{"containerPort":1.5}]}],"tolerations":{}},"metadata":{"labels":{"":null}}}`))
	s, _ := Kind("v1", "Pod")
	f.Fuzz(func(t *testing.T, body []byte) {
		in, err := object.Parse(body)
		if err != nil {
			return
		}
		if _, err := s.Normalise(in); err != nil {
			return
		}
		once := encode(t, in)
		if unknown, err := s.Normalise(in); err != nil || len(unknown) > 0 {
			t.Fatalf("a normalised object is complained about: %v %v\n%s", unknown, err, once)
		}
		if twice := encode(t, in); string(twice) != string(once) {
			t.Fatalf("normalising again changes the object:\n%s\n%s", once, twice)
		}
	})
}

func BenchmarkNormalise(b *testing.B) {
	s, _ := Kind("v1", "Pod")
	in := tree(b, []byte(samples[2]))
	for b.Loop() {
		if _, err := s.Normalise(in); err != nil {
			b.Fatal(err)
		}
	}
}
