package admin

import (
	"time"

	"linnet/internal/linnet"
)

// demoDays is the age of the demo instance in days, which the charts show.
const demoDays = 30

// demoAge is the time between the start and end of the demo. It starts on the first day of the
// charts.
const demoAge = (demoDays - 1) * 24 * time.Hour

// Purposes of random numbers for a day.
const (
	lotPosts = iota + 100
	lotActive
	lotPeaks
)

// lotDemo is the seed of the demo's random numbers.
const lotDemo = 8

// count writes the statistics of the last 30 days, as a server would have recorded them. The number
// of users grows, weekends are quiet, one day is busy and one has errors. They are the same each
// time, except for the days of the week.
func (d *demo) count() error {
	if err := d.at(0); err != nil {
		return err
	}
	for ago := range demoDays {
		at := d.end.AddDate(0, 0, -ago)
		var here []linnet.ID
		end := at.UTC().Truncate(24*time.Hour).AddDate(0, 0, 1)
		for _, p := range demoPeople() {
			if id := d.people[p.login]; id.Time().Before(end) {
				here = append(here, id)
			}
		}
		day, active := demoDay(ago, at.Weekday(), here)
		if err := d.svc.Moderation.Statistics.AddDay(d.ctx, linnet.Operator(), at, day, active); err != nil {
			return err
		}
	}
	return nil
}

// demoDay returns the statistics of a day: posts by the existing users, delivery times and peaks.
func demoDay(ago int, weekday time.Weekday, here []linnet.ID) (day linnet.Day, active []linnet.ID) {
	draw := func(what, i, n int) int { // the finalizer of splitmix64
		x := uint64(lotDemo)
		for _, v := range [...]int{what, ago, i} {
			x += 0x9e3779b97f4a7c15 + uint64(v)
			x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
			x = (x ^ x>>27) * 0x94d049bb133111eb
			x ^= x >> 31
		}
		return int(x % uint64(n))
	}
	for i, id := range here {
		if draw(lotActive, i, 10) < 8 {
			active = append(active, id)
		}
	}
	each := 3 // approximate posts per user
	if weekday == time.Saturday || weekday == time.Sunday {
		each = 2
	}
	if ago == 6 { // a book was published
		each = 6
	}
	day.Posts = int64(2 + each*len(active) + draw(lotPosts, 0, 8))
	for i := range day.Posts {
		day.Delays[min(draw(lotPosts, int(i)+1, 5)*draw(lotPosts, int(i)+200, 5)/6, 2)]++
	}
	day.Queue, day.Oldest = int64(draw(lotPeaks, 0, 9)+each), time.Duration(20+draw(lotPeaks, 1, 180))*time.Millisecond
	day.Memory = int64(41+(demoDays-ago)/2+draw(lotPeaks, 2, 7)) << 20
	if ago == 11 { // a full disk
		day.Faults, day.Oldest = 3, 4*time.Second
		day.Delays[6] += 5
	}
	return day, active
}
