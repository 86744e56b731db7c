package startup_test

import (
	"fmt"
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
	if steps := log.Steps(); len(steps) != 1 || steps[0].ID != "A3.1" || steps[0].Name != "Run" || steps[0].Result != "chain of 3" {
		t.Errorf("the step that was printed must be remembered, got %v", steps)
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
