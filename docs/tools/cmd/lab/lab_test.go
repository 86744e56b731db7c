package main

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"

	"example.com/kube-apiserver/docs/tools/ex"
	"example.com/kube-apiserver/docs/tools/sample"
	"example.com/kube-apiserver/docs/tools/tree"
)

// lab runs one command line and returns its exit code and what it prints.
func lab(t *testing.T, w *tree.Tree, verb string, args ...string) (int, string) {
	t.Helper()
	var out bytes.Buffer
	err := run(append([]string{verb, "-root", w.Root, "-lang=en", "-timeout=5s"}, args...), strings.NewReader(""), &out)
	code := failed(0)
	if err != nil && !errors.As(err, &code) {
		code = nothing
		out.WriteString(err.Error())
	}
	return int(code), out.String()
}

func expect(t *testing.T, w *tree.Tree, code int, says string, verb string, args ...string) {
	t.Helper()
	got, out := lab(t, w, verb, args...)
	if got != code || !strings.Contains(out, says) {
		t.Errorf("lab %s %q: exit code %d, want %d; it should say %q and says\n%s", verb, args, got, code, says, out)
	}
}

const copied = "docs/exercises/work/1.1/stage1-main/store/store.go"

func TestALearnersWayThroughAnExercise(t *testing.T) {
	t.Setenv("WORK", "")
	w := sample.Copy(t)
	stub := "	_ = ErrConflict // the write is refused with it\n"
	expect(t, w, 4, "begin with make exercise E=1.1", "check", "1.1")
	expect(t, w, 0, "edit   "+copied+":35", "exercise", "1.1")
	expect(t, w, 4, "your work is in docs/exercises/work/1.1 already", "exercise", "1.1")
	expect(t, w, 4, "you have not tried yet", "solution", "1.1")
	expect(t, w, 1, "update from an old version: got <nil>, want ErrConflict", "check", "1.1")
	expect(t, w, 0, "Which two numbers", "hint", "1.1")
	expect(t, w, 0, "`cur` is what is stored", "hint", "1.1")

	sample.Edit(t, w, copied, stub, "	if cur.Version < version { return 0, ErrConflict }\n")
	expect(t, w, 1, "A version that is older than the stored one is exactly the stale case.", "check", "1.1")
	sample.Edit(t, w, copied, "	if cur.Version < version { return 0, ErrConflict }\n", "	if cur.Version { }\n")
	expect(t, w, 2, "does not compile\n         store/store.go:35:", "check", "1.1")
	sample.Edit(t, w, copied, "	if cur.Version { }\n", stub)
	expect(t, w, 1, "hint 3 may help", "check", "1.1")

	expect(t, w, 0, "+	if cur.Version != version {", "solution", "1.1")
	sample.Edit(t, w, copied, stub, "	if version != cur.Version { return 0, ErrConflict }\n")
	expect(t, w, 0, "Two clients that read the same version", "check", "1.1")
	expect(t, w, 0, "[#..] 1/3   next: 1.2 Keys in order\n   1.1   Refuse a stale update  done, hints: 2, solution seen", "progress")
	sample.Edit(t, w, copied, "if version != cur.Version", "if false")
	expect(t, w, 0, "changed", "progress")

	expect(t, w, 0, "the old copy is now docs/exercises/work/1.1.bak1", "reset", "1.1")
	expect(t, w, 1, "not yet", "check", "1.1")
}

func TestAnAnswerThatBreaksAnotherClaimIsNotDone(t *testing.T) {
	w := sample.Copy(t)
	expect(t, w, 0, "", "exercise", "1.1")
	sample.Edit(t, w, copied, "	_ = ErrConflict // the write is refused with it\n", "	if version != cur.Version { return 0, ErrConflict }\n")
	sample.Edit(t, w, copied, "	slices.Sort(keys)\n", "	slices.Sort(keys)\n	slices.Reverse(keys)\n")
	expect(t, w, 1, "not yet  1.1 its own tests pass, but now TestKeysAreSorted fails:\n         Keys: got", "check", "1.1")
	expect(t, w, 0, "[...] 0/3   next: 1.1 Refuse a stale update\n   1.1   Refuse a stale update  tried\n", "progress")
	sample.Edit(t, w, copied, "	slices.Reverse(keys)\n", "")
	expect(t, w, 0, "done  1.1", "check", "1.1")
	sample.Edit(t, w, copied, "	slices.Sort(keys)\n", "	slices.Sort(keys)\n	slices.Reverse(keys)\n")
	expect(t, w, 1, "but now TestKeysAreSorted fails", "check", "1.1")
	expect(t, w, 0, "Refuse a stale update  changed", "progress")
}

func TestMakesOwnLastLineIsAnnounced(t *testing.T) {
	w := sample.Copy(t)
	expect(t, w, 0, "", "exercise", "1.1")
	t.Setenv("MAKELEVEL", "1")
	expect(t, w, 1, "the next line is make's, which knows only the exit code: 1", "check", "1.1")
}

func TestTestsInTheCopyAreLaidAnew(t *testing.T) {
	w := sample.Copy(t)
	expect(t, w, 0, "", "exercise", "1.1")
	sample.Edit(t, w, "docs/exercises/work/1.1/stage1-main/store/store_test.go", "t.Errorf", "t.Logf")
	expect(t, w, 1, "not yet", "check", "1.1")
}

func TestAHangIsCalledAHang(t *testing.T) {
	w := sample.Copy(t)
	expect(t, w, 0, "", "exercise", "1.1")
	sample.Edit(t, w, copied, "	_ = ErrConflict // the write is refused with it\n", "	s.mu.Lock()\n")
	expect(t, w, 3, "hangs  TestUpdateConflict\n         store/store", "check", "1.1")
}

func TestASwitchedOffImportIsExplained(t *testing.T) {
	w := sample.Copy(t)
	expect(t, w, 0, "", "exercise", "1.2")
	sample.Edit(t, w, "docs/exercises/work/1.2/stage1-main/store/store.go", "panic(\"step 1.2: not written yet (make hint E=1.2)\")", "return slices.Clone([]string{})")
	expect(t, w, 2, `the import  _ "slices"  is switched off`, "check", "1.2")
}

func TestDebuggingBeginsWithATrap(t *testing.T) {
	w := sample.Copy(t)
	expect(t, w, 0, "there is a bug in it", "exercise", "-kind=debug", "1.1")
	if src, _ := os.ReadFile(w.Abs(copied)); !strings.Contains(string(src), "cur.Version < version") {
		t.Errorf("the copy should hold the trap, but is\n%s", src)
	}
	code, out := lab(t, w, "check", "1.1")
	if code != 1 || strings.Contains(out, "stale case") {
		t.Errorf("the check should fail (exit code %d) and not tell what the bug is:\n%s", code, out)
	}
	expect(t, w, 4, "has no bug to find", "exercise", "-kind=debug", "1.3")
}

func TestDoctorsExitCodeSaysWhetherTheMachineIsReady(t *testing.T) {
	w := sample.Copy(t)
	t.Setenv("PATH", t.TempDir())
	expect(t, w, 1, "NOT READY", "doctor")
}

func TestAWholeStageIsCutAtOnce(t *testing.T) {
	w := sample.Copy(t)
	expect(t, w, 0, "Exercise 1.2", "exercise", "1")
	expect(t, w, 1, "1.2 TestKeysAreSorted", "check", "1")
	s, err := ex.Open(w, "1")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range s.Exercises {
		if err := s.Solve(e); err != nil {
			t.Fatal(err)
		}
	}
	expect(t, w, 0, "done  1.2", "check", "1")
}

func TestAnOpenExercise(t *testing.T) {
	w := sample.Copy(t)
	expect(t, w, 0, "Make the limit 7.", "exercise", "1.3")
	expect(t, w, 1, "Limit: got 0, want the 7", "check", "1.3")
	sample.Edit(t, w, "docs/exercises/work/1.3/stage1-main/store/limit.go", "return 0", "return 7")
	expect(t, w, 0, "done  1.3", "check", "1.3")
}

func TestReadingVerbs(t *testing.T) {
	w := sample.Copy(t)
	expect(t, w, 0, "[A3.1] stage1-main/app/server.go:17  Run\n        listens, serves, waits\n", "path", "1")
	expect(t, w, 0, "    fmt.Println(s.Keys(), v)\n\n  | [a] 2\n", "steps", "1")
	expect(t, w, 4, "has no Examples", "steps", "2")
	expect(t, w, 0, "  + Options.New\n", "diff", "2")
	expect(t, w, 0, "    the second is told: the stored version is another one\n  what 1.7 does The second gets a conflict.", "erratum", "1")
	expect(t, w, 4, "say which erratum", "erratum", "E2")
	expect(t, w, 4, "there is no stage 7", "path", "7")
	expect(t, w, 4, "there is no verb", "sing")
	expect(t, w, 0, "the stored version is another one", "see", "1")
}

func TestAStepThatPrintsSomethingElseIsShown(t *testing.T) {
	w := sample.Copy(t)
	sample.Edit(t, w, "stage1-main/store/example_test.go", "// [a] 2", "// [a] 3")
	expect(t, w, 1, "it prints something else", "steps", "1")
}

func TestChecksAndTheirExitCodes(t *testing.T) {
	w := sample.Copy(t)
	for _, verb := range []string{"comments", "lines", "docs", "docs-check", "i18n-ok", "help"} {
		expect(t, w, 0, "", verb)
	}
	sample.Edit(t, w, "stage1-main/store/doc.go", "Reading: core", "Reading: aloud")
	expect(t, w, 1, "stage1-main/store/doc.go:7: Reading: \"aloud\"; write core or reference\n", "comments")
	expect(t, w, 1, "stage1-main/store/doc.go:7: [reading] ", "docs-check")
	sample.Edit(t, w, "stage1-main/store/doc.go", "in memory", "nowhere")
	expect(t, w, 0, "filled docs/en/1-main.md", "docs")
}
