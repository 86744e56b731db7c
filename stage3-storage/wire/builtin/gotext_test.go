package builtin_test

import (
	"encoding/json"
	"strings"
	"testing"

	"example.com/kube-apiserver/stage3-storage/wire/builtin"
)

func TestAPartOfAnObjectIsShownAsItsGoStructure(t *testing.T) {
	for name, c := range map[string]struct{ structure, in, want string }{
		"empty fields":       {"NodeSelectorTerm", `{"matchFields":[{"key":"a","operator":"In","values":["b"]}]}`, `{"MatchExpressions":null,"MatchFields":[{"Key":"a","Operator":"In","Values":["b"]}]}`},
		"embedded structs":   {"PersistentVolumeSource", `{"hostPath":{"path":"/a"}}`, `"HostPath":{"Path":"/a","Type":null}`},
		"amounts":            {"PersistentVolumeClaimSpec", `{"resources":{"requests":{"storage":"1Gi"}}}`, `"Resources":{"Limits":null,"Requests":{"storage":"1Gi"}}`},
		"numbers or names":   {"PodSpec", `{"containers":[{"name":"c","livenessProbe":{"tcpSocket":{"port":"http"}}}]}`, `"LivenessProbe":{"Exec":null,"HTTPGet":null,"TCPSocket":{"Port":"http","Host":""}`},
		"what is no such":    {"PodSpec", `{"containers":7}`, `{"containers":7}`},
		"a structure nobody": {"Nobody", `{"a":1}`, `{"a":1}`},
	} {
		var v any
		if err := json.Unmarshal([]byte(c.in), &v); err != nil {
			t.Fatal(err)
		}
		got, err := json.Marshal(builtin.AsGo(c.structure, v))
		if err != nil {
			t.Fatalf("%s: what is shown is no JSON: %v", name, err)
		}
		if !strings.Contains(string(got), c.want) {
			t.Errorf("%s: %s is shown as %s, and should have %s", name, c.structure, got, c.want)
		}
	}
}
