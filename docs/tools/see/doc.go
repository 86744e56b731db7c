// Package see starts stages and plays transcripts: recorded sessions that
// chapters show and that tests run.
//
// # The form of a transcript
//
// A transcript is docs/transcripts/stageN.txtar; further ones of the same stage
// are called stageN.NAME.txtar. It is a script of testscript
// (github.com/rogpeppe/go-internal/testscript), so exec, cmp, stdout, conditions
// and comments are at hand, with four commands more:
//
//	serve stage3 [flags]   builds the stage, starts it on a free port with its data in data/stage3, waits for its line "serving …"
//	show NAME              runs NAME.cmd in a shell and compares what it prints, both streams, with NAME.out
//	restart                stops the server and starts it again with the same data
//	interrupt              stops the server and compares what it logged with server.out, if there is one
//
// Its files are the commands and what they print:
//
//	# Keys survive a restart.
//	[!exec:kubectl] skip 'kubectl is not on this machine'
//	serve stage3
//	show create
//	restart
//	show get
//	interrupt
//	-- create.cmd --
//	kubectl create configmap hello --from-literal=k=v
//	-- create.out --
//	configmap/hello created
//	-- server.out --
//	serving http://127.0.0.1:8080    data kept in data/stage3/state.db    Ctrl-C stops
//
// Commands are written as a reader types them: with the stage's own port
// (127.0.0.1:8080, in stage 5 127.0.0.1:6443), which the player replaces by the
// real one and back, and with paths below the folder they run in, as make has
// them (data/stage3/kubeconfig). KUBECONFIG names the file that the stage writes,
// and HOME the script's own folder, so no command can reach another cluster. A
// command that fails prints a last line "exit status 1".
//
// What differs from run to run is recorded as a hole; package holes lists them.
// The recorded output is written by playing with Update.
package see
