module example.com/kube-apiserver/stage2-options

go 1.26.0

require example.com/kube-apiserver/stage1-main v0.0.0

require (
	github.com/spf13/pflag v1.1.0
	sigs.k8s.io/yaml v1.6.0
)

require go.yaml.in/yaml/v2 v2.4.2 // indirect

require (
	golang.org/x/crypto v0.59.0
	golang.org/x/sys v0.50.0 // indirect
)

replace example.com/kube-apiserver/stage1-main => ../stage1-main
