// Package holes takes out of a program's output what differs from run to run.
//
//	<uid>   a UID                       <rv>   a resourceVersion (an empty or zero one stays)
//	<time>  a point in time             <took> a duration, such as 1.1 ms or 250µs
//	<age>   the age in kubectl's table  <port> a port of 127.0.0.1 other than a page's own
//	<go>    the version of Go           <platform>  such as linux/amd64
//	<hash>  64 hexadecimal digits       <pem>  base64 of a certificate or key
package holes

import (
	"fmt"
	"regexp"
	"strings"
)

type hole struct {
	find *regexp.Regexp
	put  string
}

var table = []hole{
	{regexp.MustCompile(`\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`), "<uid>"},
	{regexp.MustCompile(`\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z| ?[+-]\d\d:?\d\d)?`), "<time>"},
	{regexp.MustCompile(`\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT`), "<time>"},
	{regexp.MustCompile(`("?resourceVersion"?: ?"?)[1-9]\d*`), "${1}<rv>"},
	{regexp.MustCompile(`(resourceVersion=)[1-9]\d*`), "${1}<rv>"},
	{regexp.MustCompile(`("tookNanoseconds": ?)\d+`), "${1}<took>"},
	{regexp.MustCompile(`\b\d+(\.\d+)?(ns|µs|us|ms)\b`), "<took>"},
	{regexp.MustCompile(`\b(\d+[smh]){1,2}(\s*)$`), "<age>${2}"},
	{regexp.MustCompile(`\b\d+\.\d+s\b`), "<took>"},
	{regexp.MustCompile(`\b[0-9a-f]{64}\b`), "<hash>"},
	{regexp.MustCompile(`\bgo1\.\d+(\.\d+)?\b`), "<go>"},
	{regexp.MustCompile(`\b(linux|darwin|windows)/(amd64|arm64)\b`), "<platform>"},
	{regexp.MustCompile(`\bLS0tLS1[A-Za-z0-9+/=]+`), "<pem>"},
}

// column is a duration at the right of a column of six, which stays as wide.
var column = regexp.MustCompile(` *\b\d+(\.\d+)? ms\b`)

var port = regexp.MustCompile(`(127\.0\.0\.1|localhost|\[::1\]):(\d{4,5})\b`)

// Fill puts holes into text. Ports in keep stay.
func Fill(text string, keep ...string) string {
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		body := strings.TrimSuffix(line, "\n")
		body = column.ReplaceAllStringFunc(body, func(s string) string {
			return fmt.Sprintf("%*s", len(s)-len(" ms"), "<took>")
		})
		for _, h := range table {
			body = h.find.ReplaceAllString(body, h.put)
		}
		body = port.ReplaceAllStringFunc(body, func(s string) string {
			at := strings.LastIndex(s, ":")
			for _, k := range keep {
				if s[at+1:] == k {
					return s
				}
			}
			return s[:at] + ":<port>"
		})
		lines[i] = strings.TrimRight(body, " \t\r") + line[len(strings.TrimSuffix(line, "\n")):]
	}
	return strings.Join(lines, "")
}
