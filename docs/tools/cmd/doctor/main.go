// Doctor says whether this machine is ready (doctor), brings the modules here
// (prefetch [PACK]) or into a folder for others (pack [PACK]). It is a program of
// its own, besides lab's verbs of these names, because it can be built without any
// module: it has to run where nothing else does yet.
package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"example.com/kube-apiserver/docs/tools/doctor"
)

func main() {
	m := doctor.Machine{Root: doctor.Above("."), Lang: language(), Out: os.Stdout}
	args := append(os.Args[1:], "doctor")
	err := m.Run(args[0], os.Getenv("PACK"))
	if err == nil {
		return
	}
	if !errors.Is(err, doctor.ErrNotReady) {
		fmt.Fprintln(os.Stderr, "doctor:", err)
	}
	os.Exit(1)
}

func language() string {
	for _, name := range []string{"L", "LANG"} {
		if v := os.Getenv(name); v != "" {
			return map[bool]string{true: "zh", false: "en"}[strings.HasPrefix(v, "zh")]
		}
	}
	return "en"
}
