//go:build !linux

package bench

import "time"

// nap sleeps with the precision of the system. The result contains the delay of the driver.
func nap(d time.Duration) { time.Sleep(d) }
