package execs_test

import (
	"strings"
	"testing"

	"example.com/kube-apiserver/stage4-informers/plugins/plugintest"
)

func pod(spec, context string) string {
	return `{"metadata":{"name":"p"},"spec":{` + spec + `"containers":[{"name":"c","image":"i","securityContext":{` + context + `}}]}}`
}

func TestNobodyGetsIntoAPodThatReachesForItsNode(t *testing.T) {
	const pid, secure = "cannot exec into or attach to a container using host pid", "cannot exec into or attach to a privileged container"
	for claim, c := range map[string]struct{ plugin, pod, why string }{
		"the node's processes":                     {"DenyEscalatingExec", pod(`"hostPID":true,`, ``), pid},
		"the other plugin does not look at them":   {"DenyExecOnPrivileged", pod(`"hostPID":true,`, ``), ""},
		"the node's shared memory":                 {"DenyEscalatingExec", pod(`"hostIPC":true,`, ``), "cannot exec into or attach to a container using host ipc"},
		"a privileged container":                   {"DenyExecOnPrivileged", pod(``, `"privileged":true`), secure},
		"a privileged container, the other plugin": {"DenyEscalatingExec", pod(``, `"privileged":true`), secure},
		"any other pod":                            {"DenyEscalatingExec", pod(``, ``), ""},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			s := plugintest.Start(t, "--admission-control="+c.plugin, "--allow-privileged=true")
			s.Create("namespaces/default/pods", c.pod)
			for _, path := range []string{"exec?command=ls&stdout=true", "attach?stdout=true"} {
				want := `pods "p" is forbidden: ` + c.why
				got := s.Do("GET", "namespaces/default/pods/p/"+path, "").Message()
				if refused := strings.Contains(got, "forbidden"); refused != (c.why != "") || refused && got != want {
					t.Errorf("%s is answered %q, want %q or, where nothing follows, another problem", path, got, want)
				}
			}
		})
	}
}
