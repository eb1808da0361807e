package posting_test

import (
	"fmt"
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
)

// TestQuoteCost checks that quotes cost a home of any length at most two more round trips.
func TestQuoteCost(t *testing.T) {
	c := apptest.NewCosts(t)
	reader, by := c.Person("reader"), c.People(4)
	for _, who := range by {
		c.Follow(reader, who)
	}
	strangers := []linnet.ID{c.Person("one"), c.Person("two"), c.Person("three")}
	trips := map[int]int{}
	for _, n := range []int{10, 30} {
		for i := range n {
			first := c.Post(strangers[i%3], "first %d", i).ID
			quote(c.World, by[i%4], quote(c.World, strangers[(i+1)%3], first, "second").ID, "third")
		}
		c.Home(reader, 40)
		c.Drain()
		read := func(c apptest.Costs) func() {
			return func() {
				s := apptest.Must(c.Reading.Home(c.Ctx, reader, linnet.Page{Limit: n}))(t)
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
		if s := c.Of(fmt.Sprint("home of quotes, warm, limit ", n), read(c)); s.RoundTrips() > 2 {
			t.Errorf("limit %d, warm: %d round trips", n, s.RoundTrips())
		}
		s := c.Of(fmt.Sprint("home of quotes, nothing cached, limit ", n), read(c.Colder()))
		if trips[n] = s.RoundTrips(); trips[n] > 8 {
			t.Errorf("limit %d, nothing cached: %d round trips", n, trips[n])
		}
	}
	if trips[10] != trips[30] {
		t.Errorf("round trips grow with the page: %v", trips)
	}
}
