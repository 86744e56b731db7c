// Package ex cuts exercises out of the stages, judges what a learner wrote, and
// proves the exercises themselves (Verify).
//
// # The form of an exercise
//
// An exercise is one file, docs/exercises/N.M.txtar, for section N.M of the
// chapter in both languages. It begins with lines of a key and a value:
//
//	title.en: Refuse a stale update      title.zh: in Chinese
//	stage: stage3-storage
//	blank: storage/store.go#step:3.2     an address below the stage; again for a further blank, in the same order as the stubs
//	tests: ./storage TestA TestB         a package below the stage and its tests; again for a further package
//	minutes: 15
//	level: core                          or stretch
//	breaks: TestC                        tests of the same packages that the blank breaks as well; all, where nothing works without it
//	race: true                           the tests run under the race detector
//	kind: open                           nothing is blanked, see below
//
// Then come files. Those that end in .en.md have a sister in .zh.md.
//
//	stub.go                what stands in place of the first blank; without it, a panic
//	stub.2.go              … of the second
//	hint.1.en.md           what to think about
//	hint.2.en.md           where to look
//	hint.3.go              nearly the code
//	trap.NAME.go           a known wrong answer, at the first blank (trap.NAME.2.go at the second); a core exercise has one at least
//	trap.NAME.en.md        what somebody who wrote it believed
//	why.en.md              shown after success
//
// An error of the compiler that a hint quotes stands in backquotes.
//
// The task itself is not here: it is the paragraph after the exercise's box in
// the chapter.
//
// An open exercise has, in place of blanks, stubs and traps:
//
//	test/DIR/x_test.go     tests that are put into the learner's copy
//	solution.patch         one answer, as a patch against the stage's folder
//
// # Scratch copies
//
// A learner works on a copy of the stage in docs/exercises/work/N.M/, with a
// go.work for editors. Tests in it are laid anew at each check. An exercise is
// done when its own tests pass and no other one of their packages fails. What
// has been tried is kept in work/progress.tsv.
//
// What a blank's tests say when it is still empty stands in docs/exercises/now.tsv,
// which Verify compares and rewrites.
package ex
