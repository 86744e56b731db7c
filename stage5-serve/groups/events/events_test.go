package events

import (
	"strings"
	"testing"

	"example.com/kube-apiserver/stage3-storage/object"
	"github.com/google/go-cmp/cmp"
)

func parse(t *testing.T, text string) *object.Object {
	t.Helper()
	tree, err := object.Parse([]byte(text))
	if err != nil {
		t.Fatalf("the test's own JSON does not parse: %v", err)
	}
	o, err := object.FromTree(tree)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestTheWayThereAndBackChangesNothing(t *testing.T) {
	core := parse(t, `{"kind":"Event","apiVersion":"v1","metadata":{"name":"e","namespace":"ns"},"involvedObject":{"kind":"Pod"},"message":"m","reason":"r",
		"source":{"component":"c"},"firstTimestamp":null,"lastTimestamp":"2024-01-01T00:00:00Z","count":3,"type":"Normal","eventTime":null,
		"reportingComponent":"x","reportingInstance":"y","action":"a","series":{"count":2},"related":{"name":"z"}}`)
	ours := fromCore(core)
	for _, n := range names {
		if _, there := ours.Fields[n.core]; there {
			t.Errorf("%s must be called %s in the new group", n.core, n.ours)
		}
	}
	if ours.APIVersion != "events.k8s.io/v1" || ours.Fields["note"] != "m" {
		t.Errorf("the event in our words is not ours: %s", ours.Encode())
	}
	if diff := cmp.Diff(string(core.Encode()), string(toCore(ours).Encode())); diff != "" {
		t.Errorf("the way there and back must change nothing (-want +got):\n%s", diff)
	}
}

func TestNewEventsAreCheckedStrictly(t *testing.T) {
	const good = `"eventTime":"2024-01-01T00:00:00.000000Z","type":"Normal"`
	for fields, want := range map[string]string{
		good:                                 "",
		`"type":"Normal"`:                    "eventTime: Required value",
		`"eventTime":"x"`:                    "type: Invalid value",
		good + `,"count":1`:                  "count: Invalid value: \"\": needs to be unset",
		good + `,"count":0`:                  "",
		good + `,"source":{}`:                "",
		good + `,"source":{"component":"c"}`: "source: Invalid value",
		good + `,"lastTimestamp":"2024-01-01T00:00:00Z"`:      "lastTimestamp: Invalid value",
		good + `,"series":{"count":1,"lastObservedTime":"x"}`: "series.count: Invalid value",
		good + `,"series":{"count":2}`:                        "series.lastObservedTime: Required value",
	} {
		err := check(parse(t, `{"metadata":{"name":"e"},`+fields+`}`))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("{%s}: want %q, got %v", fields, want, err)
		}
	}
}

func TestOfAnEventOnlyTheSeriesMayChange(t *testing.T) {
	live := object.NewEncoded(parse(t, `{"kind":"Event","apiVersion":"v1","metadata":{"name":"e"},"message":"m","reason":"r"}`).Encode(), 7)
	for body, want := range map[string]string{
		`"message":"m","reason":"r"`: "",
		`"message":"m","reason":"r","series":{"count":2,"lastObservedTime":"x"}`: "",
		`"message":"n","reason":"r"`: `message: Invalid value: "n": field is immutable`,
		`"message":"m"`:              "reason: Invalid value",
		`"message":"m","reason":"r","reportingComponent":"x"`: "reportingController: Invalid value",
	} {
		err := checkUpdate(parse(t, `{"kind":"Event","apiVersion":"v1","metadata":{"name":"e"},`+body+`}`), live)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("{%s}: want %q, got %v", body, want, err)
		}
	}
}
