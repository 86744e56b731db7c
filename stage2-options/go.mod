module example.com/kube-apiserver/stage2-options

go 1.26.0

require example.com/kube-apiserver/stage1-main v0.0.0

require (
	github.com/spf13/pflag v1.1.0
	sigs.k8s.io/yaml v1.6.0
)

require go.yaml.in/yaml/v2 v2.4.2 // indirect

replace example.com/kube-apiserver/stage1-main => ../stage1-main
