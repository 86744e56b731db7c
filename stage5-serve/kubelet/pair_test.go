package kubelet

import (
	"io"
	"net"
	"testing"
	"time"
)

func TestASideThatIsSilentAfterTheOthersLastWordIsClosed(t *testing.T) {
	user, client := net.Pipe()
	target, node := net.Pipe() // stays silent
	defer node.Close()
	p := &pair{linger: time.Millisecond, ends: []io.Closer{user, target}}
	defer p.stop()
	client.Close()
	if _, err := p.read(user, make([]byte, 1)); err != io.EOF {
		t.Fatalf("the client has gone; its end reads %v", err)
	}
	if _, err := p.read(target, make([]byte, 1)); err == nil {
		t.Error("the end at the target says something, though nobody has")
	}
}
