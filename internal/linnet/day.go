package linnet

import "time"

// DelayBounds returns the upper bounds of the classes in which Day counts delays. The last class
// has none.
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
	Posts  int64 // posted statuses, including boosts
	Faults int64 // responses with a server error
	Delays [12]int64

	Queue  int64         // peak of tasks held by a server
	Oldest time.Duration // peak of the age of a task
	Memory int64         // peak memory of a server's process in bytes

	Active int64 // active users, within a few per cent
	Known  bool  // there are records of the day
}

// Delay returns the time within which a share of the statuses had reached the last follower's feed.
// It is the upper bound of a class, or 0 if no status was delivered.
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
