//go:build !linux

package bench

import "time"

// nap sleeps for a moment. How exact that is depends on the system; the result
// tells how late the driver was.
func nap(d time.Duration) { time.Sleep(d) }
