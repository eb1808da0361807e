package reading_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"linnet/internal/app/apptest"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// TestPublicTimeline checks that the global timeline merges the public statuses of all shards,
// newest first, without replies to others and reposts. It pages in both directions.
func TestPublicTimeline(t *testing.T) { apptest.OnEngines(t, publicTimeline) }

func publicTimeline(w *apptest.World) {
	by := w.People(40)
	var want []linnet.ID
	for i := range 200 {
		d := linnet.Draft{Text: fmt.Sprint(i), Visibility: new([]linnet.Visibility{linnet.Public, linnet.Public, linnet.Unlisted, linnet.Private, linnet.Direct}[i%5])}
		v := w.Draft(by[i%40], d)
		if i%5 < 2 {
			want = append([]linnet.ID{v.ID}, want...)
		}
	}
	own := w.Draft(by[0], linnet.Draft{Text: "to myself", InReplyTo: w.Post(by[0], "thread").ID})
	want = append([]linnet.ID{own.ID, own.InReplyTo}, want...)
	w.Draft(by[1], linnet.Draft{Text: "to another", InReplyTo: own.ID})
	apptest.Must(w.Posting.Repost(w.Ctx, by[2], own.ID, nil))(w)
	slices.Sort(want) // ids of one millisecond have no order
	slices.Reverse(want)
	read := func(p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
		return w.Reading.Public(w.Ctx, 0, linnet.PublicQuery{}, p)
	}
	for _, limit := range []int{1, 7, 40} {
		apptest.Equal(w, fmt.Sprint("by ", limit), apptest.IDs(w.Pages(limit, read)), want)
	}
	up := apptest.Must(read(linnet.Page{Min: linnet.CursorOf(want[20]), Limit: 5}))(w)
	apptest.Equal(w, "up", apptest.IDs(up.Items), want[15:20])
	since := apptest.Must(read(linnet.Page{Since: linnet.CursorOf(want[20]), Limit: 5}))(w)
	apptest.Equal(w, "since", apptest.IDs(since.Items), want[:5])
	for _, q := range []linnet.PublicQuery{{Remote: true}, {OnlyMedia: true}} {
		if s := apptest.Must(w.Reading.Public(w.Ctx, 0, q, linnet.Page{}))(w); len(s.Items) != 0 {
			w.Errorf("%+v: %d", q, len(s.Items))
		}
	}
}

// TestTimelinesAreTrimmed checks that only the newest statuses of the global timeline and of a tag
// are stored.
func TestTimelinesAreTrimmed(t *testing.T) {
	w := apptest.InMemory(t)
	ann := w.Person("ann")
	for i := range 3500 { // all in one of sixteen slices
		w.Post(ann, "%d", i)
	}
	n := len(w.Pages(40, func(p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
		return w.Reading.Public(w.Ctx, 0, linnet.PublicQuery{}, p)
	}))
	if n < 2500 || n > 2900 {
		t.Errorf("%d are kept", n)
	}
}

func TestTagTimeline(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann, bob := w.Person("ann"), w.Person("bob")
		w.Post(ann, "one #Café")
		w.Post(bob, "two #CAFE #Tea")
		w.Draft(bob, linnet.Draft{Text: "unlisted #cafe", Visibility: new(linnet.Unlisted)})
		w.Draft(ann, linnet.Draft{Text: "answer #tea", InReplyTo: w.Post(bob, "three #tea #milk").ID})
		read := func(q linnet.TagQuery) string {
			return fmt.Sprint(apptest.Texts(w.Pages(2, func(p linnet.Page) (linnet.Slice[linnet.StatusView], error) { return w.Reading.Tag(w.Ctx, 0, q, p) })))
		}
		for want, q := range map[string]linnet.TagQuery{
			"[two #CAFE #Tea one #Café]":                              {Tag: "cafe"},
			"[answer #tea three #tea #milk two #CAFE #Tea]":           {Tag: "#TEA"},
			"[answer #tea three #tea #milk two #CAFE #Tea one #Café]": {Tag: "tea", Any: []string{"CAFÉ"}},
			"[two #CAFE #Tea]":                                        {Tag: "tea", All: []string{"cafe"}},
			"[answer #tea]":                                           {Tag: "tea", None: []string{"cafe", "milk"}},
			"[]":                                                      {Tag: "nothing"},
		} {
			if got := read(q); got != want {
				w.Errorf("%+v: %v, want %v", q, got, want)
			}
		}
		_, err := w.Reading.Tag(w.Ctx, 0, linnet.TagQuery{Tag: "a", Any: strings.Split("abcde", "")}, linnet.Page{})
		apptest.WantKind(w, err, linnet.Invalid)
		info := apptest.Must(w.Discovery.TagInfo(w.Ctx, "Tea"))(w)
		if d := info.Days[0]; d.Uses != 3 || d.Users != 2 || len(info.Days) != 7 {
			w.Errorf("use of the tag: %+v", info.Days)
		}
		if found := apptest.Must(w.Discovery.SearchTags(w.Ctx, apptest.SearchFor("#tea")))(w); len(found) != 1 || found[0].Name != "tea" {
			w.Errorf("search: %+v", found)
		}
	})
}

// TestThread checks that a thread lists ancestors oldest first and descendants below their parents,
// without invisible statuses.
func TestThread(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann, bob, cat := w.Person("ann"), w.Person("bob"), w.Person("cat")
		say := func(by linnet.ID, text string, to linnet.ID, v linnet.Visibility) linnet.ID {
			return w.Draft(by, linnet.Draft{Text: text, InReplyTo: to, Visibility: &v}).ID
		}
		root := say(ann, "root", 0, linnet.Public)
		one := say(bob, "1", root, linnet.Public)
		two := say(ann, "2", root, linnet.Public)
		eleven := say(ann, "1.1", one, linnet.Public)
		say(cat, "2.1", two, linnet.Public)
		secret := say(bob, "secret", one, linnet.Private)
		say(bob, "below the secret", secret, linnet.Public)
		say(bob, "1.1.1", eleven, linnet.Public)
		show := func(viewer, id linnet.ID) string {
			th := apptest.Must(w.Reading.Thread(w.Ctx, viewer, id, linnet.ThreadQuery{}))(w)
			return fmt.Sprint(apptest.Texts(th.Ancestors), apptest.Texts(th.Descendants))
		}
		for name, c := range map[string][2]string{
			"root":            {show(cat, root), "[] [1 1.1 1.1.1 below the secret 2 2.1]"},
			"root for bob":    {show(bob, root), "[] [1 1.1 1.1.1 secret below the secret 2 2.1]"},
			"root for nobody": {show(0, root), "[] [1 1.1 1.1.1 below the secret 2 2.1]"},
			"in the middle":   {show(0, eleven), "[root 1] [1.1.1]"},
		} {
			if c[0] != c[1] {
				w.Errorf("%s: %s, want %s", name, c[0], c[1])
			}
		}
		repost := apptest.Must(w.Posting.Repost(w.Ctx, cat, one, nil))(w)
		if got := show(0, repost.ID); got != "[root] [1.1 1.1.1 below the secret]" {
			w.Errorf("thread of a repost: %s", got)
		}
		_, err := w.Reading.Thread(w.Ctx, cat, secret, linnet.ThreadQuery{})
		apptest.WantKind(w, err, linnet.NotFound)
		if _, err := w.Posting.Delete(w.Ctx, bob, one); err != nil {
			w.Fatal(err)
		}
		w.Drain()
		if got := show(0, root); got != "[] [2 2.1 1.1 1.1.1 below the secret]" {
			w.Errorf("after a deletion: %s", got)
		}
		if v := apptest.Must(w.View.Status(w.Ctx, 0, root))(w); v.Replies != 2 {
			w.Errorf("%d replies are counted", v.Replies)
		}
	})
}

// TestProfileTimeline checks that a profile shows statuses according to the viewer and the filter.
func TestProfileTimeline(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann, bob := w.Person("ann"), w.Person("bob")
		first := w.Post(ann, "first #tag")
		w.Draft(ann, linnet.Draft{Text: "to bob", InReplyTo: w.Post(bob, "hm").ID})
		w.Draft(ann, linnet.Draft{Text: "to myself", InReplyTo: first.ID})
		apptest.Must(w.Posting.Repost(w.Ctx, ann, w.Post(bob, "by bob").ID, nil))(w)
		w.Draft(ann, linnet.Draft{Text: "private", Visibility: new(linnet.Private)})
		w.Draft(ann, linnet.Draft{Text: "direct @bob", Visibility: new(linnet.Direct)})
		show := func(viewer linnet.ID, f linnet.ProfileFilter) string {
			return fmt.Sprint(apptest.Texts(w.Pages(2, func(p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
				return w.Reading.Profile(w.Ctx, viewer, ann, f, p)
			})))
		}
		const public = "RT by bob to myself to bob first #tag]"
		cat := w.Person("cat")
		for i, c := range [][2]string{
			{show(0, linnet.ProfileFilter{}), "[" + public}, {show(cat, linnet.ProfileFilter{}), "[" + public},
			{show(bob, linnet.ProfileFilter{}), "[direct @bob " + public}, {show(ann, linnet.ProfileFilter{}), "[direct @bob private " + public},
			{show(0, linnet.ProfileFilter{ExcludeReplies: true}), "[RT by bob to myself first #tag]"},
			{show(0, linnet.ProfileFilter{ExcludeReposts: true}), "[to myself to bob first #tag]"},
			{show(0, linnet.ProfileFilter{Tag: "TAG"}), "[first #tag]"}, {show(0, linnet.ProfileFilter{OnlyMedia: true}), "[]"},
		} {
			if c[0] != c[1] {
				w.Errorf("case %d: %s, want %s", i, c[0], c[1])
			}
		}
		w.Follow(cat, ann)
		if got := show(cat, linnet.ProfileFilter{}); got != "[private "+public {
			w.Errorf("a follower sees %s", got)
		}
		up := apptest.Must(w.Reading.Profile(w.Ctx, ann, ann, linnet.ProfileFilter{}, linnet.Page{Min: linnet.CursorOf(first.ID), Limit: 2}))(w)
		if got := fmt.Sprint(apptest.Texts(up.Items)); got != "[to myself to bob]" {
			w.Errorf("upwards: %s", got)
		}
		if v := apptest.Must(w.View.User(w.Ctx, 0, ann))(w); v.Statuses != 5 {
			w.Errorf("%d statuses are counted; the direct one is not", v.Statuses)
		}
	})
}

// TestSearchStatuses checks that search covers the user's own statuses and addresses.
func TestSearchStatuses(t *testing.T) {
	w := apptest.InMemory(t)
	ann, bob := w.Person("ann"), w.Person("bob")
	v := w.Post(ann, "The quick brown fox")
	w.Post(ann, "A slow brown bear")
	w.Post(bob, "quick brown too")
	secret := w.Draft(bob, linnet.Draft{Text: "x", Visibility: new(linnet.Private)})
	for q, want := range map[string]string{"brown": "[A slow brown bear The quick brown fox]", "BROWN quick": "[The quick brown fox]",
		"green": "[]", "": "[]", v.URL: "[The quick brown fox]", secret.URL: "[]", "https://linnet.test/@ann/77": "[]"} {
		if got := fmt.Sprint(apptest.Texts(apptest.Must(w.Discovery.SearchStatuses(w.Ctx, ann, apptest.SearchFor(q)))(t).Statuses)); got != want {
			t.Errorf("%q: %s, want %s", q, got, want)
		}
	}
	if got := apptest.Must(w.Discovery.SearchStatuses(w.Ctx, 0, apptest.SearchFor("brown")))(t).Statuses; len(got) != 0 {
		t.Errorf("nobody finds %v", apptest.Texts(got))
	}
}

// TestClockMovesOddly checks that an author's statuses keep their order and none is missing when
// the clock stops, goes back or jumps.
func TestClockMovesOddly(t *testing.T) {
	clock := &apptest.Clock{}
	w := apptest.Idle(t, memkv.New(memkv.Options{Now: clock.Now}), store.Options{Now: clock.Now})
	ann, bob := w.Person("ann"), w.Person("bob")
	w.Follow(bob, ann)
	var want []linnet.ID
	for i := range 60 {
		clock.Set(time.Duration(i%3-1) * time.Hour)
		if i%10 == 9 {
			w.Store = store.New(w.Store.Engine(), store.Options{Now: clock.Now}) // restart
			fresh := apptest.Idle(t, w.Store.Engine(), store.Options{Now: clock.Now})
			w.App, w.Store = fresh.App, fresh.Store
		}
		want = append([]linnet.ID{w.Post(ann, "%d", i).ID}, want...)
	}
	apptest.Equal(t, "home", apptest.IDs(w.Home(bob, 7)), want)
	w.Check()
}
