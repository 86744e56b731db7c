package app_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"testing"

	"example.com/kube-apiserver/stage4-informers/cache"
	"example.com/kube-apiserver/stage4-informers/client"
)

// brittle is a connection that breaks after so many bytes.
type brittle struct {
	net.Conn
	left int
}

func (b *brittle) Read(p []byte) (int, error) {
	if b.left == 0 {
		return 0, io.EOF // as when the other side has gone
	}
	n, err := b.Conn.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}

// Wherever in its bytes a stream is cut, in a header, in a frame or between two,
// no half of an event is taken for one, and the next stream goes on from the last.
func TestAStreamIsCutAnywhereAndGoesOn(t *testing.T) {
	s := start(t)
	const changes = 1000
	obj := s.make(configMaps, "default", `{"metadata":{"name":"a"},"data":{"k":"0"}}`)
	for i := range changes {
		s.patch(configMaps, "default", "a", "", map[string]any{"data": map[string]any{"k": fmt.Sprint(i + 1)}})
	}
	cuts := 0
	transport := &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		cuts++
		conn, err := new(net.Dialer).DialContext(ctx, network, address)
		return &brittle{conn, rand.IntN(1000)}, err
	}}
	c := &client.Client{Base: s.url, HTTP: &http.Client{Transport: transport}}
	version, heard := obj.Meta.ResourceVersion, 0
	for heard < changes && !t.Failed() {
		for ev, err := range c.ListerWatcher(configMaps, "default").Watch(t.Context(), version) {
			if err != nil {
				break
			}
			heard++
			now := s.decode(ev.Object)
			version = now.Meta.ResourceVersion
			if got := at(now, "data", "k"); ev.Type != cache.EventModified || got != fmt.Sprint(heard) {
				t.Fatalf("after %d cuts change %d is heard as %s of %s", cuts, heard, ev.Type, got)
			}
			if heard == changes {
				break
			}
		}
	}
	if cuts < changes/2 {
		t.Errorf("the connection was cut %d times, which proves little", cuts)
	}
}
