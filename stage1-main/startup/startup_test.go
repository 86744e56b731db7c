package startup_test

import (
	"fmt"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"example.com/kube-apiserver/stage1-main/startup"
)

func TestAStepNamesParagraphResultAndSource(t *testing.T) {
	var out strings.Builder
	log := startup.New(&out)
	log.Step("A3.1", "Run")("chain of %d", 3)
	want := regexp.MustCompile(`^\[A3\.1\] +Run +chain of 3 +\d+\.\d ms  stage1-main/startup/startup_test\.go\n$`)
	if !want.MatchString(out.String()) {
		t.Errorf("the line of a step must name paragraph, step, result, duration and file; got %q", out.String())
	}
	w := httptest.NewRecorder()
	log.ServeHTTP(w, httptest.NewRequest("GET", "/debug/startup", nil))
	if !strings.Contains(w.Body.String(), `"id":"A3.1","name":"Run","result":"chain of 3"`) {
		t.Errorf("/debug/startup must tell the same steps, got %s", w.Body)
	}
}

func ExampleLog_Step() {
	var screen strings.Builder
	log := startup.New(&screen)
	done := log.Step("A2.2", "NewServerRunOptions")
	done("%d groups", 12) // what came of it; how long it took is measured
	fmt.Println(strings.Fields(screen.String())[:4])
	// Output: [[A2.2] NewServerRunOptions 12 groups]
}
