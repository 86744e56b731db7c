package rules

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Diff shows what is different between two values, line by line, with three
// lines around each difference; "" where nothing is.
//
// Now: staging/src/k8s.io/apimachinery/pkg/util/diff/diff.go Diff
func Diff(before, after any) string {
	a, b := lines(before), lines(after)
	var out strings.Builder
	for _, h := range hunks(changes(a, b)) {
		first, last := h[0], h[len(h)-1]
		fmt.Fprintf(&out, "@@ -%s +%s @@\n", span(first.a, last.aEnd), span(first.b, last.bEnd))
		for _, c := range h {
			if c.same {
				write(&out, " ", a[c.a:c.aEnd])
				continue
			}
			write(&out, "-", a[c.a:c.aEnd])
			write(&out, "+", b[c.b:c.bEnd])
		}
	}
	return out.String()
}

func lines(v any) []string {
	data, err := json.Marshal(v)
	if err != nil {
		return []string{err.Error()} // trees and what is made of them always can be encoded
	}
	var b bytes.Buffer
	_ = json.Indent(&b, data, "", " ") // what Marshal made is JSON
	return strings.Split(b.String(), "\n")
}

func write(out *strings.Builder, mark string, lines []string) {
	for _, l := range lines {
		out.WriteString(mark + l + "\n")
	}
}

// span is where lines stand, counted from 1, and how many they are.
func span(from, to int) string {
	switch n := to - from; n {
	case 0:
		return fmt.Sprintf("%d,0", from)
	case 1:
		return fmt.Sprint(from + 1)
	default:
		return fmt.Sprintf("%d,%d", from+1, n)
	}
}

// change is a part of both texts: lines that are the same, or that are replaced.
type change struct {
	same             bool
	a, aEnd, b, bEnd int
}

// changes splits two texts into what is the same and what is not, from the
// longest common part on: what people see first stays together.
func changes(a, b []string) (list []change) {
	i, j, n := longest(a, b)
	if n == 0 {
		if len(a)+len(b) > 0 {
			list = append(list, change{false, 0, len(a), 0, len(b)})
		}
		return list
	}
	list = append(list, changes(a[:i], b[:j])...)
	list = append(list, change{true, i, i + n, j, j + n})
	for _, c := range changes(a[i+n:], b[j+n:]) {
		list = append(list, change{c.same, c.a + i + n, c.aEnd + i + n, c.b + j + n, c.bEnd + j + n})
	}
	return list
}

// longest is where the longest common part is, and how long.
func longest(a, b []string) (i, j, n int) {
	places := map[string][]int{}
	for at, l := range b {
		places[l] = append(places[l], at)
	}
	ending := map[int]int{} // how long a common part is that ends at a line of b
	for at, l := range a {
		next := map[int]int{}
		for _, to := range places[l] {
			k := ending[to-1] + 1
			next[to] = k
			if k > n {
				i, j, n = at-k+1, to-k+1, k
			}
		}
		ending = next
	}
	return i, j, n
}

// hunks drops what is the same, but for three lines before and after each
// difference.
func hunks(list []change) (out [][]change) {
	const around = 3
	var h []change
	flush := func() {
		if slices.ContainsFunc(h, func(c change) bool { return !c.same }) {
			out = append(out, h)
		}
		h = nil
	}
	for i, c := range list {
		if !c.same {
			h = append(h, c)
			continue
		}
		head, tail := c, c
		head.aEnd, head.bEnd = min(c.aEnd, c.a+around), min(c.bEnd, c.b+around)
		tail.a, tail.b = max(c.a, c.aEnd-around), max(c.b, c.bEnd-around)
		switch {
		case i == 0:
			h = append(h, tail)
		case i == len(list)-1:
			h = append(h, head)
		case c.aEnd-c.a > 2*around:
			h = append(h, head)
			flush()
			h = append(h, tail)
		default:
			h = append(h, c)
		}
	}
	flush()
	return out
}
