module example.com/kube-apiserver/stage4-informers

go 1.26.0

require example.com/kube-apiserver/stage1-main v0.0.0
replace example.com/kube-apiserver/stage1-main => ../stage1-main
require example.com/kube-apiserver/stage2-options v0.0.0
replace example.com/kube-apiserver/stage2-options => ../stage2-options
require example.com/kube-apiserver/stage3-storage v0.0.0
replace example.com/kube-apiserver/stage3-storage => ../stage3-storage
