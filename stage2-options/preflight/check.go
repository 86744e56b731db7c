package preflight

import (
	"fmt"
	"time"

	"example.com/kube-apiserver/stage1-main/process/wait"
	"example.com/kube-apiserver/stage2-options/options"
)

// Check looks for the store of the options, and says what it has found. It waits
// for it a while, but no longer than until stopCh is closed.
func Check(stopCh <-chan struct{}, o *options.EtcdOptions) (found string, err error) {
	ctx, cancel := wait.ContextForChannel(stopCh)
	defer cancel()
	if o.StorageBackend == "etcd3" {
		answers, err := CheckEtcdServers(ctx, o.ServerList, time.Minute)
		if err != nil {
			return "", fmt.Errorf("--etcd-servers: %w", err)
		}
		return fmt.Sprintf("etcd: %s accepts connections", answers), nil
	}
	bytes, err := CheckFile(ctx, o.BBoltFile, 3*time.Second)
	switch {
	case err != nil:
		return "", fmt.Errorf("--bbolt-file=%s: %w", o.BBoltFile, err)
	case bytes < 0:
		return o.BBoltFile + ": will be created", nil
	}
	return fmt.Sprintf("%s: %d bytes", o.BBoltFile, bytes), nil
}
