package md

import (
	"maps"
	"slices"
	"testing"
)

const page = "# Stage 3: storage\n\n" +
	"See [a](x.md#s3-2), ![b](b.png) and `f[i](y.md)`.\n\n" +
	"```go\n# no heading\n[no](link.md)\n<details>\n```\n\n" +
	"<a id=\"s3-2\"></a>\n## 3.2 Refuse it\n\n" +
	"<!-- ex: 3.2 -->\n> box\n<!-- /ex -->\n\nDo it,\nand well.\n\nMore.\n\n" +
	"<details><summary>Answer</summary>\n\n<!-- code: a.go#B -->\n```go\nfilled\n```\n<!-- /code -->\n\n</details>\n" +
	"### What `else`?\n"

func TestAPageIsReadAsGitHubShowsIt(t *testing.T) {
	p := Parse("docs/en/3-x.md", page)
	var heads []string
	for _, s := range p.Sections[1:] {
		heads = append(heads, s.Number+"|"+s.Title)
	}
	if want := []string{"|Stage 3: storage", "3.2|Refuse it", "|What `else`?"}; !slices.Equal(heads, want) {
		t.Errorf("headings: got %q, want %q", heads, want)
	}
	var links []string
	for _, l := range p.Links() {
		links = append(links, l.Target)
	}
	if want := []string{"x.md#s3-2", "b.png"}; !slices.Equal(links, want) {
		t.Errorf("links: got %q, want %q, none from code", links, want)
	}
	if got, want := slices.Sorted(maps.Keys(p.Anchors())), []string{"32-refuse-it", "s3-2", "stage-3-storage", "what-else"}; !slices.Equal(got, want) {
		t.Errorf("anchors: got %q, want %q", got, want)
	}
	if got, want := p.Task("3.2"), "Do it,\nand well."; got != want {
		t.Errorf("the task is the paragraph after the box: got %q, want %q", got, want)
	}
	if len(p.Blocks) != 2 || p.Blocks[0].Details || !p.Blocks[1].Details || !p.Blocks[1].Ended {
		t.Errorf("of the two blocks the second lies in <details>; got %+v", p.Blocks)
	}
	for _, l := range p.Lines {
		if l.Text == "filled" && (!l.Block || !l.Details || l.Fence != "go") {
			t.Errorf("the filled line lies in a block, in details and in a fence; got %+v", l)
		}
		if l.Text == "More." && (l.Block || l.Details) {
			t.Errorf("a fence with <details> in it opens nothing; got %+v", l)
		}
	}
}
