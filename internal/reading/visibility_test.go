package reading_test

import (
	"fmt"
	"slices"
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
)

// looker is a viewer who tries every way to a status.
type looker struct {
	name string
	id   linnet.ID
}

// TestVisibilityMatrix checks that each viewer sees the right statuses on every page.
func TestVisibilityMatrix(t *testing.T) { apptest.OnEngines(t, visibilityMatrix) }

func visibilityMatrix(w *apptest.World) {
	author := w.Person("author")
	lookers := []looker{{"nobody", 0}, {"author", author}, {"follower", w.Person("follower")}, {"mentioned", w.Person("mentioned")},
		{"stranger", w.Person("stranger")}, {"left", w.Person("left")}}
	for _, l := range lookers {
		if l.name == "follower" || l.name == "left" {
			w.Follow(l.id, author)
		}
	}
	lists := map[string]linnet.ID{}
	for _, l := range lookers[1:] {
		lists[l.name] = w.List(l.id, linnet.ListChange{})
		w.AddTo(l.id, lists[l.name], author)
	}
	root := w.Post(author, "root")
	may := map[linnet.Visibility][]string{
		linnet.Public: {"nobody", "author", "follower", "mentioned", "stranger", "left"}, linnet.Unlisted: {"nobody", "author", "follower", "mentioned", "stranger", "left"},
		linnet.Private: {"author", "follower", "mentioned"}, linnet.Direct: {"author", "mentioned"},
	}
	made := map[linnet.Visibility]linnet.StatusView{}
	for v := linnet.Public; v <= linnet.Direct; v++ {
		made[v] = w.Draft(author, linnet.Draft{Text: fmt.Sprintf("%v @mentioned #tag words", v), Visibility: &v, InReplyTo: root.ID})
	}
	left := lookers[5].id
	for _, s := range made { // the viewer marked it while it was visible
		if s.Visibility <= linnet.Private {
			apptest.Must(w.Posting.Marks.Bookmark(w.Ctx, left, s.ID))(w)
			apptest.Must(w.Posting.Marks.Favourite(w.Ctx, left, s.ID))(w)
		}
	}
	apptest.Must(w.Posting.Repost(w.Ctx, author, made[linnet.Private].ID, nil))(w)
	apptest.Must(w.Social.Unfollow(w.Ctx, left, author))(w)
	w.Drain()
	for v, s := range made {
		for _, l := range lookers {
			want := slices.Contains(may[v], l.name)
			for way, shown := range w.TryReads(l.id, lists[l.name], author, root.ID, s) {
				if shown && !want {
					w.Errorf("%s sees what is %v by %s", l.name, v, way)
				}
				if direct := slices.Contains([]string{"direct timeline", "conversations", "conversation"}, way); direct && shown != (v == linnet.Direct && want) {
					w.Errorf("%s sees what is %v by %s: %v", l.name, v, way, shown)
				}
				if !shown && want && slices.Contains([]string{"status", "thread", "profile", "statuses", "its thread"}, way) {
					w.Errorf("%s does not see what is %v by %s", l.name, v, way)
				}
			}
			if want {
				continue
			}
			for act, err := range w.TryActs(l.id, s.ID) {
				if linnet.KindOf(err) != linnet.NotFound {
					w.Errorf("%s may %s what is %v: %v", l.name, act, v, err)
				}
			}
		}
	}
	w.Check()
}
