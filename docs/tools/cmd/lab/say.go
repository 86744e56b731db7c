package main

import (
	"fmt"
	"strings"
)

// words is what learners read, in English and Chinese.
var words = map[string][2]string{
	"exercise": {"Exercise", "练习"},
	"about":    {"about %d min", "约 %d 分钟"},
	"task":     {"task", "任务"},
	"read":     {"read", "阅读"},
	"edit":     {"edit", "编辑"},
	"now":      {"now", "现在"},
	"section":  {"section", "小节"},
	"red":      {"make check E=%s fails, as it should:", "make check E=%s 会失败，这正是起点："},
	"debug":    {"there is a bug in it: find it (make check E=%s)", "其中有一个错误：请找出来（make check E=%s）"},
	"exists":   {"your work is in %s already; make reset E=%s begins anew and keeps a backup (KIND=debug: to find a bug)", "你的代码已在 %s；make reset E=%s 重新开始并保留备份（加上 KIND=debug 则是找错题）"},
	"first":    {"nothing to look at yet; begin with make exercise E=%s", "还没有开始；请先运行 make exercise E=%s"},
	"build":    {"does not compile", "无法编译"},
	"import":   {"the import  %s  is switched off by its underscore; remove it", "导入  %s  被下划线停用了；请删去下划线"},
	"hangs":    {"hangs", "卡住了"},
	"norun":    {"the tests did not run; that is our fault, not yours", "测试没有运行；这是我们的问题，不是你的"},
	"notyet":   {"not yet", "尚未通过"},
	"try":      {"(try %d; make hint E=%s)", "（第 %d 次；make hint E=%s）"},
	"offer":    {"that was the third try in a row: hint %d may help (make hint E=%s)", "已连续三次失败：第 %d 条提示也许有帮助（make hint E=%s）"},
	"trap":     {"this answer is known", "这是一个已知的错误答案"},
	"done":     {"done", "完成"},
	"also":     {"its own tests pass, but now %s fails:", "自己的测试已通过，但现在 %s 失败了："},
	"make":     {"(the next line is make's, which knows only the exit code: %d)", "（下面一行是 make 自己的话，它只知道退出码：%d）"},
	"why":      {"why", "为什么"},
	"next":     {"next", "下一个"},
	"hint":     {"Hint %d of 3", "提示 %d/3"},
	"sure":     {"you have not tried yet; make solution E=%s YES=1 shows it all the same", "你还没有尝试；make solution E=%s YES=1 仍可查看"},
	"same":     {"what you have written is the reference", "你写的与参考答案相同"},
	"kept":     {"the old copy is now %s", "旧副本现在是 %s"},
	"changed":  {"changed", "已修改"},
	"tried":    {"tried", "尝试过"},
	"seen":     {"solution seen", "看过答案"},
	"hints":    {"hints: %d", "提示：%d"},
	"guess":    {"What do you expect? (Enter goes on) ", "你预计会怎样？（回车继续）"},
	"truth":    {"what 1.7 does", "1.7 的实际行为"},
	"article":  {"the article", "文章"},
	"stands":   {"stands at", "位于"},
	"more":     {"(and %d lines more)", "（另有 %d 行）"},
	"grown":    {"+ is new, ~ grows out of an earlier stage's", "+ 表示新增，~ 表示由前面阶段的同名之物发展而来"},
	"core":     {"core", "核心"},
	"other":    {"reference", "参考"},
	"size":     {"files: %d, lines: %d", "%d 个文件，%d 行"},
	":":        {": ", "："},
	",":        {", ", "，"},
}

// say words something in the language of the call.
func (c *call) say(key string, args ...any) string {
	text := words[key][0]
	if c.lang == "zh" {
		text = words[key][1]
	}
	if len(args) == 0 {
		return text
	}
	return fmt.Sprintf(text, args...)
}

func (c *call) println(args ...any) { fmt.Fprintln(c.out, args...) }

// field prints "  key    text", with further lines below the text.
func (c *call) field(key, text string) {
	pad := strings.Repeat(" ", max(7-width(key), 1))
	fmt.Fprintf(c.out, "  %s%s%s\n", key, pad, strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n         "))
}

// width counts columns: Chinese characters take two.
func width(s string) (n int) {
	for _, r := range s {
		n++
		if r > 0x2e80 {
			n++
		}
	}
	return n
}
