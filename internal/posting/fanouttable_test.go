package posting

import (
	"slices"
	"testing"

	"linnet/internal/core"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
	"linnet/internal/timeline"
)

// A status passes the stages of the table that concern it, in their order, out and back.
func TestFanoutTable(t *testing.T) {
	s := &delivery{st: store.New(memkv.New(memkv.Options{}), store.Options{}), timeline: timeline.New(core.Base{})}
	s.table = s.fanoutTable()
	end := []timeline.Stage{"favourites", "reposts", "promotions", "replies", "closed-replies"}
	for name, c := range map[string]struct {
		st   linnet.Status
		both []timeline.Stage // out, and back before end
	}{
		"public":      {linnet.Status{}, []timeline.Stage{"first", "followers", "lists", "watchers"}},
		"an answer":   {linnet.Status{InReplyTo: 7, InReplyAuthor: 8}, []timeline.Stage{"first", "followers", "lists"}},
		"a repost":    {linnet.Status{RepostOf: 7}, []timeline.Stage{"first", "followers", "lists"}},
		"a thread":    {linnet.Status{Author: 8, InReplyTo: 7, InReplyAuthor: 8}, []timeline.Stage{"first", "followers", "lists", "watchers"}},
		"direct":      {linnet.Status{Visibility: linnet.Direct}, []timeline.Stage{"first"}},
		"for members": {linnet.Status{Visibility: linnet.Private, Group: 9}, []timeline.Stage{"first"}},
		"in a chat":   {linnet.Status{Visibility: linnet.Direct, Group: 9}, []timeline.Stage{"first", "members"}},
	} {
		for way, d := range map[string]direction{"out": outward, "back": back} {
			want := slices.Clone(c.both)
			if way == "back" {
				want = append(want, end...)
			}
			var got []timeline.Stage
			for stage := timeline.StageFirst; stage != timeline.StageDone; {
				r, then, err := s.row(stage, &c.st, d)
				if err != nil {
					t.Fatal(err)
				}
				got, stage = append(got, r.stage), then
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s, %s: %v, not %v", name, way, got, want)
			}
		}
	}
	if _, _, err := s.row("of a later release", &linnet.Status{}, outward); err == nil {
		t.Error("an unknown stage is taken for another")
	}
}

// TestFanoutOfEarlierReleases checks that a fan-out whose stage an earlier release stored as a number
// continues with that stage, or with the next one that concerns the status.
func TestFanoutOfEarlierReleases(t *testing.T) {
	s := &delivery{st: store.New(memkv.New(memkv.Options{}), store.Options{}), timeline: timeline.New(core.Base{})}
	s.table = s.fanoutTable()
	chat := linnet.Status{Visibility: linnet.Direct, Group: 9}
	for n, want := range []struct{ out, back, ofChat timeline.Stage }{
		{"first", "first", "first"},
		{"followers", "followers", "members"},
		{"lists", "lists", "favourites"},
		{"watchers", "watchers", "favourites"},
		{"", "favourites", "favourites"},
		{"", "reposts", "reposts"},
		{"", "promotions", "promotions"},
		{"", "replies", "replies"},
		{"", "closed-replies", "closed-replies"},
		{"", "", ""},
	} {
		stage := timeline.Stage(string(rune('0' + n))).Named(stagesOfNumbers())
		for what, c := range map[string]struct {
			st   linnet.Status
			d    direction
			want timeline.Stage
		}{"out": {linnet.Status{}, outward, want.out}, "back": {linnet.Status{}, back, want.back}, "back out of a chat": {chat, back, want.ofChat}} {
			r, _, err := s.row(stage, &c.st, c.d)
			if err != nil {
				t.Fatal(err)
			}
			var got timeline.Stage
			if r != nil {
				got = r.stage
			}
			if got != c.want {
				t.Errorf("stage %d, %s: goes on with %q, not %q", n, what, got, c.want)
			}
		}
	}
}
