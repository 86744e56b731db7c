package book_test

import (
	"strings"
	"testing"

	"example.com/kube-apiserver/docs/tools/book"
	"example.com/kube-apiserver/docs/tools/sample"
)

const columns = "format\tkind\tid\tminutes\tsection\ten\tzh\n"

// Each plan is wrong in one more way; the check must say so.
var plans = []struct{ says, rows string }{
	{"short: the rows come to 31 minutes, more than 30", "short\tformat\t\t30\t\tShort\t短\nshort\texercise\t1.1\t31\t1.1\t\t\n"},
	{"short: 10 of 30 minutes are exercises, less than 40 %", "short\tformat\t\t30\t\tShort\t短\nshort\texercise\t1.1\t10\t1.1\t\t\n"},
	{"short: it has to begin with five minutes of kubectl", "short\tformat\t\t30\t\tShort\t短\nshort\ttalk\t\t5\t1.1\tTalk\t讲\n"},
	{"short: no exercise of stage 4", "short\tformat\t\t30\t\tShort\t短\nshort\texercise\t1.1\t15\t1.1\t\t\n"},
	{"there is no exercise 1.9", "short\tformat\t\t30\t\tShort\t短\nshort\texercise\t1.9\t15\t1.1\t\t\n"},
	{"14 minutes for exercise 1.1, which takes about 15", "short\tformat\t\t30\t\tShort\t短\nshort\texercise\t1.1\t14\t1.1\t\t\n"},
	{`there is no kind "sleep"`, "short\tformat\t\t30\t\tShort\t短\nshort\tsleep\t\t5\t\tSleep\t睡\n"},
	{`"many" is no number of minutes`, "short\tformat\t\t30\t\tShort\t短\nshort\ttalk\t\tmany\t\tTalk\t讲\n"},
	{"does not say in both languages", "short\tformat\t\t30\t\tShort\t短\nshort\ttalk\t\t5\t\tTalk\t\n"},
	{"docs/zh/1-main.md has no section 1.9", "short\tformat\t\t30\t\tShort\t短\nshort\ttalk\t\t5\t1.9\tTalk\t讲\n"},
	{"there is no chapter 7", "short\tformat\t\t30\t\tShort\t短\nshort\ttalk\t\t5\t7.1\tTalk\t讲\n"},
}

func TestARunSheetThatDoesNotFitIsReported(t *testing.T) {
	for _, p := range plans {
		t.Run(p.says, func(t *testing.T) {
			w := sample.Copy(t)
			sample.Edit(t, w, book.Plan, "", columns+p.rows)
			for _, found := range check(t, w) {
				if found.Check == "plan" && strings.Contains(found.Text, p.says) {
					return
				}
			}
			t.Errorf("the check should say %q; it found %v", p.says, check(t, w))
		})
	}
}

func TestARunSheetHasClockTimes(t *testing.T) {
	w := sample.Copy(t)
	sample.Edit(t, w, book.Plan, "", columns+"short\tformat\t\t30\t\tShort\t短\nshort\ttalk\t\t5\t1.1\tTalk\t讲\nshort\texercise\t1.1\t15\t1.1\t\t\n")
	b, err := book.Load(w)
	if err != nil {
		t.Fatal(err)
	}
	want := "Short\n13:30    5  talk      Talk\n13:35   15  exercise  1.1 Refuse a stale update\n20 of 30 minutes planned, 15 of them exercises. All minutes are estimates.\n"
	if got, err := b.RunSheet("short", "en", "13:30"); got != want || err != nil {
		t.Errorf("the sheet is\n%s(%v), want\n%s", got, err, want)
	}
	if _, err := b.RunSheet("long", "en", "13:30"); err == nil || !strings.Contains(err.Error(), "there are short") {
		t.Errorf("a format that is not there should be answered with those that are: %v", err)
	}
	if _, err := b.RunSheet("short", "en", "noon"); err == nil {
		t.Error("noon was taken for a time")
	}
}
