package bench

import (
	"syscall"
	"time"
)

// nap sleeps with a precision of about 60 microseconds, because time.Sleep can be a millisecond
// late. It may return early.
func nap(d time.Duration) {
	t := syscall.NsecToTimespec(int64(d))
	_ = syscall.Nanosleep(&t, nil) // after an interruption the caller checks the clock again
}
