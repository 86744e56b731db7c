package ex_test

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"

	"example.com/kube-apiserver/docs/tools/ex"
	"example.com/kube-apiserver/docs/tools/sample"
	"example.com/kube-apiserver/docs/tools/tree"
)

func verify(t *testing.T, w *tree.Tree, update bool, ids ...string) []ex.Finding {
	t.Helper()
	var some []*ex.Exercise
	for _, id := range ids {
		e, err := ex.Load(w, id)
		if err != nil {
			t.Fatal(err)
		}
		some = append(some, e)
	}
	var out bytes.Buffer
	v := ex.Verifier{Tree: w, Out: &out, Update: update, Timeout: 5 * time.Second}
	found, err := v.Verify(t.Context(), some)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestTheSampleExercisesPassAllGates(t *testing.T) {
	t.Parallel()
	w := sample.Copy(t)
	for _, f := range verify(t, w, true, "1.1", "1.2", "1.3") {
		t.Error(f)
	}
	recorded, err := os.ReadFile(w.Abs("docs/exercises/now.tsv"))
	if err != nil || !strings.Contains(string(recorded), "1.1\tTestUpdateConflict\tupdate from an old version: got <nil>, want ErrConflict") {
		t.Errorf("now.tsv should hold what the blank's test says, but holds\n%s(%v)", recorded, err)
	}
}

const (
	first  = "docs/exercises/1.1.txtar"
	second = "docs/exercises/1.2.txtar"
	store  = "stage1-main/store/store.go"
	tests  = "stage1-main/store/store_test.go"
)

// Each row breaks the sample in one place; the gate must say so.
var broken = []struct {
	gate, says     string
	file, old, new string
	ids            string
}{
	{"G1", "nothing is declared as Store.Key", second, "#Store.Keys", "#Store.Key", "1.2"},
	{"G1", "marked twice", store, "	if s.items == nil {", "	//step:1.1 twice\n	if s.items == nil {", "1.1"},
	{"G1", "has no section 1.1", "docs/zh/1-main.md", "## 1.1 ", "## ", "1.1"},
	{"G1", "says the task", "docs/en/1-main.md", "Make `Update` refuse a write that is based on an old version.\n", "", "1.1"},
	{"G1", "hint 2 is missing (zh)", first, "-- hint.2.zh.md --", "-- hint.4.zh.md --", "1.1"},
	{"G1", "why.en.md is missing", first, "-- why.en.md --", "-- y.en.md --", "1.1"},
	{"G1", "title.zh is missing", first, "title.zh: 拒绝过期的更新\n", "", "1.1"},
	{"G1", "trap.less-than.zh.md is missing", first, "-- trap.less-than.zh.md --", "-- x.md --", "1.1"},
	{"G2", "TestGone of ./store did not run", first, "TestUpdateConflict\n", "TestUpdateConflict TestGone\n", "1.1"},
	{"G2", "TestSkipped is skipped", first, "TestUpdateConflict\n", "TestUpdateConflict TestSkipped\n", "1.1"},
	{"G2", "TestUpdateConflict fails", tests, "want ErrConflict\", err)\n	}\n}", "want ErrConflict\", err)\n	}\n	t.Error(\"never content\")\n}", "1.1"},
	{"G3", "declared and not used: unused", first, "	_ = ErrConflict // the write is refused with it\n", "	unused := 1\n", "1.1"},
	{"G4", "TestNothing passes although the blank is empty", first, "TestUpdateConflict\n", "TestUpdateConflict TestNothing\n", "1.1"},
	{"G4", "give a stub that returns", first, "	_ = ErrConflict // the write is refused with it\n", "	var p *int\n	*p = 1\n", "1.1"},
	{"G4", "fails without a word", tests, "t.Errorf(\"update", "func(string, ...any) { t.Fail() }(\"update", "1.1"},
	{"G4", "TestHangs hangs with the blank", first, "TestUpdateConflict\n", "TestUpdateConflict TestHangs\n", "1.1"},
	{"G5", "the blank also breaks TestErratumE1", first, "breaks: TestErratumE1 TestHangs\n", "breaks: TestHangs\n", "1.1"},
	{"G6", "passes all of TestUpdateConflict; the test is too weak", tests, `"y", 1)`, `"y", 7)`, "1.1"},
	{"G6", "has a trap at least", first, "trap.less-than", "x.less-than", "1.1"},
	{"G6", "trap less-than does not compile", first, "	if cur.Version < version {", "	if cur.Revision < version {", "1.1"},
	{"G7", "does not give store/store.go again", store, "	if cur.Version != version {\n", "	if cur.Version!=version {\n", "1.1"},
	{"G8", "the solution has 42 lines", store, "	slices.Sort(keys)\n", "	slices.Sort(keys)\n" + strings.Repeat("\n	// longer", 33) + "\n", "1.2"},
	{"G8", "stub.go is not as gofmt has it", first, "	_ = ErrConflict //", "_ = ErrConflict //", "1.1"},
	{"G8", "no line minutes:", first, "minutes: 15\n", "", "1.1"},
	{"G8", "level: is \"easy\"", first, "level: core", "level: easy", "1.1"},
	{"G9", "no line //step:1.1", second, "#Store.Keys", "#Store.Update", "1.1 1.2"},
	{"G10", "quotes \"undefined: sort\"", second, "`undefined: slices`", "`undefined: sort`", "1.2"},
	{"now", "is not recorded", "docs/exercises/now.tsv", "1.1\t", "1.9\t", "1.1"},
	{"now", "recorded is \"panic: another", "docs/exercises/now.tsv", "panic: step 1.2", "panic: another step", "1.2"},
	{"G4", "passes although", "docs/exercises/1.3.txtar", "	if n := store.Limit(); n != 7", "	if n := store.Limit(); n < 0", "1.3"},
	{"G2", "solution.patch", "docs/exercises/1.3.txtar", "+func Limit() int { return 7 }", "+func Limit() int { return 8 }", "1.3"},
}

func TestABrokenExerciseIsReported(t *testing.T) {
	for _, b := range broken {
		t.Run(b.gate+" "+b.says, func(t *testing.T) {
			t.Parallel()
			w := sample.Copy(t)
			sample.Edit(t, w, b.file, b.old, b.new)
			var others []string
			for _, f := range verify(t, w, false, strings.Fields(b.ids)...) {
				if f.Gate == b.gate && strings.Contains(f.Text, b.says) {
					return
				}
				others = append(others, f.String())
			}
			t.Errorf("%s should say %q; what was found:\n%s", b.gate, b.says, strings.Join(others, "\n"))
		})
	}
}
