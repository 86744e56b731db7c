package resourcequota

import "sync"

// line lets the requests of a namespace be counted one batch after the other.
// Whoever finds nobody at work does the work for all that wait, and hands over
// to one of those who came meanwhile.
type line struct {
	mu      sync.Mutex
	waiting map[string][]*request // by namespace; a key means that somebody is at work
}

// serve returns when r has been part of a batch.
func (l *line) serve(namespace string, r *request, work func(batch []*request)) {
	if l.join(namespace, r) {
		select {
		case <-r.served:
			return
		case <-r.turn:
		}
	}
	batch := l.take(namespace)
	work(batch)
	for _, other := range batch {
		close(other.served)
	}
	l.next(namespace)
}

// join reports whether somebody is at work already.
func (l *line) join(namespace string, r *request) (busy bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.waiting == nil {
		l.waiting = map[string][]*request{}
	}
	_, busy = l.waiting[namespace]
	l.waiting[namespace] = append(l.waiting[namespace], r)
	return busy
}

func (l *line) take(namespace string) []*request {
	l.mu.Lock()
	defer l.mu.Unlock()
	batch := l.waiting[namespace]
	l.waiting[namespace] = nil
	return batch
}

func (l *line) next(namespace string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if queue := l.waiting[namespace]; len(queue) > 0 {
		close(queue[0].turn)
	} else {
		delete(l.waiting, namespace)
	}
}
