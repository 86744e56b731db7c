package registry_test

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"example.com/kube-apiserver/stage3-storage/object"
	"example.com/kube-apiserver/stage3-storage/object/status"
	"example.com/kube-apiserver/stage3-storage/registry"
	"example.com/kube-apiserver/stage3-storage/registry/rest"
	"example.com/kube-apiserver/stage3-storage/storage"
	"example.com/kube-apiserver/stage3-storage/wire/negotiation"
)

// openGraceful is a store of boats that sink in thirty seconds, unless somebody asks for less.
func openGraceful(t *testing.T) *registry.Store {
	t.Helper()
	kind := boats()
	kind.Strategy.GracePeriod = func(_ *object.Object, asked *int64) int64 {
		if asked != nil {
			return *asked
		}
		return 30
	}
	s, closeFile, err := newStore(filepath.Join(t.TempDir(), "state.db"), kind)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closeFile() })
	return s
}

func sink(t *testing.T, s *registry.Store, grace *int64) (left string, gone bool) {
	t.Helper()
	e, gone, err := s.Delete(t.Context(), ark, rest.DeleteOptions{GracePeriodSeconds: grace})
	m := decoded(t, e, err).Meta
	if m.DeletionTimestamp == "" || m.DeletionGracePeriodSeconds == nil {
		t.Fatalf("what is deleted says so, whether it has gone or not: got %+v", m)
	}
	return fmt.Sprint(*m.DeletionGracePeriodSeconds, " of generation ", m.Generation), gone
}

func TestAGracePeriodIsOnlyShortened(t *testing.T) {
	s := openGraceful(t)
	create(t, s, `{"metadata":{"name":"ark"},"spec":{}}`)
	for _, c := range []struct {
		asked *int64
		want  string
		gone  bool
	}{
		{nil, "30 of generation 2", false},
		{nil, "30 of generation 2", false},
		{new(int64(5)), "5 of generation 2", false},
		{new(int64(60)), "5 of generation 2", false},
		{new(int64(0)), "0 of generation 2", true},
	} {
		if left, gone := sink(t, s, c.asked); left != c.want || gone != c.gone {
			t.Errorf("deletion with %v: left are %s, gone %v; want %s, %v", c.asked, left, gone, c.want, c.gone)
		}
	}
	if _, err := s.Get(t.Context(), ark, rest.GetOptions{}); !status.Is(err, "NotFound") {
		t.Errorf("after its last second the object is not there, got %v", err)
	}
}

func TestWatchersSeeTheMarkBeforeTheEnd(t *testing.T) {
	s := openGraceful(t)
	first := create(t, s, `{"metadata":{"name":"ark"},"spec":{}}`)
	sink(t, s, new(int64(0)))
	from, err := strconv.ParseInt(first.Meta.ResourceVersion, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	events, err := s.Watch(t.Context(), "harbor", rest.WatchOptions{Revision: from})
	if err != nil {
		t.Fatal(err)
	}
	var seen []string
	for ev, err := range events {
		if err != nil {
			t.Fatal(err)
		}
		seen = append(seen, string(ev.Type))
		if ev.Type == storage.Deleted {
			break
		}
	}
	if got := strings.Join(seen, " "); got != "MODIFIED DELETED" {
		t.Errorf("a graceful deletion is seen as MODIFIED DELETED, even without any grace; got %s", got)
	}
}

func TestADeletionMayDependOnWhatTheClientHasSeen(t *testing.T) {
	s := open(t)
	obj := create(t, s, `{"metadata":{"name":"ark"},"spec":{}}`)
	update(t, s, `{"metadata":{"name":"ark"},"spec":{"color":"red"}}`)
	for _, opts := range []rest.DeleteOptions{{UID: "another"}, {ResourceVersion: obj.Meta.ResourceVersion}} {
		if _, _, err := s.Delete(t.Context(), ark, opts); !status.Is(err, "Conflict") {
			t.Errorf("a deletion of what is no more as %+v says is a conflict, got %v", opts, err)
		}
	}
	if _, gone, err := s.Delete(t.Context(), ark, rest.DeleteOptions{UID: obj.Meta.UID}); !gone || err != nil {
		t.Errorf("a deletion of the right object works: gone %v, %v", gone, err)
	}
}

func TestPropagationBecomesAFinalizer(t *testing.T) {
	s := open(t)
	create(t, s, `{"metadata":{"name":"ark"},"spec":{}}`)
	for policy, want := range map[string]string{"Foreground": "[foregroundDeletion]", "Orphan": "[orphan]"} {
		e, gone, err := s.Delete(t.Context(), ark, rest.DeleteOptions{PropagationPolicy: policy, DryRun: true})
		if obj := decoded(t, e, err); gone || fmt.Sprint(obj.Meta.Finalizers) != want || *obj.Meta.DeletionGracePeriodSeconds != 0 {
			t.Errorf("%s: the object stays with the finalizer %s and no grace, got %v, gone %v", policy, want, obj.Meta, gone)
		}
	}
}

func TestAnUpdateNamesWhatItMeans(t *testing.T) {
	s := open(t)
	create(t, s, `{"metadata":{"name":"ark"},"spec":{}}`)
	for text, code := range map[string]int{
		`{"spec":{}}`:                            http.StatusBadRequest,
		`{"metadata":{"name":"raft"},"spec":{}}`: http.StatusBadRequest,
		`{"metadata":{"name":"ark","namespace":"elsewhere"},"spec":{}}`:                    http.StatusBadRequest,
		`{"metadata":{"name":"ark","uid":"another"},"spec":{}}`:                            http.StatusUnprocessableEntity,
		`{"metadata":{"name":"ark","deletionTimestamp":"2001-01-01T00:00:00Z"},"spec":{}}`: http.StatusUnprocessableEntity,
		`{"metadata":{"name":"ark","resourceVersion":"1000"},"spec":{}}`:                   http.StatusConflict,
	} {
		if _, _, err := s.Update(t.Context(), ark, body(text)); err == nil || status.From(err).Code != code {
			t.Errorf("%s: want %d, got %v", text, code, err)
		}
	}
}

// FuzzContinue lets strangers make up tokens: a list shows its own namespace
// and nothing else, and a bad token is the client's fault.
func FuzzContinue(f *testing.F) {
	s, closeFile, err := newStore(filepath.Join(f.TempDir(), "state.db"), boats())
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { closeFile() })
	for _, ns := range []string{"a", "harbor", "z"} {
		if _, err := s.Create(f.Context(), rest.Key{Namespace: ns}, body(`{"metadata":{"name":"ark"},"spec":{}}`)); err != nil {
			f.Fatal(err)
		}
	}
	for _, token := range []string{
		"", "garbage", "!!", "eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6LTEsInN0YXJ0IjoiYVx1MDAwMCJ9",
		"eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MSwic3RhcnQiOiIuLi96LyJ9", "eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6OSwic3RhcnQiOiIvIn0",
	} {
		f.Add(token)
	}
	f.Fuzz(func(t *testing.T, token string) {
		var list rest.List
		from, err := negotiation.DecodeContinue(token)
		if err == nil {
			list, err = s.List(t.Context(), "harbor", rest.ListOptions{Continue: from})
		}
		if err != nil {
			if code := status.From(err).Code; code != 400 && code != 410 && code != 504 {
				t.Errorf("%q: want the client to be told, got %v", token, err)
			}
			return
		}
		for _, item := range list.Items {
			if obj := decoded(t, item, nil); obj.Meta.Namespace != "harbor" {
				t.Errorf("%q makes a list of harbor show an object of %s", token, obj.Meta.Namespace)
			}
		}
	})
}
