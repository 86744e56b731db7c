package logs

import (
	"bufio"
	goflag "flag"
	"log"
	"os"
	"sync"
	"time"

	"example.com/kube-apiserver/stage1-main/process/wait"
)

// These are flags of Go's own flag package, as glog's are upstream:
// flag.InitFlags takes those over.
var (
	verbosity  = goflag.Int("v", 0, "how much to log: 0 what matters, 1 who we are, 2 why a health check fails, 4 every flag")
	flushEvery = goflag.Duration("log-flush-frequency", 5*time.Second, "how long log lines may wait in memory")
)

// Verbose is whether a level is asked for with -v.
//
// Upstream: vendor/github.com/golang/glog/glog.go Verbose
type Verbose bool

// V is true for the levels up to that of -v.
//
// Upstream: vendor/github.com/golang/glog/glog.go V
func V(level int) Verbose { return level <= *verbosity }

// Infof writes a line to the standard logger, if v.
func (v Verbose) Infof(format string, args ...any) {
	if v {
		log.Printf(format, args...)
	}
}

// buffer collects log lines so that logging does not wait for a terminal.
type buffer struct {
	mu   sync.Mutex // guards w
	w    *bufio.Writer
	stop chan struct{}
	done chan struct{}
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.w.Write(p)
}

func (b *buffer) flush() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.w.Flush() // stderr that cannot be written to has nowhere to complain
}

var current *buffer // set by InitLogs, read by FlushLogs: both are main's

// InitLogs sends the standard logger through a buffer that is flushed every
// --log-flush-frequency. Only main calls it, once.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/util/logs/logs.go InitLogs
func InitLogs() {
	b := &buffer{w: bufio.NewWriter(os.Stderr), stop: make(chan struct{}), done: make(chan struct{})}
	log.SetOutput(b)
	current = b
	go func() {
		defer close(b.done)
		wait.Until(b.flush, max(*flushEvery, time.Millisecond), b.stop)
	}()
}

// FlushLogs writes what is still buffered and ends the flushing. After it the
// standard logger writes directly.
//
// Upstream: staging/src/k8s.io/apiserver/pkg/util/logs/logs.go FlushLogs
func FlushLogs() {
	b := current
	if b == nil {
		return
	}
	current = nil
	close(b.stop)
	<-b.done
	log.SetOutput(os.Stderr)
	b.flush()
}
