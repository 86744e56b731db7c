package events

import (
	"errors"
	"net/url"
	"testing"

	"example.com/kube-apiserver/stage3-storage/object/status"
)

func TestInitialEventsNeedTheirCompanion(t *testing.T) {
	for _, c := range []struct {
		query, match string
		refused      bool
	}{
		{"", "", false},
		{"sendInitialEvents=true", "NotOlderThan", false},
		{"sendInitialEvents=true", "", true},
		{"sendInitialEvents=true", "Exact", true},
		{"", "NotOlderThan", true},
	} {
		q, err := url.ParseQuery(c.query)
		if err != nil {
			t.Fatal(err)
		}
		q.Set("resourceVersionMatch", c.match)
		err = checkInitialEvents(q)
		st, _ := errors.AsType[*status.Status](err)
		if (st != nil) != c.refused || st != nil && st.Code != 422 {
			t.Errorf("a watch with %q and resourceVersionMatch=%q: got %v, want it refused with 422: %v", c.query, c.match, err, c.refused)
		}
	}
}
