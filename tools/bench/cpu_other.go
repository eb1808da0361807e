//go:build !unix

package bench

import "time"

// processorTime returns 0, because it is unknown on this system.
func processorTime() time.Duration { return 0 }
