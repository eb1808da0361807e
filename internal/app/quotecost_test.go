package app_test

import (
	"fmt"
	"testing"

	"linnet/internal/linnet"
)

// TestQuoteCost checks that quotes cost a home of any length at most two more round trips.
func TestQuoteCost(t *testing.T) {
	c := newCosts(t)
	reader, by := c.person("reader"), c.people(4)
	for _, who := range by {
		c.follow(reader, who)
	}
	strangers := []linnet.ID{c.person("one"), c.person("two"), c.person("three")}
	trips := map[int]int{}
	for _, n := range []int{10, 30} {
		for i := range n {
			first := c.post(strangers[i%3], "first %d", i).ID
			c.quote(by[i%4], c.quote(strangers[(i+1)%3], first, "second").ID, "third")
		}
		c.home(reader, 40)
		c.drain()
		read := func(c costs) func() {
			return func() {
				s := must(c.Reading.Home(c.ctx, reader, linnet.Page{Limit: n}))(t)
				for _, v := range s.Items {
					if v.Quote.Shown() == nil || v.Quote.Status.Quote == nil {
						t.Errorf("%+v", v.Quote)
					}
				}
				if len(s.Items) != n {
					t.Errorf("%d of %d", len(s.Items), n)
				}
			}
		}
		if s := c.of(fmt.Sprint("home of quotes, warm, limit ", n), read(c)); s.RoundTrips() > 2 {
			t.Errorf("limit %d, warm: %d round trips", n, s.RoundTrips())
		}
		s := c.of(fmt.Sprint("home of quotes, nothing cached, limit ", n), read(c.colder()))
		if trips[n] = s.RoundTrips(); trips[n] > 8 {
			t.Errorf("limit %d, nothing cached: %d round trips", n, trips[n])
		}
	}
	if trips[10] != trips[30] {
		t.Errorf("round trips grow with the page: %v", trips)
	}
}
