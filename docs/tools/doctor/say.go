package doctor

import "fmt"

// words is what people read, in English and Chinese.
var words = map[string][2]string{
	"have":        {"%v", "%v"},
	"no-go":       {"is missing: install Go %s or later from https://go.dev/dl (or https://golang.google.cn/dl), then open a new terminal", "没有找到：请从 https://golang.google.cn/dl 安装 Go %s 或更新的版本，然后打开新的终端"},
	"broken-go":   {"go env fails: %s; install Go again from https://go.dev/dl", "go env 失败：%s；请从 https://golang.google.cn/dl 重新安装 Go"},
	"old-go":      {"is %s, older than %s (GOTOOLCHAIN=%s): install a newer one from https://go.dev/dl, or type go env -u GOTOOLCHAIN; unset GOTOOLCHAIN", "是 %s，早于 %s（GOTOOLCHAIN=%s）：请从 https://golang.google.cn/dl 安装新版本，或输入 go env -u GOTOOLCHAIN; unset GOTOOLCHAIN"},
	"in-the-way":  {"%[1]s=%[2]s is in the way: type  unset %[1]s; go env -u %[1]s", "%[1]s=%[2]s 会妨碍构建：请输入  unset %[1]s; go env -u %[1]s"},
	"settings":    {"GOFLAGS, GOWORK, GOTOOLCHAIN are not in the way", "GOFLAGS、GOWORK、GOTOOLCHAIN 都不妨碍构建"},
	"no-cgo":      {"make race needs a C compiler (%s) and CGO_ENABLED=1; nothing else does", "make race 需要 C 编译器（%s）和 CGO_ENABLED=1；其他都不需要"},
	"no-tool":     {"%s is missing: %s", "没有找到 %s：%s"},
	"broken-tool": {"%s fails: %s", "%s 失败：%s"},
	"crlf":        {"%s has Windows line endings: type  git config core.autocrlf false && git rm -rq --cached . && git reset -q --hard", "%s 使用了 Windows 换行符：请输入  git config core.autocrlf false && git rm -rq --cached . && git reset -q --hard"},
	"lf":          {"as they were committed", "与提交时一致"},
	"port":        {"is taken: lsof -i :%d says by whom; stop that, or add ARGS=%s=8081", "已被占用：lsof -i :%d 会显示是谁；请停止它，或加上 ARGS=%s=8081"},
	"free":        {"free", "空闲"},
	"no-df":       {"nobody can say how much is free; %d MB are needed", "无法得知剩余空间；需要 %d MB"},
	"full":        {"%d MB are free and %d are needed: type  go clean -cache, or make room", "剩余 %d MB，需要 %d MB：请输入  go clean -cache，或腾出空间"},
	"space":       {"%d GB are free", "剩余 %d GB"},
	"no-kubectl":  {"not here; curl will do (https://kubernetes.io/docs/tasks/tools)", "没有安装；用 curl 也可以（https://kubernetes.io/zh-cn/docs/tasks/tools）"},
	"context":     {"%s; its current context is %q, so type the  export KUBECONFIG=…  that a stage prints, in each new terminal", "%s；当前上下文是 %q，所以在每个新终端里都要先输入阶段打印的  export KUBECONFIG=…"},
	"offline":     {"everything builds without network", "无需网络即可构建全部代码"},
	"no-build":    {"all modules are here, but %v: %s", "模块齐全，但是 %v：%s"},
	"prefetch":    {"some are not here yet, and the proxy answers: type  make prefetch", "还缺一些模块，代理可以访问：请输入  make prefetch"},
	"proxy-off":   {"some are not here, and GOPROXY=off: type  unset GOPROXY; go env -u GOPROXY  and then  make prefetch", "还缺一些模块，而 GOPROXY=off：请输入  unset GOPROXY; go env -u GOPROXY，然后  make prefetch"},
	"no-proxy":    {"some are not here, and %s=%s does not answer (%s): name one that does, such as  go env -w GOPROXY=https://goproxy.cn,direct, or type  make prefetch PACK=/path/of/the/stick", "还缺一些模块，而 %s=%s 没有应答（%s）：请换一个，例如  go env -w GOPROXY=https://goproxy.cn,direct，或输入  make prefetch PACK=/U盘的路径"},
	"no-pack":     {"%s is no pack: make pack PACK=… writes one on a machine with network", "%s 不是模块包：请在有网络的机器上用 make pack PACK=… 生成"},
	"fetched":     {"all modules are here, and everything is built; make doctor shows it", "模块齐全，全部已构建；make doctor 可以确认"},
	"packed":      {"%[1]s has all modules; on a machine without network:  make prefetch PACK=%[1]s", "%[1]s 中已有全部模块；在没有网络的机器上：make prefetch PACK=%[1]s"},
}

// say words something in the language of the machine's owner.
func (m *Machine) say(key string, args ...any) string {
	text := words[key][0]
	if m.Lang == "zh" {
		text = words[key][1]
	}
	if len(args) == 0 {
		return text
	}
	return fmt.Sprintf(text, args...)
}
