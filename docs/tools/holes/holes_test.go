package holes

import "testing"

func TestWhatDiffersBecomesAHole(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{`"uid":"0b4e9a58-5a0f-4b8e-9d2e-3a4d8a1c7c11"`, `"uid":"<uid>"`},
		{`"creationTimestamp":"2026-01-02T03:04:05Z"`, `"creationTimestamp":"<time>"`},
		{`"resourceVersion":"41"`, `"resourceVersion":"<rv>"`},
		{"  resourceVersion: \"41\"", "  resourceVersion: \"<rv>\""},
		{`"resourceVersion":""`, `"resourceVersion":""`},
		{"[A1.1] main      0.1 ms  main.go", "[A1.1] main   <took>  main.go"},
		{"[A1.1] main    123.4 ms  main.go", "[A1.1] main   <took>  main.go"},
		{"hello   1      2m5s\nnext    2      0s\n", "hello   1      <age>\nnext    2      <age>\n"},
		{"http://127.0.0.1:41234 and 127.0.0.1:8080", "http://127.0.0.1:<port> and 127.0.0.1:8080"},
		{"nothing here", "nothing here"},
	} {
		if got := Fill(c.in, "8080"); got != c.want {
			t.Errorf("Fill(%q):\ngot  %q\nwant %q", c.in, got, c.want)
		}
	}
}
