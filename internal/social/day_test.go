package social

import (
	"context"
	"testing"
	"time"

	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// Two servers add what they have seen to the same day: sums add up, peaks are the
// highest, and who used both is one person.
func TestDaysOfTwoServers(t *testing.T) {
	engine := memkv.New(memkv.Options{})
	ctx, told := context.Background(), 0
	var servers []*Service
	for range 2 {
		s, err := New(store.New(engine, store.Options{}), Options{PublicURL: "https://linnet.test", Observe: &Observer{Posted: func(linnet.Visibility) { told++ }}})
		if err != nil {
			t.Fatal(err)
		}
		servers = append(servers, s)
	}
	now := time.Now() // of the same moment, for the same people
	for i, s := range servers {
		for n := range 500 {
			s.day.active.Add(linnet.MakeID(now, uint16(n+i*250), 0))
		}
		s.opt.Observe.posted(linnet.Public)
		s.opt.Observe.fannedOut(time.Duration(i) * 10 * time.Second)
		s.NoteFault()
		for range 2 { // what was added is not added again
			if err := s.addDay(ctx); err != nil {
				t.Fatal(err)
			}
		}
	}
	days, err := servers[0].LastDays(ctx, Operator, 30)
	if err != nil || len(days) != 30 {
		t.Fatal(len(days), err)
	}
	d := days[29]
	if !d.Known || d.Posts != 2 || d.Faults != 2 || d.Memory < 1<<20 || d.Delay(0.5) != 5*time.Millisecond || d.Delay(0.95) != 10935*time.Millisecond || told != 2 {
		t.Errorf("today is %+v", d)
	}
	if d.Active < 690 || d.Active > 810 {
		t.Errorf("%d of 750 people counted", d.Active)
	}
	if days[28].Known || days[0].Known {
		t.Error("something is known of days before")
	}
	servers[0].day.date = "2020-01-01"
	if err := servers[0].addDay(ctx); err != nil {
		t.Fatal(err)
	}
	servers[0].day.active.Add(linnet.MakeID(time.Now(), 1, 1))
	if err := servers[0].st.AddDay(ctx, time.Now().AddDate(0, 0, 1), linnet.Day{}, &servers[0].day.active); err != nil {
		t.Fatal(err)
	}
	if next, err := servers[0].st.Days(ctx, []time.Time{time.Now().AddDate(0, 0, 1)}); err != nil || next[0].Active != 1 {
		t.Errorf("the next day begins with %+v, %v", next, err)
	}
}
