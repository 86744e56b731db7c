package ex

import (
	"context"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
)

// writeOverlay writes files below dir and the list that makes the go command
// read them in place of the same files below stage.
func writeOverlay(dir, stage string, files map[string][]byte) (string, error) {
	replace := map[string]string{}
	for file, src := range files {
		to := filepath.Join(dir, filepath.FromSlash(file))
		if err := write(to, src); err != nil {
			return "", err
		}
		replace[filepath.Join(stage, filepath.FromSlash(file))] = to
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	name := filepath.Join(dir, "overlay.json")
	return name, write(name, list)
}

// Compiles compiles packages with their tests and returns what the compiler says.
func Compiles(ctx context.Context, dir, overlay string, pkgs ...string) []string {
	args := []string{"list", "-test", "-export", "-f", "{{with .Error}}{{.}}{{end}}"}
	if overlay != "" {
		args = append(args, "-overlay", overlay)
	}
	cmd := exec.CommandContext(ctx, "go", append(args, pkgs...)...)
	cmd.Dir, cmd.Env = dir, alone()
	out, err := cmd.CombinedOutput()
	if err == nil {
		return nil
	}
	errs := []string{}
	for line := range strings.Lines(string(out)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			errs = append(errs, line)
		}
	}
	return errs
}
