package reload

import (
	"log"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Files is a value that is made of files, and made anew when one of them has
// changed. Where that fails the last good value stays, and the log says so.
//
// Now: staging/src/k8s.io/apiserver/pkg/server/dynamiccertificates/dynamic_serving_content.go DynamicCertKeyPairContent
type Files[T any] struct {
	// Outdated, if set, says when to read although no file has changed: a
	// certificate comes to its end.
	Outdated func(T) bool

	paths []string
	read  func() (T, error)

	mu     sync.Mutex // guards what follows
	value  T
	stamp  string
	looked time.Time
}

// lookEvery is how often the files are looked at, at most.
const lookEvery = time.Second

// Read reads the files for the first time.
func Read[T any](read func() (T, error), paths ...string) (*Files[T], error) {
	f := &Files[T]{paths: paths, read: read, stamp: stamp(paths), looked: time.Now()}
	var err error
	f.value, err = read()
	return f, err
}

// Get returns the value as of a moment ago.
func (f *Files[T]) Get() T { return f.at(time.Now()) }

func (f *Files[T]) at(now time.Time) T {
	f.mu.Lock()
	defer f.mu.Unlock()
	if now.Sub(f.looked) < lookEvery {
		return f.value
	}
	f.looked = now
	next := stamp(f.paths)
	if next == f.stamp && (f.Outdated == nil || !f.Outdated(f.value)) {
		return f.value
	}
	value, err := f.read()
	if err != nil { // half of a pair may have been written: the other half is a change again
		log.Printf("files have changed and cannot be used, the old content stays: %v", err)
		f.stamp = next
		return f.value
	}
	f.value, f.stamp = value, stamp(f.paths) // reading may have written
	return f.value
}

// stamp tells one state of files from another without reading them.
func stamp(paths []string) string {
	var b strings.Builder
	for _, p := range paths {
		if info, err := os.Stat(p); err == nil { // follows links, by which secrets are often exchanged
			b.WriteString(info.ModTime().Format(time.RFC3339Nano))
			b.WriteString(strconv.FormatInt(info.Size(), 10))
		}
		b.WriteByte('|')
	}
	return b.String()
}
