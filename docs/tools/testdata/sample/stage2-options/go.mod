module example.com/sample/stage2-options

go 1.26.0

require example.com/sample/stage1-main v0.0.0

replace example.com/sample/stage1-main => ../stage1-main
