package app_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// kubectl runs the machine's kubectl against one server.
type kubectl struct {
	t      *testing.T
	folder string
	env    []string
}

func newKubectl(t *testing.T, kubeconfig string) kubectl {
	t.Helper()
	if _, err := exec.LookPath("kubectl"); err != nil {
		if os.Getenv("NEED_KUBECTL") != "" {
			t.Fatal("kubectl is needed here and not installed")
		}
		t.Skip("kubectl is not installed: its story is not told")
	}
	folder := t.TempDir()
	return kubectl{t, folder, append(os.Environ(), "KUBECONFIG="+kubeconfig, "HOME="+folder, "KUBE_EDITOR=sed -i s/blue/green/")}
}

func (k kubectl) command(args ...string) *exec.Cmd {
	ctx, cancel := context.WithTimeout(k.t.Context(), time.Minute)
	k.t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, "kubectl", args...)
	cmd.Dir, cmd.Env = k.folder, k.env
	return cmd
}

// says runs a command line and checks that its output contains some words.
func (k kubectl) says(line string, words ...string) {
	k.t.Helper()
	out, err := k.command(strings.Fields(line)...).CombinedOutput()
	if err != nil {
		k.t.Errorf("kubectl %s: %v\n%s", line, err, out)
	}
	for _, w := range words {
		if !strings.Contains(string(out), w) {
			k.t.Errorf("kubectl %s must say %q, it said\n%s", line, w, out)
		}
	}
}

const manifest = `
apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
data: {color: blue}
---
apiVersion: v1
kind: Secret
metadata: {name: creds}
data: {password: czNjcmV0}
---
apiVersion: v1
kind: Pod
metadata: {name: two, labels: {app: two}}
spec:
  automountServiceAccountToken: false # kubectl takes the mount of a token for a change, and says "configured"
  containers:
  - name: main
    image: nginx:1
    ports: [{containerPort: 80}]
    livenessProbe: {httpGet: {port: 80}}
    volumeMounts: [{name: conf, mountPath: /conf}]
  - {name: side, image: "busybox:1"}
  volumes: [{name: conf, configMap: {name: settings}}]
---
apiVersion: v1
kind: Service
metadata: {name: front}
spec: {selector: {app: two}, ports: [{port: 80}]}
---
apiVersion: v1
kind: ReplicationController
metadata: {name: many}
spec:
  replicas: 2
  template:
    metadata: {labels: {app: many}}
    spec: {containers: [{name: c, image: "nginx:1"}]}
`

func TestKubectlStory(t *testing.T) {
	t.Parallel()
	s := start(t)
	k := newKubectl(t, s.Kubeconfig)
	write(t, filepath.Join(k.folder, "all.yaml"), manifest)
	write(t, filepath.Join(k.folder, "settings.yaml"), "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {color: red}\n")

	k.says("create namespace story", "namespace/story created")
	k.says("config set-context --current --namespace=story", "modified")
	k.says("create configmap one --from-literal=a=b", "configmap/one created")
	k.says("create secret generic hidden --from-literal=a=b", "secret/hidden created")
	k.says("create service clusterip svc --tcp=80:8080", "service/svc created")

	seen := make(chan string, 1)
	watcher := k.command("get", "configmaps", "-w", "--request-timeout=20s")
	go func() {
		out, _ := watcher.Output() // it ends by its timeout, with what it saw
		seen <- string(out)
	}()

	k.says("apply -f all.yaml", "configmap/settings created", "secret/creds created", "pod/two created", "service/front created", "replicationcontroller/many created")
	k.says("apply -f all.yaml", "configmap/settings unchanged", "secret/creds unchanged", "pod/two unchanged", "service/front unchanged", "replicationcontroller/many unchanged")
	k.says("get pods two", "NAME   READY   STATUS    RESTARTS   AGE", "two    0/2     Pending   0")
	k.says("get pods -o wide", "NOMINATED NODE   READINESS GATES")
	k.says("get service front -o yaml", "clusterIP: 10.0.0.", "targetPort: 80")
	k.says("get rc many -o jsonpath={.spec.selector.app}", "many")
	k.says("label configmap one tier=x", "labeled")
	k.says("annotate configmap one note=y", "annotated")
	k.says(`patch configmap one --type=merge -p {"data":{"m":"1"}}`, "patched")
	k.says(`patch configmap one --type=json -p [{"op":"add","path":"/data/j","value":"2"}]`, "patched")
	k.says(`patch pod two -p {"spec":{"containers":[{"name":"side","image":"busybox:2"}]}}`, "patched")
	k.says("get pod two -o jsonpath={.spec.containers[*].image}", "nginx:1 busybox:2")
	k.says("scale rc many --replicas=5", "scaled")
	k.says("get rc", "many   5")
	k.says("edit configmap settings", "edited")
	k.says("get configmap settings -o jsonpath={.data.color}", "green")
	k.says("replace -f settings.yaml", "replaced")
	k.says("describe pod two", "Image:", "busybox:2")
	k.says("delete pod two --timeout=20s", `pod "two" deleted`)
	k.says("delete configmap one", "deleted")
	k.says("delete namespace story --timeout=30s", `namespace "story" deleted`)
	k.says("get namespaces", "default")
	watcher.Process.Kill()
	if out := <-seen; strings.Count(out, "settings") < 3 || strings.Count(out, "one") < 4 {
		t.Errorf("kubectl get -w must see each change, it saw\n%s", out)
	}
}
