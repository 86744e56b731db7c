package doctor

import (
	"errors"
	"fmt"
	"os"
)

// ErrNotReady is what Run returns after lines that say what is wrong.
var ErrNotReady = errors.New("not ready")

// Run is one of the verbs doctor, prefetch and pack.
func (m *Machine) Run(verb, pack string) error {
	switch verb {
	case "doctor":
		if m.Examine() > 0 {
			return ErrNotReady
		}
		return nil
	case "prefetch":
		return m.Prefetch(pack)
	case "pack":
		if pack == "" {
			pack = "pack"
		}
		return m.Pack(pack)
	}
	return fmt.Errorf("there is no verb %q; there are doctor, prefetch and pack", verb)
}

// Above finds the workspace: the nearest folder, from dir upwards, with the stages in it.
func Above(dir string) string {
	for d := dir; ; d += "/.." {
		if _, err := os.Stat(d + "/stage1-main"); err == nil {
			return d
		}
		if same(d, d+"/..") {
			return dir
		}
	}
}

func same(a, b string) bool {
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 != nil || err2 != nil || os.SameFile(x, y)
}
