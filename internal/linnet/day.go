package linnet

import "time"

// DelayBounds are the upper bounds of the classes in which Day counts delays; the
// last class has none.
func DelayBounds() [11]time.Duration {
	var b [11]time.Duration
	for i, d := 0, 5*time.Millisecond; i < len(b); i, d = i+1, d*3 {
		b[i] = d // 5 ms, 15 ms, ... 295 s
	}
	return b
}

// Day has the statistics of one day (UTC). Sums are over all servers, and peaks are the maximum of
// any server. Both can miss the last minute before a crash.
type Day struct {
	Posts  int64 // statuses posted, reposts included
	Faults int64 // answers that broke on our side
	Delays [12]int64

	Queue  int64         // peak of tasks held by a server
	Oldest time.Duration // peak of the age of a task
	Memory int64         // peak of bytes of a server's process

	Active int64 // people who used it, within some per cent
	Known  bool  // anything was written on that day
}

// Delay is within which time the given share of statuses had reached the last
// follower's feed, as the upper bound of its class; 0 if none was carried out.
func (d *Day) Delay(share float64) time.Duration {
	var all, sum int64
	for _, n := range d.Delays {
		all += n
	}
	bounds := DelayBounds()
	for i, n := range d.Delays {
		if sum += n; all > 0 && float64(sum) >= share*float64(all) {
			return bounds[min(i, len(bounds)-1)]
		}
	}
	return 0
}
