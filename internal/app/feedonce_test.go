package app_test

import (
	"fmt"
	"slices"
	"testing"

	"linnet/internal/linnet"
)

// TestRepostsAreOneRow checks that several reposts of a status are one row at home and in lists:
// the first, with the number of the others. The status itself replaces them.
func TestRepostsAreOneRow(t *testing.T) {
	onEngines(t, func(w *world) {
		me, ann, bob, cat, dan := w.person("me"), w.person("ann"), w.person("bob"), w.person("cat"), w.person("dan")
		list := w.list(me, linnet.ListChange{Title: new("all")})
		for _, p := range []linnet.ID{bob, cat, dan} {
			w.follow(me, p)
		}
		w.addTo(me, list, bob, cat, dan)
		st := w.post(ann, "song")
		first := must(w.Posting.Repost(w.ctx, bob, st.ID, nil))(w)
		must(w.Posting.Repost(w.ctx, cat, st.ID, nil))(w)
		last := must(w.Posting.Repost(w.ctx, dan, st.ID, nil))(w)
		w.drain()
		rows := func(who linnet.ID) string {
			w.Helper()
			out := ""
			for _, v := range w.home(who, 20) {
				out += fmt.Sprintf("%s by %s and %d; ", texts([]linnet.StatusView{v}), v.By.Login, len(boosters(&v)))
			}
			return out
		}
		if got, want := rows(me), "[RT song] by bob and 2; "; got != want {
			w.Errorf("home is %q, want %q", got, want)
		}
		l := must(w.Feeds.ListTimeline(w.ctx, me, list, linnet.Page{}))(w)
		if len(l.Items) != 1 || l.Items[0].ID != first.ID || len(boosters(&l.Items[0])) != 2 {
			w.Errorf("the list has %d rows", len(l.Items))
		}
		must(w.Social.Mute(w.ctx, me, bob, linnet.MuteOptions{}))(w)
		if got, want := rows(me), "[RT song] by cat and 1; "; got != want {
			w.Errorf("without bob home is %q, want %q", got, want)
		}
		must(w.Social.Follow(w.ctx, me, cat, linnet.FollowOptions{Reposts: new(false)}))(w)
		if got, want := rows(me), "[RT song] by dan and 0; "; got != want {
			w.Errorf("without cat's reposts home is %q, want %q", got, want)
		}
		w.follow(me, ann)
		w.drain()
		if got, want := rows(me), "[song] by ann and 1; "; got != want {
			w.Errorf("with its author home is %q, want %q", got, want)
		}
		up := must(w.Reading.Home(w.ctx, me, linnet.Page{Min: linnet.CursorOf(st.ID)}))(w)
		if len(up.Items) != 0 {
			w.Errorf("above the status stand %v, of which %v is the last", texts(up.Items), last.ID)
		}
	})
}

// TestRepostsAreOneRowAcrossPages checks that pages of home contain each status once for any page
// size and direction, also if its reposts are on both sides of a boundary.
func TestRepostsAreOneRowAcrossPages(t *testing.T) {
	onEngines(t, func(w *world) {
		me, ann, bob, cat, dan := w.person("me"), w.person("ann"), w.person("bob"), w.person("cat"), w.person("dan")
		for _, p := range []linnet.ID{bob, cat, dan} {
			w.follow(me, p)
		}
		var songs []linnet.ID
		for i := range 4 {
			songs = append(songs, w.post(ann, "song %d", i).ID)
		}
		for round, p := range []linnet.ID{bob, cat, dan} {
			for i, id := range songs {
				must(w.Posting.Repost(w.ctx, p, id, nil))(w)
				w.post(p, "between %d %d", round, i)
			}
		}
		w.drain()
		whole := w.home(me, 40)
		if len(whole) != 4+12 {
			w.Fatalf("%d rows", len(whole))
		}
		want := fmt.Sprint(texts(whole))
		for _, limit := range []int{1, 2, 3, 5, 7} {
			var down, up []linnet.StatusView
			for p := (linnet.Page{Limit: limit}); len(down) <= len(whole); {
				page := must(w.Reading.Home(w.ctx, me, p))(w)
				down, p.Max = append(down, page.Items...), page.Last
				if p.Max == "" { // last page
					break
				}
			}
			if got := fmt.Sprint(texts(down)); got != want {
				w.Errorf("down by %d: %s, want %s", limit, got, want)
			}
			for p := (linnet.Page{Limit: limit, Min: linnet.CursorOf(songs[0])}); len(up) <= len(whole); {
				page := must(w.Reading.Home(w.ctx, me, p))(w)
				if len(page.Items) == 0 || page.First == "" {
					break
				}
				up, p.Min = append(slices.Clone(page.Items), up...), page.First
			}
			if got := fmt.Sprint(texts(up)); got != want {
				w.Errorf("up by %d: %s, want %s", limit, got, want)
			}
		}
	})
}

// TestRepostersNamedOnce checks whose later boosts a row at home shows. The viewer's are not among
// them.
func TestRepostersNamedOnce(t *testing.T) {
	onEngines(t, func(w *world) {
		me, ann, bob, cat := w.person("me"), w.person("ann"), w.person("bob"), w.person("cat")
		for _, p := range []linnet.ID{ann, bob, cat} {
			w.follow(me, p)
		}
		for _, c := range []struct {
			boosters []linnet.ID
			want     string
		}{
			{nil, ""},
			{[]linnet.ID{me}, ""},
			{[]linnet.ID{bob}, "bob "},
			{[]linnet.ID{me, bob}, "bob "},
			{[]linnet.ID{bob, me, cat}, "cat bob "},
		} {
			st := w.post(ann, "song")
			for _, p := range c.boosters {
				must(w.Posting.Repost(w.ctx, p, st.ID, nil))(w)
			}
			w.drain()
			row, got := w.home(me, 40)[0], ""
			for _, u := range boosters(&row) {
				got += u.Login + " "
			}
			if row.ID != st.ID || got != c.want {
				w.Errorf("boosted by %v: the row of %v names %q, want %q", c.boosters, row.ID, got, c.want)
			}
		}
	})
}

// boosters returns the boosters of later boosts that a timeline left out.
func boosters(v *linnet.StatusView) []*linnet.SharedUser {
	if v.Extra == nil {
		return nil
	}
	return v.Extra.AlsoBy
}
