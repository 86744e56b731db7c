package master_test

import (
	"fmt"
	"net"
	"testing"

	"example.com/kube-apiserver/stage2-options/master"
)

func TestCompleteLeavesAloneWhatIsThere(t *testing.T) {
	c := &master.Config{
		ServiceIPRange: net.IPNet{IP: net.IPv4(10, 96, 0, 0).To4(), Mask: net.CIDRMask(16, 32)},
		PublicAddress:  net.IPv4(192, 0, 2, 1),
	}
	completed, _ := c.Complete()
	if got := completed.ServiceIPRange.String(); got != "10.96.0.0/16" || !completed.PublicAddress.Equal(net.IPv4(192, 0, 2, 1)) {
		t.Errorf("what was given is kept: got %s and %s", got, completed.PublicAddress)
	}
	if got := completed.APIServerServiceIP.String(); got != "10.96.0.1" {
		t.Errorf("the service kubernetes gets the first address of the range that was given: got %s", got)
	}
	if _, filled := completed.Complete(); len(filled) != 0 {
		t.Errorf("a second time there is nothing to fill, but it filled %v", filled)
	}
}

func ExampleConfig_Complete() {
	c := &master.Config{PublicAddress: net.IPv4(192, 0, 2, 1)}
	completed, filled := c.Complete()
	fmt.Println(filled)
	fmt.Println(completed.ServiceIPRange.String(), completed.APIServerServiceIP, completed.ServiceNodePortRange)
	// Output:
	// [ServiceIPRange APIServerServiceIP ServiceNodePortRange]
	// 10.0.0.0/24 10.0.0.1 30000-32767
}
