package discovery_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"linnet/internal/app/apptest"
	"linnet/internal/discovery"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
)

func trendingTags(w *apptest.World) string {
	w.Helper()
	w.Drain()
	w.OK(w.Trends.HandOn(w.Ctx))
	var out []string
	for _, v := range apptest.Must(w.Trends.Tags(w.Ctx, discovery.TrendQuery{}))(w) {
		out = append(out, fmt.Sprint(v.Name, v.Days[0].Uses, v.Days[0].Users))
	}
	return strings.Join(out, " ")
}

// TestTrendsDecay checks that a tag is a trend by the number of its authors, which decays. New tags
// rank above tags that are used daily.
func TestTrendsDecay(t *testing.T) {
	w, clock := apptest.WithClock(t)
	clock.Advance(30*time.Hour - time.Duration(clock.Now().Hour())*time.Hour) // six in the morning
	people := w.People(6)
	say := func(n int, text string) {
		t.Helper()
		for _, id := range people[:n] {
			w.Post(id, "%s", text)
		}
	}
	is := func(what, want string) {
		t.Helper()
		if got := trendingTags(w); got != want {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	for range 5 {
		say(1, "#mine")
	}
	say(2, "#two")
	is("too few", "")
	say(3, "#early")
	say(3, "#early")
	clock.Advance(7 * time.Hour)
	say(2, "#late")
	is("early", "early6 3")
	say(3, "#late")
	is("late is hotter", "late5 3 early6 3")
	for range 3 { // each morning
		say(5, "#morning")
		trendingTags(w)
		clock.Advance(24 * time.Hour)
	}
	say(5, "#morning")
	say(4, "#news")
	is("news before habits", "news4 4 morning5 5")
	clock.Advance(49 * time.Hour)
	is("forgotten", "")
}

// TestTrendingStatuses checks that only statuses that strangers can see are trends, and only of
// authors who allow it.
func TestTrendingStatuses(t *testing.T) {
	w := apptest.InMemory(t)
	ann, fans := w.Person("ann"), w.People(4)
	like := func(id linnet.ID) {
		for _, f := range fans[:3] {
			apptest.Must(w.Posting.Marks.Favourite(w.Ctx, f, id))(t)
		}
	}
	good := w.Post(ann, "good").ID
	for _, d := range []linnet.Draft{
		{Text: "unlisted", Visibility: new(linnet.Unlisted)}, {Text: "warned", Warning: "careful"}, {Text: "sensitive", Sensitive: new(true)},
		{Text: "a reply", InReplyTo: good},
	} {
		like(w.Draft(ann, d).ID)
	}
	few := w.Post(fans[0], "few").ID
	for range 3 {
		apptest.Must(w.Posting.Marks.Favourite(w.Ctx, fans[1], few))(t)
		apptest.Must(w.Posting.Marks.Unfavourite(w.Ctx, fans[1], few))(t)
	}
	apptest.Must(w.Posting.Repost(w.Ctx, fans[1], few, nil))(t)
	like(w.Post(ann, "another of ann's").ID)
	like(good)
	apptest.Must(w.Posting.Repost(w.Ctx, fans[3], good, nil))(t)
	is := func(what string, viewer linnet.ID, want ...linnet.ID) {
		t.Helper()
		w.Drain()
		w.OK(w.Trends.HandOn(w.Ctx))
		apptest.Equal(t, what, apptest.IDs(apptest.Must(w.Trends.Statuses(w.Ctx, viewer, discovery.TrendQuery{}))(t)), want)
	}
	is("strangers", 0, good)
	apptest.Must(w.Social.Block(w.Ctx, fans[0], ann))(t)
	is("who blocks the author", fans[0])
	is("others", fans[1], good)
	w.OK(w.Moderate(linnet.Operator(), ann, linnet.Silence))
	is("a silenced author", 0)
	w.OK(w.Moderate(linnet.Operator(), ann, linnet.Unsilence))
	is("and back", 0, good)
	apptest.Must(w.Social.Profiles.Update(w.Ctx, ann, linnet.ProfileChange{Discoverable: new(false)}))(t)
	is("who does not want to be found", 0)
	apptest.Must(w.Social.Profiles.Update(w.Ctx, ann, linnet.ProfileChange{Discoverable: new(true)}))(t)
	apptest.Must(w.Posting.Delete(w.Ctx, ann, good))(t)
	v := apptest.Must(w.Trends.Statuses(w.Ctx, 0, discovery.TrendQuery{}))(t)
	if len(v) != 1 || v[0].Text != "another of ann's" {
		t.Errorf("after deletion: %v", apptest.Texts(v))
	}
	w.Check()
}

// TestTrendsOfWhom checks that silenced authors do not count for trends, and that nothing is
// counted while trends are off.
func TestTrendsOfWhom(t *testing.T) {
	w := apptest.InMemory(t)
	people := w.People(3)
	w.OK(w.Moderate(linnet.Operator(), people[0], linnet.Silence))
	for _, id := range people {
		w.Post(id, "#loud")
	}
	apptest.Must(w.Settings.ChangeInstance(w.Ctx, linnet.Operator(), linnet.InstanceChange{Trends: new(false)}))(t)
	if got := trendingTags(w); got != "" {
		t.Errorf("switched off: %q", got)
	}
	w.OK(w.Moderate(linnet.Operator(), people[0], linnet.Unsilence))
	apptest.Must(w.Settings.ChangeInstance(w.Ctx, linnet.Operator(), linnet.InstanceChange{Trends: new(true)}))(t)
	if got := trendingTags(w); got != "" {
		t.Errorf("of before: %q", got)
	}
	for _, id := range people {
		w.Post(id, "#loud")
	}
	if got := trendingTags(w); got != "loud3 3" {
		t.Errorf("afterwards: %q", got)
	}
}

// TestTwoServersMergeTrends checks that the counts of two servers are merged, and that a user of
// both counts once.
func TestTwoServersMergeTrends(t *testing.T) {
	apptest.SkipShort(t)
	ws := apptest.Servers(t, 2)
	ann, bob, cat := ws[0].Person("ann"), ws[0].Person("bob"), ws[1].Person("cat")
	apptest.Settle(ws)
	for _, w := range ws {
		for _, id := range []linnet.ID{ann, bob} {
			w.Post(id, "#both")
		}
		w.Post(ann, "#alone")
	}
	ws[1].Post(cat, "#both")
	apptest.Settle(ws)
	for _, w := range ws {
		w.OK(w.Trends.HandOn(w.Ctx))
	}
	for i, w := range ws {
		if got := trendingTags(w); got != "both5 3" {
			t.Errorf("server %d: %q", i, got)
		}
	}
	ws[0].Check()
}

// TestTrendsAreBounded checks that records are bounded and contain the most used tags. Large
// numbers of authors are estimated. The result is deterministic, and about one in a hundred crowds
// is off by 40 %.
func TestTrendsAreBounded(t *testing.T) {
	st := store.New(memkv.New(memkv.Options{}), store.Options{})
	var uses []record.TrendUse
	crowd := make([]linnet.ID, 5000)
	for i := range crowd {
		crowd[i] = linnet.MakeID(time.Unix(1_800_000_000, 0), uint16(i%1024), uint8(i/1024))
	}
	for i := range 4000 {
		uses = append(uses, record.TrendUse{Name: fmt.Sprint("rare", i), Uses: 1, People: crowd[:1]})
	}
	big := record.TrendUse{Name: "big", Uses: 5000, People: crowd}
	for range 2 {
		if err := st.Statuses.Tags.MergeTrends(t.Context(), record.TrendTags, append(uses, big)); err != nil {
			t.Fatal(err)
		}
	}
	today := st.Now().UTC().Truncate(24 * time.Hour)
	read := apptest.Must(st.Statuses.Tags.Trends(t.Context(), record.TrendTags, []time.Time{today}))(t)[0]
	if len(read) > 8*200 {
		t.Errorf("%d things are kept", len(read))
	}
	for _, tr := range read {
		if tr.Name == "big" {
			if tr.People < 3000 || tr.People > 7000 || tr.Uses != 10_000 {
				t.Errorf("5,000 people are counted as %d, 10,000 uses as %d", tr.People, tr.Uses)
			}
			return
		}
	}
	t.Error("what most people use was dropped")
}
