module example.com/kube-apiserver/stage1-main

go 1.26.0

require github.com/spf13/pflag v1.1.0
