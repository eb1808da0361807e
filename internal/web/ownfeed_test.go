package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"linnet/internal/linnet"
)

// TestOwnFeeds checks that feeds can be created, read, edited and deleted without scripts. Errors
// are shown next to the entered values.
func TestOwnFeeds(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann, bob, eve := w.user("ann"), w.user("bob"), w.user("eve")
	title := "Top 10"
	l, err := w.svc.Lists.CreateList(t.Context(), ann.ID, linnet.ListChange{Title: &title})
	if err == nil {
		err = w.svc.Lists.AddToList(t.Context(), ann.ID, l.ID, []linnet.ID{eve.ID})
	}
	if err != nil {
		t.Fatal(err)
	}
	w.post(bob.ID, linnet.Draft{Text: "by bob #birds"})
	w.post(eve.ID, linnet.Draft{Text: "by eve"})
	eventually(t, "tasks end", w.svc.Idle)
	b := w.browser().logIn("ann")
	want(t, b.get("/feeds"), http.StatusOK, "No feeds yet")
	want(t, b.get("/feeds/new"), http.StatusOK, `name="source" value="home"`, `value="86400" selected>a day`)
	usual := []string{"title", "Mine", "reblogs", "2", "replies", "1", "half_life", "0", "window", "3600", "do", "save"}
	for _, x := range []struct {
		says  string
		typed []string
	}{
		{"must be a number from 0 to 100", []string{"favourites", "many", "source", "home"}},
		{"This value is 101, but must be from 0 to 100.", []string{"favourites", "101", "source", "home"}},
		{"This value is &#34;best&#34;, but must be importance or newest", []string{"favourites", "1", "order", "best", "source", "home"}},
		{"The sources must have from 1 to 5 entries", []string{"favourites", "1"}},
		{", which isn't available. Remove it", []string{"favourites", "1", "source", "nonsense"}},
		{"which doesn't exist", []string{"favourites", "1", "source", "account:1"}},
		{"which isn't one of your lists", []string{"favourites", "1", "source", "list:1"}},
		{"must be between 1 and 5", []string{"favourites", "1", "source", "home", "amount", "6"}},
		{"must be between 1 and 5", []string{"favourites", "1", "source", "home", "amount", "much"}},
		{"The sources must have from 1 to 5 entries", []string{"favourites", "1", "source", "home", "source", "local", "source", "tag:a", "source", "tag:b", "source", "tag:c", "source", "tag:d"}},
		{"have 6 entries (maximum is 5)", []string{"favourites", "1", "source", "home", "source", "local", "source", "tag:a", "source", "tag:b", "source", "tag:c", "do", "add:tag:d"}},
	} {
		a := b.postRaw("/feeds/new", feedForm(b, append(x.typed, usual...)...))
		want(t, a, http.StatusUnprocessableEntity, x.says, `value="Mine"`)
	}
	listKey, bobKey := "list:"+l.ID.String(), "account:"+bob.ID.String()
	a := b.postRaw("/feeds/new", feedForm(b, append([]string{"source", "tag:birds", "amount", "5", "was", "3", "source", listKey, "amount", "3", "was", "1", "source", bobKey, "amount", "3", "was", "0.25", "favourites", "1"}, usual...)...))
	want(t, a, http.StatusSeeOther)
	path := a.Header.Get("Location")
	a = b.get(path)
	want(t, a, http.StatusOK, "by bob", "by eve", "Score 3 = 1 × 3 for source")
	if strings.Index(a.body, "by bob") > strings.Index(a.body, "by eve") {
		t.Error("the weight of a source does not count")
	}
	want(t, b.get(path+"/edit"), http.StatusOK, `value="tag:birds"`, `name="was" value="3"`, ">3 times</output>", `value="`+listKey+`"`, "Top 10", `value="`+bobKey+`"`, ">Normal</output>", `value="0" selected>Never`)
	want(t, b.postRaw(path+"/edit", feedForm(b, "title", "Other", "source", bobKey, "amount", "2", "favourites", "1", "reblogs", "2", "replies", "1.5", "half_life", "86400", "window", "3600")), http.StatusSeeOther)
	want(t, b.get("/feeds"), http.StatusOK, "Other")
	want(t, b.get(path+"?cursor=x"), http.StatusSeeOther)
	want(t, b.get(path+"/edit"), http.StatusOK, `value="1.5" selected>1.5<`, `name="was" value="0.5"`, `step="1" value="2" list`, ">Lower</output>")
	eves := w.browser().logIn("eve")
	eves.get("/feeds/new")
	want(t, eves.get(path), http.StatusNotFound)
	eves.get("/feeds/new")
	want(t, eves.post(path+"/delete"), http.StatusNotFound)
	b.get(path + "/edit")
	want(t, b.post(path+"/delete"), http.StatusSeeOther)
	want(t, b.get(path), http.StatusNotFound)
	want(t, b.get("/feeds"), http.StatusOK, "No feeds yet")
}

// feedForm returns the values of a feed form. Names can repeat, except for the first "do".
func feedForm(b *browser, pairs ...string) url.Values {
	v := url.Values{"form_token": {formToken(b)}}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i] == "do" && v.Get("do") != "" {
			continue
		}
		v.Add(pairs[i], pairs[i+1])
	}
	return v
}

// TestOwnFeedIsChosen checks that the buttons of the feed form find, add and remove sources without
// saving. They keep the entered values, and Enter in the search field searches.
func TestOwnFeedIsChosen(t *testing.T) {
	w := newWorld(t, loopbackURL)
	bob := w.user("bob")
	w.user("ann")
	g, err := w.svc.Groups.CreateGroup(t.Context(), bob.ID, linnet.NewGroup{Login: "hedge", Name: "Hedgerow", Kind: linnet.PublicGroup})
	if err != nil {
		t.Fatal(err)
	}
	w.post(bob.ID, linnet.Draft{Text: "@hedge wrens are back"})
	w.post(bob.ID, linnet.Draft{Text: "not about that"})
	eventually(t, "tasks end", w.svc.Idle)
	b := w.browser().logIn("ann")
	b.get("/feeds/new")
	typed := []string{"title", "Typed", "source", "home", "amount", "4", "favourites", "5", "reblogs", "2", "replies", "1", "half_life", "0", "window", "86400"}
	kept := []string{`value="Typed"`, `value="home"`, ">Higher</output>", `value="5" selected>5<`}
	a := b.postRaw("/feeds/new", feedForm(b, append(typed, "find", "hedge")...))
	groupKey := "account:" + g.ID.String()
	want(t, a, http.StatusOK, append(kept, `value="hedge"`, `value="add:`+groupKey+`"`, "Group, @hedge", `value="add:tag:hedge"`)...)
	want(t, b.postRaw("/feeds/new", feedForm(b, append(typed, "find", "@bob", "do", "find")...)), http.StatusOK, append(kept, `value="add:account:`+bob.ID.String()+`"`)...)
	want(t, b.postRaw("/feeds/new", feedForm(b, append(typed, "find", "@nobody")...)), http.StatusOK, append(kept, "No more results")...)
	a = b.postRaw("/feeds/new", feedForm(b, append(typed, "do", "add:"+groupKey)...))
	want(t, a, http.StatusOK, append(kept, `name="source" value="`+groupKey+`"`, `value="remove:`+groupKey+`"`)...)
	a = b.postRaw("/feeds/new", feedForm(b, append(typed, "source", groupKey, "amount", "5", "do", "remove:home")...))
	want(t, a, http.StatusOK, `name="source" value="`+groupKey+`"`, ">Highest</output>", `value="add:home"`)
	if strings.Contains(a.body, `name="source" value="home"`) {
		t.Error("what was removed is still chosen")
	}
	want(t, b.get("/feeds"), http.StatusOK, "No feeds yet")
	b.get("/feeds/new")
	a = b.postRaw("/feeds/new", feedForm(b, "title", "Hedge", "source", groupKey, "amount", "4", "favourites", "1", "reblogs", "2", "replies", "1", "half_life", "0", "window", "86400", "do", "save"))
	want(t, a, http.StatusSeeOther)
	a = b.get(a.Header.Get("Location"))
	want(t, a, http.StatusOK, "wrens are back")
	if strings.Contains(a.body, "not about that") {
		t.Error("the feed shows what is not of the group")
	}
}

// TestOwnFeedLeavesOut checks that the exclusions of a feed are stored and survive validation
// errors. A feed sorted by time shows no scores.
func TestOwnFeedLeavesOut(t *testing.T) {
	w := newWorld(t, loopbackURL)
	bob := w.user("bob")
	w.user("ann")
	w.post(bob.ID, linnet.Draft{Text: "words alone"})
	eventually(t, "tasks end", w.svc.Idle)
	b := w.browser().logIn("ann")
	a := b.get("/feeds/new")
	want(t, a, http.StatusOK, `value="importance" selected`, `name="exclude_replies"`, `name="exclude_reblogs"`, `name="only_media"`)
	if strings.Contains(a.body, " checked") {
		t.Error("a new feed leaves something out")
	}
	typed := []string{"title", "Mine", "order", "newest", "exclude_replies", "1", "only_media", "1", "source", "local", "favourites", "1", "reblogs", "2", "replies", "1", "half_life", "0", "do", "save"}
	kept := []string{`value="newest" selected`, `id="f-exclude_replies" value="1" checked`, `id="f-only_media" value="1" checked`, `id="f-exclude_reblogs" value="1"`}
	want(t, b.postRaw("/feeds/new", feedForm(b, append(typed, "window", "60")...)), http.StatusUnprocessableEntity, append(kept, "is 60 seconds")...)
	a = b.postRaw("/feeds/new", feedForm(b, append(typed, "window", "3600")...))
	want(t, a, http.StatusSeeOther)
	path := a.Header.Get("Location")
	if a = b.get(path); strings.Contains(a.body, "words alone") {
		t.Error("the feed shows what it leaves out")
	}
	want(t, a, http.StatusOK, "No posts yet", "newest first")
	a = b.get(path + "/edit")
	want(t, a, http.StatusOK, kept...)
	if strings.Count(a.body, " checked") != 2 {
		t.Error("a box is ticked that was not")
	}
	want(t, b.postRaw(path+"/edit", feedForm(b, "title", "Mine", "order", "newest", "source", "local", "favourites", "1", "reblogs", "2", "replies", "1", "half_life", "0", "window", "3600")), http.StatusSeeOther)
	if a = b.get(path); !strings.Contains(a.body, "words alone") || strings.Contains(a.body, "Score 1") {
		t.Error("the feed does not show what it held back, or says a score")
	}
}

// TestSliderSaysItsWord checks that the script updates the label of a slider while it moves, for
// screen readers too. The server renders the first label.
func TestSliderSaysItsWord(t *testing.T) {
	needChromium(t)
	w := served(t)
	ann := w.user("ann")
	title := "Mine"
	f, err := w.svc.Feeds.CreateOwnFeed(t.Context(), ann.ID, linnet.OwnFeedChange{Title: &title, Sources: &[]linnet.FeedSource{{Kind: linnet.FromHome, Weight: 3}}})
	if err != nil {
		t.Fatal(err)
	}
	tb := newTab(t)
	tb.enters(w, "ann")
	tb.open(w.base + "/feeds/" + f.ID.String() + "/edit")
	const says = "document.querySelector('.slide input').getAttribute('aria-valuetext') + ' ' + document.querySelector('output').value"
	tb.holds(says + " == '3 times 3 times'")
	tb.eval("document.querySelector('.slide input').focus()")
	for _, x := range []struct{ key, word string }{{"ArrowLeft", "Higher"}, {"ArrowLeft", "Normal"}, {"End", "3 times"}, {"Home", "Lowest"}} {
		tb.hit(x.key)
		tb.holds(says+" == %q", x.word+" "+x.word)
	}
	tb.loads(func() { tb.clicks("button[value=save]") })
	if got, err := w.svc.Feeds.OwnFeed(t.Context(), ann.ID, f.ID); err != nil || got.Sources[0].Weight != 0.25 {
		t.Errorf("%+v %v", got.Sources, err)
	}
	tb.calm()
}
