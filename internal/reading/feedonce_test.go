package reading_test

import (
	"fmt"
	"slices"
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
)

// TestRepostsAreOneRow checks that several reposts of a status are one row at home and in lists:
// the first, with the number of the others. The status itself replaces them.
func TestRepostsAreOneRow(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		me, ann, bob, cat, dan := w.Person("me"), w.Person("ann"), w.Person("bob"), w.Person("cat"), w.Person("dan")
		list := w.List(me, linnet.ListChange{Title: new("all")})
		for _, p := range []linnet.ID{bob, cat, dan} {
			w.Follow(me, p)
		}
		w.AddTo(me, list, bob, cat, dan)
		st := w.Post(ann, "song")
		first := apptest.Must(w.Posting.Repost(w.Ctx, bob, st.ID, nil))(w)
		apptest.Must(w.Posting.Repost(w.Ctx, cat, st.ID, nil))(w)
		last := apptest.Must(w.Posting.Repost(w.Ctx, dan, st.ID, nil))(w)
		w.Drain()
		rows := func(who linnet.ID) string {
			w.Helper()
			out := ""
			for _, v := range w.Home(who, 20) {
				out += fmt.Sprintf("%s by %s and %d; ", apptest.Texts([]linnet.StatusView{v}), v.By.Login, len(boosters(&v)))
			}
			return out
		}
		if got, want := rows(me), "[RT song] by bob and 2; "; got != want {
			w.Errorf("home is %q, want %q", got, want)
		}
		l := apptest.Must(w.Feeds.ListTimeline(w.Ctx, me, list, linnet.Page{}))(w)
		if len(l.Items) != 1 || l.Items[0].ID != first.ID || len(boosters(&l.Items[0])) != 2 {
			w.Errorf("the list has %d rows", len(l.Items))
		}
		apptest.Must(w.Social.Mute(w.Ctx, me, bob, linnet.MuteOptions{}))(w)
		if got, want := rows(me), "[RT song] by cat and 1; "; got != want {
			w.Errorf("without bob home is %q, want %q", got, want)
		}
		apptest.Must(w.Social.Follow(w.Ctx, me, cat, linnet.FollowOptions{Reposts: new(false)}))(w)
		if got, want := rows(me), "[RT song] by dan and 0; "; got != want {
			w.Errorf("without cat's reposts home is %q, want %q", got, want)
		}
		w.Follow(me, ann)
		w.Drain()
		if got, want := rows(me), "[song] by ann and 1; "; got != want {
			w.Errorf("with its author home is %q, want %q", got, want)
		}
		up := apptest.Must(w.Reading.Home(w.Ctx, me, linnet.Page{Min: linnet.CursorOf(st.ID)}))(w)
		if len(up.Items) != 0 {
			w.Errorf("above the status stand %v, of which %v is the last", apptest.Texts(up.Items), last.ID)
		}
	})
}

// TestRepostsAreOneRowAcrossPages checks that pages of home contain each status once for any page
// size and direction, also if its reposts are on both sides of a boundary.
func TestRepostsAreOneRowAcrossPages(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		me, ann, bob, cat, dan := w.Person("me"), w.Person("ann"), w.Person("bob"), w.Person("cat"), w.Person("dan")
		for _, p := range []linnet.ID{bob, cat, dan} {
			w.Follow(me, p)
		}
		var songs []linnet.ID
		for i := range 4 {
			songs = append(songs, w.Post(ann, "song %d", i).ID)
		}
		for round, p := range []linnet.ID{bob, cat, dan} {
			for i, id := range songs {
				apptest.Must(w.Posting.Repost(w.Ctx, p, id, nil))(w)
				w.Post(p, "between %d %d", round, i)
			}
		}
		w.Drain()
		whole := w.Home(me, 40)
		if len(whole) != 4+12 {
			w.Fatalf("%d rows", len(whole))
		}
		want := fmt.Sprint(apptest.Texts(whole))
		for _, limit := range []int{1, 2, 3, 5, 7} {
			var down, up []linnet.StatusView
			for p := (linnet.Page{Limit: limit}); len(down) <= len(whole); {
				page := apptest.Must(w.Reading.Home(w.Ctx, me, p))(w)
				down, p.Max = append(down, page.Items...), page.Last
				if p.Max == "" { // last page
					break
				}
			}
			if got := fmt.Sprint(apptest.Texts(down)); got != want {
				w.Errorf("down by %d: %s, want %s", limit, got, want)
			}
			for p := (linnet.Page{Limit: limit, Min: linnet.CursorOf(songs[0])}); len(up) <= len(whole); {
				page := apptest.Must(w.Reading.Home(w.Ctx, me, p))(w)
				if len(page.Items) == 0 || page.First == "" {
					break
				}
				up, p.Min = append(slices.Clone(page.Items), up...), page.First
			}
			if got := fmt.Sprint(apptest.Texts(up)); got != want {
				w.Errorf("up by %d: %s, want %s", limit, got, want)
			}
		}
	})
}

// TestRepostersNamedOnce checks whose later boosts a row at home shows. The viewer's are not among
// them.
func TestRepostersNamedOnce(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		me, ann, bob, cat := w.Person("me"), w.Person("ann"), w.Person("bob"), w.Person("cat")
		for _, p := range []linnet.ID{ann, bob, cat} {
			w.Follow(me, p)
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
			st := w.Post(ann, "song")
			for _, p := range c.boosters {
				apptest.Must(w.Posting.Repost(w.Ctx, p, st.ID, nil))(w)
			}
			w.Drain()
			row, got := w.Home(me, 40)[0], ""
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
