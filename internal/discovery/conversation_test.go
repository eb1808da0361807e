package discovery_test

import (
	"fmt"
	"slices"
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
)

// TestHomePostsWithoutMessages checks that the home timeline of pages has full pages without direct
// and chat messages, among many of them, while apps get them too. The catch-up leaves them out.
func TestHomePostsWithoutMessages(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		me, ann := w.Person("me"), w.Person("ann")
		w.Follow(me, ann)
		w.Group(ann, "talk", linnet.Chat, me)
		var want []string
		for i := range 12 {
			w.Post(ann, "post %d", i)
			want = append(want, fmt.Sprintf("post %d", i))
			for range 12 {
				w.Direct(me, "@ann psst")
			}
			w.Direct(ann, "@me psst")
			w.Post(ann, "@talk to all")
		}
		w.Drain()
		slices.Reverse(want)
		read := func(p linnet.Page) (linnet.Slice[linnet.StatusView], error) { return w.Reading.HomePosts(w.Ctx, me, p) }
		for range 2 {
			if got := apptest.Texts(w.Pages(5, read)); !slices.Equal(got, want) {
				w.Errorf("home without messages: %q", got)
			}
			page := apptest.Must(read(linnet.Page{Limit: 5}))(w)
			if len(page.Items) != 5 {
				w.Errorf("a page of %d posts", len(page.Items))
			}
			if up := apptest.Must(read(linnet.Page{Limit: 5, Min: page.Last}))(w); len(up.Items) != 4 {
				w.Errorf("%d posts above the last of a page", len(up.Items))
			}
			apptest.ForgetFeeds(w, me)
		}
		if home := apptest.Must(w.Reading.Home(w.Ctx, me, linnet.Page{Limit: 5}))(w); home.Items[0].Visibility != linnet.Direct {
			w.Errorf("apps get %q", apptest.Texts(home.Items))
		}
		for _, r := range w.CatchUp(me) {
			if r.Visibility == linnet.Direct {
				w.Errorf("the catch-up has %q", r.Text)
			}
		}
	})
}
