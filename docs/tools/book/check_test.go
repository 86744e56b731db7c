package book_test

import (
	"os"
	"strings"
	"testing"

	"example.com/kube-apiserver/docs/tools/book"
	"example.com/kube-apiserver/docs/tools/lint"
	"example.com/kube-apiserver/docs/tools/sample"
	"example.com/kube-apiserver/docs/tools/tree"
)

func check(t *testing.T, w *tree.Tree) []lint.Problem {
	t.Helper()
	b, err := book.Load(w)
	if err != nil {
		t.Fatal(err)
	}
	found, err := b.Check()
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestTheSampleIsInOrder(t *testing.T) {
	for _, p := range check(t, sample.Copy(t)) {
		t.Errorf("[%s] %s", p.Check, p)
	}
}

const (
	en    = "docs/en/1-main.md"
	zh    = "docs/zh/1-main.md"
	store = "stage1-main/store/store.go"
	data  = "docs/data/"
)

// Each row breaks the sample in one place; the check must say so.
var broken = []struct {
	check, says    string
	file, old, new string
}{
	{"stale", "this block is not what the code says", store, "	Version int\n}", "	Version int // rises\n}"},
	{"stale", "this block is not what the code says", "docs/exercises/1.1.txtar", "minutes: 15", "minutes: 20"},
	{"stale", "this block is not what the code says", "docs/transcripts/stage1.txtar", "the stored version is another one", "another one"},
	{"stale", "this block is not what the code says", "stage1-main/store/doc.go", "kept in memory", "forgotten"},
	{"block", "nothing is declared as Items", en, "store.go#Item ", "store.go#Items "},
	{"block", "no line //step:1.9", en, "store.go#step:1.1 ", "store.go#step:1.9 "},
	{"block", "has no thrice.cmd", zh, "stage1#twice", "stage1#thrice"},
	{"block", "has no twice.out yet", "docs/transcripts/stage1.txtar", "-- twice.out --", "-- other.out --"},
	{"block", "names no transcript", zh, "stage1#twice", "stage7#twice"},
	{"block", "there is no exercise 1.7", en, "<!-- ex: 1.2 -->", "<!-- ex: 1.7 -->"},
	{"block", "there is no table", en, "gen: simplified", "gen: simplest"},
	{"block", "the block has no end", en, "<!-- /gen -->", ""},
	{"link", "gone.go is not there", en, "store.go). See", "gone.go). See"},
	{"anchor", `no place "s1-9"`, zh, "(#s1-1)", "(#s1-9)"},
	{"spoiler", "this excerpt shows the answer to exercise 1.1", en, "<!-- code: stage1-main/store/store.go#Item -->", "<!-- code: stage1-main/store/store.go#Store.Update -->"},
	{"spoiler", `"for k := range s.items {" is in the answer to exercise 1.2`, zh, "按顺序返回键。", "按顺序返回键：`for k := range s.items {`"},
	{"spoiler", `"if cur.Version != version {" is in the answer to exercise 1.1`, en, "Make `Update`", "```go\n	if cur.Version != version {\n```\nMake `Update`"},
	{"length", "257 lines of prose", en, "", strings.Repeat("One more line.\n", 225)},
	{"word", `"warehouse": the glossary says "store"`, en, "The store keeps", "The warehouse keeps"},
	{"word", `"仓库": the glossary says "存储"`, zh, "存储保存值", "仓库保存值"},
	{"proof", "stage1-main has no test TestGone", en, "TestUpdateConflict -->", "TestGone -->"},
	{"table", "A2.1 is row 2 of 2; write one for each", data + "paragraphs.tsv", "", "id\tstages\ten\tzh\nA1.1\t1\tmain\t主\nA2.1\t1\tseed\t种子\n"},
	{"table", "nothing in stage 2 speaks of A1.1", data + "paragraphs.tsv", "", "id\tstages\ten\tzh\nA1.1\t1 2\tmain\t主\nA2.1\t1\tseed\t种子\n"},
	{"table", "A1.1 has an empty cell", data + "paragraphs.tsv", "", "id\tstages\ten\tzh\nA1.1\t1\tmain\t\nA2.1\t1\tseed\t种子\n"},
	{"table", "A3.17", data + "path.tsv", "A3.11", "A3.17"},
	{"table", "nothing is declared as Walk", data + "path.tsv", "#Run", "#Walk"},
	{"table", "stage1-main has no test TestGone", data + "errata.tsv", "TestErratumE1", "TestGone"},
	{"table", `kind "wrong"`, data + "errata.tsv", "not-so", "wrong"},
	{"table", "E1 has no truth.en", data + "errata.tsv", "The second gets a conflict.", ""},
	{"pair", "there is no docs/zh/2-more.md", "docs/en/2-more.md", "", "# More\n"},
	{"pair", "there is no docs/en/2-more.md", "docs/zh/2-more.md", "", "# 更多\n"},
	{"pair", "the headings differ from number 5", zh, "## 1.4 ", "## 1.6 "},
	{"pair", "different code", zh, "让 `Update`", "```sh\nmake\n```\n让 `Update`"},
	{"pair", "different blocks", zh, "<!-- code: stage1-main/store/store.go#Item -->", "<!-- code: stage1-main/store/store.go#ErrConflict -->"},
	{"pair", "different links", zh, "(#s1-1)", "(#s1-2)"},
	{"pair", "different rows of tables", zh, "按顺序返回键。", "| 键 |\n| --- |\n"},
	{"pair", "different names in backquotes", zh, "让 `Update`", "让 `Write`"},
	{"pair", "Chinese in the English page", en, "Give the keys", "Give the 键"},
	{"pair", "this section is not in Chinese", zh, "按顺序返回键。", strings.Repeat("Give the keys back in order. ", 5) + "\n"},
	{"lag", "section 1.2 has changed (en only)", en, "Give the keys", "Return the keys"},
	{"lag", "section 1.2 has changed (zh only)", zh, "按顺序返回键", "返回有序的键"},
	{"lag", "section 1-main 1.9 is no longer there", "docs/i18n.lock", "1-main 1.5", "1-main 1.9"},
	{"marker", "has no section 1.8", store, "	s.items[key] =", "	//step:1.8 write\n	s.items[key] = Item{}\n	//step:end\n	s.items[key] ="},
	{"marker", "its number begins with its stage", store, "//step:1.1 compare", "//step:2.1 compare"},
	{"article", "A3.99", "stage1-main/app/doc.go", "A3.1", "A3.99"},
	{"core-imports-reference", "imports example.com/sample/stage1-main/extra", "stage1-main/store/limit.go", "package store\n", "package store\n\nimport _ \"example.com/sample/stage1-main/extra\"\n"},
}

func TestABrokenPageIsReported(t *testing.T) {
	for _, b := range broken {
		t.Run(b.check+" "+b.says, func(t *testing.T) {
			w := sample.Copy(t)
			if b.check == "core-imports-reference" {
				sample.Edit(t, w, "stage1-main/extra/doc.go", "", "// Package extra is for reference.\n//\n// Article: none\n// Upstream: none\n// Now: none\n// Reading: reference\npackage extra\n")
			}
			if b.check == "link" {
				sample.Edit(t, w, b.file, "store.go).", "store.go). See")
			}
			sample.Edit(t, w, b.file, b.old, b.new)
			var others []string
			for _, p := range check(t, w) {
				if p.Check == b.check && strings.Contains(p.Text, b.says) {
					return
				}
				others = append(others, "["+p.Check+"] "+p.String())
			}
			t.Errorf("[%s] should say %q; what was found:\n%s", b.check, b.says, strings.Join(others, "\n"))
		})
	}
}

func TestAcceptTakesWhatChangedInBothLanguagesAlone(t *testing.T) {
	w := sample.Copy(t)
	sample.Edit(t, w, en, "Give the keys back", "Return the keys")
	sample.Edit(t, w, zh, "按顺序返回键", "返回有序的键")
	sample.Edit(t, w, en, "Make the limit 7.", "Let the limit be 7.")
	accept := func(page, section string) {
		t.Helper()
		b, err := book.Load(w)
		if err != nil {
			t.Fatal(err)
		}
		if found, err := b.Accept(page, section); err != nil || found != nil {
			t.Fatalf("Accept: %v %v", found, err)
		}
	}
	accept("", "")
	if found := check(t, w); len(found) != 1 || !strings.Contains(found[0].Text, "section 1.3 has changed (en only)") {
		t.Errorf("1.2 changed in both languages and should be accepted, 1.3 in one and should not; got %v", found)
	}
	accept("1-main", "1.3")
	if found := check(t, w); len(found) != 0 {
		t.Errorf("1.3 was accepted by name; got %v", found)
	}
}

func TestAcceptRefusesWhatDiffersInForm(t *testing.T) {
	w := sample.Copy(t)
	sample.Edit(t, w, zh, "让 `Update`", "让 `Write`")
	b, err := book.Load(w)
	if err != nil {
		t.Fatal(err)
	}
	if found, _ := b.Accept("", ""); len(found) == 0 {
		t.Error("the languages name different things, but were accepted")
	}
}

func TestFillingTwiceChangesNothing(t *testing.T) {
	w := sample.Copy(t)
	sample.Edit(t, w, data+"paragraphs.tsv", "", "id\tstages\ten\tzh\nA1.1\t1\tmain\t主\nA2.1\t1\ta\t甲\nA2.2\t1\tb\t乙\nA2.3\t1 2\tc\t丙\nA2.4\t2\td\t丁\n")
	for _, p := range []string{en, zh} {
		sample.Edit(t, w, p, "", "\n<!-- gen: paragraphs -->\n<!-- /gen -->\n\n<!-- gen: stages -->\nold\n<!-- /gen -->\n\n<!-- gen: mapping -->\n<!-- /gen -->\n\n<!-- gen: errata -->\n<!-- /gen -->\n\n<!-- gen: glossary -->\n<!-- /gen -->\n\n<!-- gen: path 1 -->\n<!-- /gen -->\n\n<!-- gen: exercises -->\n<!-- /gen -->\n\n<!-- gen: differs 2 -->\n<!-- /gen -->\n")
	}
	for round, want := range []int{2, 0} {
		b, err := book.Load(w)
		if err != nil {
			t.Fatal(err)
		}
		changed, found, err := b.Write()
		if err != nil || len(found) > 0 {
			t.Fatalf("Write: %v %v", found, err)
		}
		if len(changed) != want {
			t.Errorf("round %d: %q changed, want %d pages", round+1, changed, want)
		}
	}
	src, _ := os.ReadFile(w.Abs(zh))
	for _, want := range []string{
		"[stage1-main](../../stage1-main) | A1.1, A2.1–A2.3 | [中文](../../docs/zh/1-main.md) · [English](../../docs/en/1-main.md) |",
		"[stage2-options](../../stage2-options) | A2.3, A2.4 |",
		"| A2.3 | 丙 | 1、2 |",
		"[`Store`](https://example.com/v1.7.3/pkg/storage/store.go) pkg/storage/store.go",
		"| E1 | A3.11 | “写入总会成功” | 写入总会成功。 | 两个客户端基于同一版本写入，第二个会得到什么？ | 第二个得到冲突错误。 | `stage1-main TestErratumE1` |",
		"| store | 存储 | 保存值。 |",
		"| A3.11 | [`Store.Update`](../../stage1-main/store/store.go) | 拒绝过期的写入 |",
		"| 1.1 | 拒绝过期的更新 | 核心 | 15 |",
		"\n无。\n",
	} {
		if !strings.Contains(string(src), want) {
			t.Errorf("the filled page lacks\n%s\nit is\n%s", want, src)
		}
	}
}
