package printers

import (
	"fmt"
	"time"
)

// AgeOf says how long ago a time was, as roughly as people want to know.
func AgeOf(timestamp string) string {
	t, err := time.Parse(time.RFC3339, timestamp)
	if err != nil {
		return "<unknown>"
	}
	return Duration(time.Since(t))
}

const day, year = 24 * time.Hour, 365 * 24 * time.Hour

// scale says in which units durations are written: those below less in big,
// and in what remains in small, if there is a small unit.
var scale = []struct {
	less, big, small time.Duration
	bigName, name    string
}{
	{2 * time.Minute, time.Second, 0, "s", ""},
	{10 * time.Minute, time.Minute, time.Second, "m", "s"},
	{3 * time.Hour, time.Minute, 0, "m", ""},
	{8 * time.Hour, time.Hour, time.Minute, "h", "m"},
	{2 * day, time.Hour, 0, "h", ""},
	{8 * day, day, time.Hour, "d", "h"},
	{2 * year, day, 0, "d", ""},
	{8 * year, year, day, "y", "d"},
}

// Duration writes a duration in one or two units.
//
// Upstream: pkg/printers/common.go ShortHumanDuration
// Now: staging/src/k8s.io/apimachinery/pkg/util/duration/duration.go HumanDuration
func Duration(d time.Duration) string {
	switch {
	case d <= -2*time.Second: // clocks may differ by a second
		return "<invalid>"
	case d < 0:
		return "0s"
	}
	for _, s := range scale {
		if d >= s.less {
			continue
		}
		text := fmt.Sprintf("%d%s", d/s.big, s.bigName)
		if s.small > 0 {
			if rest := d % s.big / s.small; rest > 0 {
				text += fmt.Sprintf("%d%s", rest, s.name)
			}
		}
		return text
	}
	return fmt.Sprintf("%dy", d/year)
}
