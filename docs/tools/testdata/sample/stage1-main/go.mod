module example.com/sample/stage1-main

go 1.26.0
