package documents

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"example.com/kube-apiserver/stage2-options/options"
)

// WriteKubeconfig writes a kubeconfig for the plain HTTP port beside the data:
// who uses it can reach no other cluster by mistake.
func WriteKubeconfig(s *options.ServerRunOptions, url string) (string, error) {
	path, err := filepath.Abs(filepath.Join(filepath.Dir(s.Etcd.BBoltFile), "kubeconfig"))
	if err != nil {
		return "", err
	}
	text := "apiVersion: v1\nkind: Config\ncurrent-context: stage\n" +
		"clusters:\n- {name: stage, cluster: {server: \"" + url + "\"}}\n" +
		"contexts:\n- {name: stage, context: {cluster: stage, user: stage}}\n" +
		"users:\n- {name: stage, user: {}}\n"
	return path, os.WriteFile(path, []byte(text), 0o600)
}

var plainPath = regexp.MustCompile(`^[\p{L}\p{N}/._+@%:,=-]*$`)

// Export is what to type in a shell for kubectl to find a kubeconfig.
func Export(kubeconfig string) string {
	if !plainPath.MatchString(kubeconfig) {
		kubeconfig = "'" + strings.ReplaceAll(kubeconfig, "'", `'\''`) + "'"
	}
	return "export KUBECONFIG=" + kubeconfig
}
