package kubelet

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

// pair are the two ends of a connection that has changed its protocol. When
// one side says that it sends no more, the other is told and may still finish;
// but only for as long as something comes, so that a side which has gone
// without a word does not keep the other for ever.
type pair struct {
	linger time.Duration

	mu      sync.Mutex // guards what follows
	ends    []io.Closer
	hasUser bool
	silence *time.Timer // runs since one side has ended
}

// read reads from one of the ends.
func (p *pair) read(from io.Reader, b []byte) (n int, err error) {
	n, err = from.Read(b)
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.silence != nil && n > 0:
		p.silence.Reset(p.linger)
	case p.silence == nil && err == io.EOF:
		p.silence = time.AfterFunc(p.linger, p.close)
	}
	return n, err
}

func (p *pair) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, end := range p.ends {
		end.Close()
	}
}

// stop forgets the clock: whoever carried the connection has closed both ends.
func (p *pair) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.silence != nil {
		p.silence.Stop()
	}
}

// taken says whether the client's connection is no longer an HTTP server's.
func (p *pair) taken() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.hasUser
}

// add makes an answer's connection the end at the target.
func (p *pair) add(resp *http.Response) error {
	if conn, ok := resp.Body.(halfCloser); ok {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.ends = append(p.ends, conn)
		resp.Body = &targetEnd{conn, p}
	}
	return nil
}

type halfCloser interface {
	io.ReadWriteCloser
	CloseWrite() error
}

type targetEnd struct {
	halfCloser
	pair *pair
}

// Read is part of io.Reader.
func (e *targetEnd) Read(b []byte) (int, error) { return e.pair.read(e.halfCloser, b) }

// taker is the client's ResponseWriter, whose connection can be taken over.
type taker struct {
	http.ResponseWriter
	pair *pair
}

// Unwrap lets http.ResponseController reach the connection.
func (t *taker) Unwrap() http.ResponseWriter { return t.ResponseWriter }

// Hijack is part of http.Hijacker. What the client has sent ahead of the
// answer has been read already, and comes first.
func (t *taker) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffered, err := http.NewResponseController(t.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	ahead := io.LimitReader(buffered.Reader, int64(buffered.Reader.Buffered()))
	t.pair.mu.Lock()
	defer t.pair.mu.Unlock()
	t.pair.ends, t.pair.hasUser = append(t.pair.ends, conn), true
	return &userEnd{conn, io.MultiReader(ahead, conn), t.pair}, buffered, nil
}

type userEnd struct {
	net.Conn
	from io.Reader
	pair *pair
}

// Read is part of net.Conn.
func (e *userEnd) Read(b []byte) (int, error) { return e.pair.read(e.from, b) }

// CloseWrite is what httputil.ReverseProxy looks for.
func (e *userEnd) CloseWrite() error {
	if c, ok := e.Conn.(interface{ CloseWrite() error }); ok {
		return c.CloseWrite()
	}
	return e.Conn.Close()
}
