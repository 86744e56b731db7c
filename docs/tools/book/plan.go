package book

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"example.com/kube-apiserver/docs/tools/md"
	"example.com/kube-apiserver/docs/tools/tsv"
)

// Plan is where the run sheets of the workshop are, below the root.
const Plan = "docs/workshop/plan.tsv"

// planColumns: a row of kind format begins a format and says how long it is in all.
var planColumns = []string{"format", "kind", "id", "minutes", "section", "en", "zh"}

// kinds of a run sheet's rows.
var planKinds = map[string]string{"format": "", "run": "run|演示", "talk": "talk|讲解", "exercise": "exercise|练习", "quiz": "quiz|问答", "break": "break|休息"}

// least is the part of a format's time, in percent, that people write code.
const least = 40

// sheet is one format with its rows, without the one that begins it.
type sheet struct {
	head tsv.Row
	rows []tsv.Row
}

func minutes(r tsv.Row) int {
	n, _ := strconv.Atoi(r.Get("minutes"))
	return n
}

func (s sheet) sum(kind string) (n int) {
	for _, r := range s.rows {
		if kind == "" || r.Get("kind") == kind {
			n += minutes(r)
		}
	}
	return n
}

func (b *Book) sheets() (all []sheet) {
	for _, r := range b.plan {
		switch {
		case r.Get("kind") == "format":
			all = append(all, sheet{head: r})
		case len(all) > 0:
			last := &all[len(all)-1]
			last.rows = append(last.rows, r)
		}
	}
	return all
}

// RunSheet writes a format with clock times from start on ("09:00").
func (b *Book) RunSheet(format, lang, start string) (string, error) {
	var names []string
	for _, s := range b.sheets() {
		if name := s.head.Get("format"); name != format {
			names = append(names, name)
			continue
		}
		rows, err := b.clock(s, lang, start)
		if err != nil {
			return "", err
		}
		var out strings.Builder
		fmt.Fprintln(&out, s.head.Get(lang))
		for _, r := range rows {
			fmt.Fprintf(&out, "%s  %3s  %-9s %s\n", r[0], r[1], r[2], strings.ReplaceAll(r[3], "`", ""))
		}
		fmt.Fprintln(&out, b.total(s, lang))
		return out.String(), nil
	}
	return "", fmt.Errorf("there is no format %q; there are %s", format, strings.Join(names, ", "))
}

// total says in words what the minutes come to.
func (b *Book) total(s sheet, lang string) string {
	return fmt.Sprintf(in(lang, "%d of %d minutes planned, %d of them exercises. All minutes are estimates.|已安排 %d 分钟（共 %d 分钟），其中练习 %d 分钟。所有时间都是估计。"),
		s.sum(""), minutes(s.head), s.sum("exercise"))
}

func (b *Book) clock(s sheet, lang, start string) (rows [][]string, err error) {
	at, err := time.Parse("15:04", start)
	if err != nil {
		return nil, fmt.Errorf("start %q is no time such as 09:00", start)
	}
	for _, r := range s.rows {
		what := r.Get(lang)
		if e, err := b.exercise(r.Get("id")); r.Get("kind") == "exercise" && err == nil {
			if what != "" {
				what = in(lang, ": |：") + what
			}
			what = e.ID + " " + e.Title(lang) + what
		}
		rows = append(rows, []string{at.Format("15:04"), r.Get("minutes"), in(lang, planKinds[r.Get("kind")]), what})
		at = at.Add(time.Duration(minutes(r)) * time.Minute)
	}
	return rows, nil
}

// planTable is the block <!-- gen: plan 90min -->; its clock begins at 0:00.
func (b *Book) planTable(format, lang, up string) (string, error) {
	for _, s := range b.sheets() {
		if s.head.Get("format") != format {
			continue
		}
		rows, err := b.clock(s, lang, "00:00")
		if err != nil {
			return "", err
		}
		for i, r := range s.rows {
			rows[i] = append(rows[i], b.sectionLink(r.Get("section"), lang, up))
		}
		return table(lang, []string{"at|时刻", "min|分钟", "kind|形式", "what|内容", "section|小节"}, rows) + "\n" + b.total(s, lang) + "\n", nil
	}
	return "", fmt.Errorf("there is no format %q in %s", format, Plan)
}

func (b *Book) sectionLink(section, lang, up string) string {
	chapter, _, _ := strings.Cut(section, ".")
	p, err := md.Chapter(b.Tree.Root, lang, chapter)
	if section == "" || err != nil {
		return ""
	}
	return fmt.Sprintf("[%s](%s%s#s%s)", section, up, p.Path, strings.ReplaceAll(section, ".", "-"))
}

// sheetRules: every format fits its time, begins on the finished server, has
// informers in it, and leaves people the time to write.
func (c *checker) sheetRules() {
	for _, s := range c.sheets() {
		name := s.head.Get("format")
		at := func(r tsv.Row, format string, args ...any) {
			c.say("plan", Plan, r.Line, "%s: %s", name, fmt.Sprintf(format, args...))
		}
		if sum := s.sum(""); sum > minutes(s.head) {
			at(s.head, "the rows come to %d minutes, more than %d", sum, minutes(s.head))
		}
		if s.sum("exercise")*100 < minutes(s.head)*least {
			at(s.head, "%d of %d minutes are exercises, less than %d %%", s.sum("exercise"), minutes(s.head), least)
		}
		if len(s.rows) == 0 || s.rows[0].Get("kind") != "run" || minutes(s.rows[0]) != 5 || !strings.HasPrefix(s.rows[0].Get("section"), "5.") {
			at(s.head, "it has to begin with five minutes of kubectl on the finished server: a row of kind run for chapter 5")
		}
		informers := false
		for _, r := range s.rows {
			informers = informers || r.Get("kind") == "exercise" && strings.HasPrefix(r.Get("id"), "4.")
			c.planRow(r, at)
		}
		if !informers {
			at(s.head, "no exercise of stage 4: informers belong into every format")
		}
	}
}

func (c *checker) planRow(r tsv.Row, at func(r tsv.Row, format string, args ...any)) {
	if _, ok := planKinds[r.Get("kind")]; !ok {
		at(r, "there is no kind %q", r.Get("kind"))
	}
	if minutes(r) <= 0 {
		at(r, "%q is no number of minutes", r.Get("minutes"))
	}
	if r.Get("kind") == "exercise" {
		if e, err := c.exercise(r.Get("id")); err != nil {
			at(r, "%v", err)
		} else if minutes(r) < e.Minutes {
			at(r, "%d minutes for exercise %s, which takes about %d", minutes(r), e.ID, e.Minutes)
		}
	} else if r.Get("en") == "" || r.Get("zh") == "" {
		at(r, "the row does not say in both languages what is done")
	}
	section := r.Get("section")
	if section == "" {
		return
	}
	chapter, _, _ := strings.Cut(section, ".")
	for _, lang := range md.Langs {
		p, err := md.Chapter(c.Tree.Root, lang, chapter)
		if err != nil {
			at(r, "there is no chapter %s: %v", chapter, err)
		} else if _, ok := p.Section(section); !ok {
			at(r, "%s has no section %s", p.Path, section)
		}
	}
}
