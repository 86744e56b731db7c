package server

import (
	"context"
	"time"
)

// delayShutdown is the time between the signal to stop and the end of new
// requests: /readyz is red, and load balancers have the delay to notice.
// In-process informers have stopped and pre-shutdown hooks have run before it;
// requests are drained after it, then watches end, and the storage is closed last.
func (s *GenericAPIServer) delayShutdown(ctx context.Context) error {
	delay := time.NewTimer(s.ShutdownDelayDuration)
	defer delay.Stop()
	select {
	case <-delay.C:
	case <-ctx.Done():
	}
	return nil
}
