package documents

import (
	"context"
	"strings"

	"example.com/kube-apiserver/stage2-options/options"
)

// FirstScreen is what a server over plain HTTP prints when it serves: where it
// is, and what to try, with URL and EXPORT (of its kubeconfig, which is written
// now) filled in.
func FirstScreen(s *options.ServerRunOptions, url string, tries []string) func(context.Context) error {
	return func(context.Context) error {
		kubeconfig, err := WriteKubeconfig(s, url)
		if err != nil {
			return err
		}
		fill := strings.NewReplacer("URL", url, "EXPORT", Export(kubeconfig))
		lines := []string{"serving " + url + "    data kept in " + s.Etcd.BBoltFile + " (FRESH=1 starts empty)    Ctrl-C stops"}
		for _, line := range tries {
			lines = append(lines, fill.Replace(line))
		}
		s.Startup.Print(lines...)
		return nil
	}
}
