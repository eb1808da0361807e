package linnet_test

import (
	"math"
	"testing"
	"time"

	"linnet/internal/linnet"
)

// TestRankExample checks the example of docs/ranking.md.
func TestRankExample(t *testing.T) {
	if bar := linnet.FirstBar(60, nil); bar != 8 {
		t.Errorf("first level %d", bar)
	}
	for _, x := range []struct {
		hours   float64
		v       linnet.Votes
		score   float64
		reaches int64
	}{
		{0.5, linnet.Votes{Favourites: 4}, 4.9, 5},
		{1, linnet.Votes{Favourites: 6, Reposts: 1}, 8.7, 9},
		{6, linnet.Votes{Favourites: 11, Reposts: 2}, 13.5, 13},
		{9, linnet.Votes{Favourites: 14, Reposts: 3}, 16.2, 16},
		{33, linnet.Votes{Favourites: 30, Reposts: 6}, 16.6, 17},
		{1, linnet.Votes{Favourites: 5, Reposts: 1, Replies: 2}, 9.7, 10},
	} {
		why := linnet.UsualWeights().Rank(x.v, time.Duration(x.hours*float64(time.Hour)))
		if math.Round(10*why.Score) != math.Round(10*x.score) || !why.Reaches(x.reaches) || why.Reaches(x.reaches+1) {
			t.Errorf("after %v hours: %+v", x.hours, why)
		}
		if sum := (why.Own + why.Favourites + why.Reposts + why.Replies) * why.Decay; sum != why.Score {
			t.Errorf("%+v is not the sum of its parts", why)
		}
	}
}

// TestRises checks that statuses rise with enough votes for their age, and that others than public
// ones never do.
func TestRises(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	at := func(age time.Duration) linnet.Status { return linnet.Status{ID: linnet.MakeID(now.Add(-age), 3, 0)} }
	four := linnet.Votes{Favourites: 4}
	for what, x := range map[string]struct {
		st    linnet.Status
		v     linnet.Votes
		rises bool
	}{
		"new":             {at(0), four, true},
		"from the future": {at(-time.Minute), four, true},
		"too few":         {at(0), linnet.Votes{Favourites: 3}, false},
		"of yesterday":    {at(24 * time.Hour), four, false},
		"of last year":    {at(8000 * time.Hour), linnet.Votes{Favourites: 1e9}, false},
		"replies alone":   {at(0), linnet.Votes{Replies: 100}, false},
	} {
		if got := x.st.Rises(x.v, now); got != x.rises {
			t.Errorf("%s: %v", what, got)
		}
		x.st.Bar = 1000
		if x.st.Rises(x.v, now) {
			t.Errorf("%s: rises to 1000", what)
		}
	}
	for _, st := range []linnet.Status{{Visibility: linnet.Private}, {Visibility: linnet.Direct}, {RepostOf: 5}} {
		if st.ID = at(0).ID; st.Rises(linnet.Votes{Favourites: 1000}, now) {
			t.Errorf("%+v rises", st)
		}
	}
}
