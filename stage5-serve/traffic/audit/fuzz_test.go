package audit

import (
	"testing"

	"example.com/kube-apiserver/stage3-storage/registry/request"
)

func FuzzResourcePattern(f *testing.F) {
	for _, s := range []string{"pods", "pods/log", "pods/*", "*/status", "*", "/", "*/", "/*", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, pattern string) {
		g := GroupResources{Resources: []string{pattern}}
		for _, info := range []request.Info{{Resource: "pods"}, {Resource: "pods", Subresource: "log"}} {
			fits := g.fits(info)
			if pattern == "*" && !fits {
				t.Error("* must fit everything of the group")
			}
			if fits && info.Subresource == "" && pattern != "*" && pattern != "pods" {
				t.Errorf("%q must not fit pods as a whole", pattern)
			}
		}
	})
}
