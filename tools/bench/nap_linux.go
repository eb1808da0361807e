package bench

import (
	"syscall"
	"time"
)

// nap sleeps for a moment, to some 60 microseconds; time.Sleep is off by up to
// a millisecond. It may wake up early.
func nap(d time.Duration) {
	t := syscall.NsecToTimespec(int64(d))
	_ = syscall.Nanosleep(&t, nil) // interrupted: the caller looks at the clock again
}
