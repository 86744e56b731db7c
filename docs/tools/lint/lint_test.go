package lint_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"example.com/kube-apiserver/docs/tools/lint"
	"example.com/kube-apiserver/docs/tools/sample"
	"example.com/kube-apiserver/docs/tools/tree"
)

func packages(t *testing.T, w *tree.Tree) []*tree.Package {
	t.Helper()
	pkgs, err := w.Packages(w.Stages...)
	if err != nil {
		t.Fatal(err)
	}
	return pkgs
}

func TestTheSampleHasGoodComments(t *testing.T) {
	for _, p := range append(lint.Comments(packages(t, sample.Copy(t))), lint.Markers(packages(t, sample.Copy(t)))...) {
		t.Error(p)
	}
}

const (
	doc   = "stage1-main/store/doc.go"
	store = "stage1-main/store/store.go"
	opts  = "stage2-options/options/options.go"
)

// Each row breaks the sample in one place; the check must say so, at that place.
var broken = []struct {
	at, says       string
	file, old, new string
}{
	{doc + ":3:", `"A1.2" is no paragraph`, doc, "A1.1", "A1.2"},
	{doc + ":3:", `"A1.1,A2.1" is no paragraph`, doc, "A1.1", "A1.1,A2.1"},
	{doc + ":4:", `"store.go" is not a file and a name in it`, doc, "Upstream: pkg/storage/store.go Store", "Upstream: store.go"},
	{doc + ":5:", "Now: \"pkg/storage/store.go Store, and more\"", doc, "Now: pkg/storage/store.go Store", "Now: pkg/storage/store.go Store, and more"},
	{doc + ":6:", "Simplified: says nothing", doc, "Simplified: values are kept in memory.", "Simplified:"},
	{doc + ":7:", `Reading: "main"; write core or reference`, doc, "Reading: core", "Reading: main"},
	{doc + ":3:", "0 lines Reading:", doc, "// Reading: core\n", ""},
	{doc + ":3:", "2 lines Now:", doc, "// Simplified", "// Now: none\n// Simplified"},
	{doc + ":5:", "Upstream: stands after Now:", doc, "// Upstream: pkg/storage/store.go Store\n// Now: pkg/storage/store.go Store\n", "// Now: none\n// Upstream: none\n"},
	{doc + ":7:", `"in a map" is inside or after`, doc, "kept in memory.\n", "kept in memory\n// in a map\n"},
	{doc + ":8:", `"The end." is inside or after`, doc, "Reading: core\n", "Reading: core\n// The end.\n"},
	{doc + ":2:", "put an empty comment line there", doc, "each.\n//\n", "each.\n"},
	{store + ":29:", "remove the line", store, "// Upstream: pkg/storage/store.go Update", "// Upstream: none"},
	{store + ":4:", "core package store imports k8s.io/api/core/v1", store, "	\"errors\"", "	_ \"k8s.io/api/core/v1\"\n	\"errors\""},
	{store + ":37:", "//step:end ends nothing", store, "	//step:1.1 compare the version before writing\n", ""},
	{store + ":34:", "says nothing", store, " compare the version before writing", ""},
	{store + ":34:", `"1" is no step number`, store, "//step:1.1", "//step:1"},
	{store + ":34:", "its number begins with its stage", store, "//step:1.1", "//step:2.1"},
	{store + ":36:", "steps do not nest", store, "		return 0, ErrConflict\n", "		//step:1.2 inner\n		return 0, ErrConflict\n"},
	{store + ":", "is not ended", store, "	//step:end\n", ""},
	{store + ":3:", "must stand inside", store, "import (", "//step:1.3 outside\nimport ("},
	{store + ":54:", "is also marked at " + store + ":34", store, "	slices.Sort(keys)\n", "	//step:1.1 again\n	slices.Sort(keys)\n"},
	{opts + ":", "step 1.3 stands in stage 2", opts, "return make", "\n//step:1.3 make them\nreturn make"},
}

func TestABrokenCommentIsReported(t *testing.T) {
	for _, b := range broken {
		t.Run(b.says, func(t *testing.T) {
			w := sample.Copy(t)
			sample.Edit(t, w, b.file, b.old, b.new)
			pkgs := packages(t, w)
			var others []string
			for _, p := range append(lint.Comments(pkgs), lint.Markers(pkgs)...) {
				if strings.HasPrefix(p.String(), b.at) && strings.Contains(p.Text, b.says) {
					return
				}
				others = append(others, p.String())
			}
			t.Errorf("%s should say %q; what was found:\n%s", b.at, b.says, strings.Join(others, "\n"))
		})
	}
}

func TestAPackageWithoutDocIsReported(t *testing.T) {
	w := sample.Copy(t)
	if err := os.Remove(w.Abs(doc)); err != nil {
		t.Fatal(err)
	}
	found := lint.Comments(packages(t, w))
	if len(found) != 1 || !strings.Contains(found[0].Text, "write stage1-main/store/doc.go") {
		t.Errorf("the missing doc.go should be reported, and only it; got %v", found)
	}
}

func TestACoreTestMayImportReference(t *testing.T) {
	w := sample.Copy(t)
	sample.Edit(t, w, "stage1-main/store/x_test.go", "", "package store_test\n\nimport _ \"example.com/sample/stage2-options/options\"\n")
	if found := lint.Comments(packages(t, w)); len(found) > 0 {
		t.Errorf("tests may import reference packages; got %v", found)
	}
}

func TestLongThingsAreReported(t *testing.T) {
	w := sample.Copy(t)
	sample.Edit(t, w, store, "	slices.Sort(keys)\n", "	slices.Sort(keys)\n"+strings.Repeat("	_ = keys\n", 260))
	s := w.Stages[0]
	var out bytes.Buffer
	n := lint.PrintSizes(&out, []lint.Size{lint.Count(s, packages(t, w))})
	for _, want := range []string{"the file has 316 lines", "Store.Keys has 270 lines"} {
		if n != 2 || !strings.Contains(out.String(), want) {
			t.Errorf("%d things are too long, want 2, among them %q:\n%s", n, want, out.String())
		}
	}
}

func TestTheGuideIsForCodeWithoutComments(t *testing.T) {
	const last = "\n\t\"sync\"\n)\n" // of the imports
	w := sample.Copy(t)
	for _, c := range []struct {
		line string
		over bool
	}{{"// a comment\n", false}, {"\n", false}, {"\t// a comment\n", false}, {"var _ = 0\n", true}} {
		sample.Edit(t, w, store, last, last+strings.Repeat(c.line, 401))
		size := lint.Count(w.Stages[0], packages(t, w))
		size.Long = nil // a file of 400 lines is too long, whatever they are
		var out bytes.Buffer
		if n := lint.PrintSizes(&out, []lint.Size{size}); n != 0 {
			t.Errorf("going over a guide is no fault, and %d are counted", n)
		}
		if over := strings.Contains(out.String(), " over"); over != c.over {
			t.Errorf("401 more lines %q are over the guide of 400: %t, want %t\n%s", c.line, over, c.over, out.String())
		}
		sample.Edit(t, w, store, last+strings.Repeat(c.line, 401), last)
	}
}

func TestManyMarkersAreReported(t *testing.T) {
	w := sample.Copy(t)
	sample.Edit(t, w, store, "	slices.Sort(keys)\n", "	//step:1.2 sort\n	slices.Sort(keys)\n	//step:end\n")
	if size := lint.Count(w.Stages[0], packages(t, w)); len(size.Long) != 1 || size.Long[0].Check != "markers" {
		t.Errorf("4 marker lines in %d lines are over 2 %%, but what is reported is %v", size.Core, size.Long)
	}
}
