package discovery_test

import (
	"fmt"
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
	"linnet/internal/posting"
)

// TestTagRules checks who can restrict tags, the limit, and posts of feeds with a restricted tag.
func TestTagRules(t *testing.T) {
	w := apptest.InMemory(t)
	ann, boss := w.Person("ann"), linnet.Operator()
	no := false
	apptest.WantKind(t, w.Trends.ChangeTag(w.Ctx, linnet.By(ann), "spring", linnet.TagChange{Usable: &no}), linnet.Forbidden)
	apptest.WantKind(t, w.Trends.ChangeTag(w.Ctx, boss, "12", linnet.TagChange{Usable: &no}), linnet.NotFound)
	w.OK(w.Trends.ChangeTag(w.Ctx, boss, "Frühling", linnet.TagChange{Usable: &no}))
	feed := apptest.Must(w.View.User(w.Ctx, ann, ann))(t)
	_, err := w.Posting.PostFeedItem(w.Ctx, &feed.User, posting.FeedItem{Key: "1", Text: "#FRÜHLING", At: w.Store.Now()})
	apptest.WantKind(t, err, linnet.Invalid)
	for i := range linnet.MaxTagRules - 1 {
		w.OK(w.Trends.ChangeTag(w.Ctx, boss, fmt.Sprint("tag", i), linnet.TagChange{Listable: &no}))
	}
	apptest.WantKind(t, w.Trends.ChangeTag(w.Ctx, boss, "more", linnet.TagChange{Usable: &no}), linnet.Invalid)
	w.OK(w.Trends.ChangeTag(w.Ctx, boss, "tag7", linnet.TagChange{Usable: &no}))
	w.OK(w.Trends.ChangeTag(w.Ctx, boss, "frühling", linnet.TagChange{Usable: new(true)}))
	w.Post(ann, "#frühling")
	w.OK(w.Trends.ChangeTag(w.Ctx, boss, "more", linnet.TagChange{Usable: &no}))
	w.Check()
}

// TestTagRulesOnServers checks that the rules of one server apply on another.
func TestTagRulesOnServers(t *testing.T) {
	apptest.SkipShort(t)
	ws := apptest.Servers(t, 2)
	ann := ws[0].Person("ann")
	apptest.Settle(ws)
	ws[0].OK(ws[0].Trends.ChangeTag(ws[0].Ctx, linnet.Operator(), "spring", linnet.TagChange{Usable: new(false)}))
	ws[1].WaitFor("the rule", func() string {
		_, err := ws[1].Posting.Post(ws[1].Ctx, ann, linnet.Draft{Text: "#spring"})
		return fmt.Sprint(linnet.KindOf(err) == linnet.Invalid)
	}, "true")
}
