package web_test

import (
	"encoding/base64"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"linnet/internal/linnet"
)

// composerOn returns the values that the composer on a page would submit.
func composerOn(t testing.TB, body string) url.Values {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	var form *html.Node
	for n := range doc.Descendants() {
		if n.Data == "form" && attribute(n, "data-composer") != "" {
			form = n
		}
	}
	if form == nil {
		t.Fatalf("no composer on the page:\n%s", clip(body, 3000))
	}
	v := shown(form)
	for n := range form.Descendants() {
		if n.Data == "input" && attribute(n, "type") == "hidden" {
			v.Add(attribute(n, "name"), attribute(n, "value"))
		}
	}
	v.Del("pictures") // file inputs
	return v
}

// outdatedWorld is a world in which ann submits a post after her token or session has expired.
type outdatedWorld struct {
	*world
	ann, bob linnet.User
	b        *browser
	group    linnet.ID          // private group of bob with ann as a member
	of       linnet.StatusView  // by bob
	own      linnet.StatusView  // by ann
	plan     *linnet.Scheduled  // by ann
	pictured linnet.StatusView  // by ann, with a picture
	talk     string             // ann's conversation with bob
	before   map[linnet.ID]bool // ann's earlier posts
}

func newOutdatedWorld(t *testing.T) *outdatedWorld {
	w := &outdatedWorld{world: newWorld(t, loopbackURL)}
	w.ann, w.bob = w.user("ann"), w.user("bob")
	w.talk = w.conversationOf(w.ann.ID, w.bob.ID)
	g, err := w.svc.Groups.CreateGroup(t.Context(), w.bob.ID, linnet.NewGroup{Login: "hush", Name: "Hush", Kind: linnet.PrivateGroup})
	if err == nil {
		err = w.svc.Groups.InviteToGroup(t.Context(), w.bob.ID, g.ID, []linnet.ID{w.ann.ID})
	}
	if err == nil {
		_, err = w.svc.Social.Follow(t.Context(), w.ann.ID, g.ID, linnet.FollowOptions{})
	}
	if err != nil {
		t.Fatal(err)
	}
	w.group = g.ID
	w.of, w.own = w.post(w.bob.ID, linnet.Draft{Text: "of bob's"}), w.post(w.ann.ID, linnet.Draft{Text: "of ann's", Visibility: vis(linnet.Private)})
	w.pictured = w.world.pictured(w.ann.ID, linnet.Draft{Text: "of ann's with a picture"}, "a field")
	w.plan = w.planned(w.ann.ID, "for later", time.Date(2100, 1, 2, 3, 4, 0, 0, time.UTC))
	w.b = w.browser().logIn("ann")
	w.before = map[linnet.ID]bool{}
	for _, st := range w.ofAnn() {
		w.before[st.ID] = true
	}
	return w
}

func (w *outdatedWorld) ofAnn() []linnet.StatusView {
	w.t.Helper()
	all, err := w.svc.Reading.Profile(w.t.Context(), w.ann.ID, w.ann.ID, linnet.ProfileFilter{}, linnet.Page{Limit: 40})
	if err != nil {
		w.t.Fatal(err)
	}
	return all.Items
}

// posted returns ann's only new post.
func (w *outdatedWorld) posted() (st linnet.StatusView) {
	w.t.Helper()
	n := 0
	for _, s := range w.ofAnn() {
		if !w.before[s.ID] {
			st, n = s, n+1
		}
	}
	if n != 1 {
		w.t.Fatalf("%d new posts", n)
	}
	return st
}

// writes opens a composer and submits a text that is too long with a picture, so that the browser's
// own state is lost. It returns the form with the given text and a description.
func (w *outdatedWorld) writes(path, text string) url.Values {
	w.t.Helper()
	w.b.header = http.Header{}
	want(w.t, w.b.get(path), http.StatusOK)
	in := composerOn(w.t, w.b.page)
	in.Set("text", strings.Repeat("y", 600))
	want(w.t, w.b.send("/compose", files(aPicture(90, 60)), append(flat(in), "do", "undescribed")...), http.StatusUnprocessableEntity, "maximum is")
	in = composerOn(w.t, w.b.page)
	in.Set("text", text)
	for _, id := range in["media"] {
		in.Set("alt-"+id, "described "+id)
	}
	in.Set("warning", "careful")
	in.Set("language", "de")
	return in
}

// flat returns the fields of a form without its token.
func flat(in url.Values) (fields []string) {
	for name, values := range in {
		for _, v := range values {
			if name != "form_token" {
				fields = append(fields, name, v)
			}
		}
	}
	return fields
}

// late submits a form with an expired token or after the session has ended. In the second case it
// logs in again.
func (w *outdatedWorld) late(in url.Values, ended bool) answer {
	w.t.Helper()
	w.b.header = http.Header{"Referer": {w.base + "/compose"}, "Origin": {w.base}}
	stale := maps.Clone(in)
	stale.Set("form_token", "AAAA")
	if !ended {
		return w.b.postRaw("/compose", stale)
	}
	if err := w.svc.Identity.LogOut(w.t.Context(), w.b.jar["linnet"]); err != nil {
		w.t.Fatal(err)
	}
	return w.again(w.b.postRaw("/compose", stale), "ann")
}

// again logs in from a page that holds a pending form.
func (w *outdatedWorld) again(a answer, login string) answer {
	w.t.Helper()
	kept := keptInput.FindStringSubmatch(a.body)
	if kept == nil {
		w.t.Fatalf("nothing waits for the login:\n%s", clip(a.body, 2000))
	}
	return w.b.post("/login", "login", login, "password", password, "kept", kept[1])
}

// lateCase is a kind of composer with the expected post.
type lateCase struct {
	name string
	path func(w *outdatedWorld) string
	is   func(w *outdatedWorld, media []string) bool
}

func lateCases() []lateCase {
	query := func(name string, id func(w *outdatedWorld) linnet.ID) func(w *outdatedWorld) string {
		return func(w *outdatedWorld) string { return "/compose?" + name + "=" + id(w).String() }
	}
	own := func(w *outdatedWorld) linnet.ID { return w.own.ID }
	of := func(w *outdatedWorld) linnet.ID { return w.of.ID }
	whole := func(st linnet.StatusView, media []string) bool {
		for i, id := range media {
			if len(st.Media) != len(media) || st.Media[i].ID.String() != id || st.Media[i].Description != "described "+id {
				return false
			}
		}
		return len(media) > 0 && strings.HasSuffix(st.Text, "at length") && st.Warning == "careful" && st.Language == "de"
	}
	return []lateCase{
		{"pictures", func(*outdatedWorld) string { return "/compose" }, func(w *outdatedWorld, media []string) bool { return whole(w.posted(), media) }},
		{"reply", query("in_reply_to", of), func(w *outdatedWorld, media []string) bool {
			return w.posted().InReplyTo == w.of.ID && whole(w.posted(), media)
		}},
		{"quote", query("quote", of), func(w *outdatedWorld, media []string) bool {
			return w.posted().QuoteOf == w.of.ID && whole(w.posted(), media)
		}},
		{"edit", query("edit", own), func(w *outdatedWorld, media []string) bool {
			w.before[w.own.ID] = false
			return w.posted().ID == w.own.ID && w.posted().Visibility == linnet.Private && whole(w.posted(), media)
		}},
		{"plan", query("scheduled", func(w *outdatedWorld) linnet.ID { return w.plan.ID }), func(w *outdatedWorld, media []string) bool {
			_, n, err := w.svc.Posting.Scheduled.Soonest(w.t.Context(), w.ann.ID, 0, 9)
			p := w.world.plan(w.ann.ID)
			return err == nil && n == 1 && p.Draft.Text == "at length" && p.At.Equal(w.plan.At) && len(p.Media) == 1 && p.Media[0].Description == "described "+media[0]
		}},
		{"redraft", query("redraft", func(w *outdatedWorld) linnet.ID { return w.pictured.ID }), func(w *outdatedWorld, media []string) bool {
			return len(media) == 2 && len(w.ofAnn()) == len(w.before) && whole(w.posted(), media)
		}},
		{"conversation", func(w *outdatedWorld) string { return w.talk }, func(w *outdatedWorld, media []string) bool {
			st := w.posted()
			return st.Visibility == linnet.Direct && len(st.Mentions) == 1 && st.Mentions[0].ID == w.bob.ID && whole(st, media)
		}},
		{"group", func(*outdatedWorld) string { return "/@hush" }, func(w *outdatedWorld, media []string) bool {
			return w.posted().ForMembers() && whole(w.posted(), media)
		}},
	}
}

// TestOutdatedPostIsShownWhole checks that a late post is shown again with all fields, without help
// from the browser. Resubmitting publishes the intended post and deletes its draft.
func TestOutdatedPostIsShownWhole(t *testing.T) {
	for _, k := range lateCases() {
		for name, ended := range map[string]bool{"out of date": false, "ended": true} {
			t.Run(k.name+" "+name, func(t *testing.T) {
				t.Parallel()
				w := newOutdatedWorld(t)
				in := w.writes(k.path(w), "at length")
				a := w.late(in, ended)
				got := composerOn(t, a.body)
				for _, of := range []url.Values{in, got} {
					of.Del("form_token")
				}
				drafts := 1
				if in.Get("plan") != "" { // edits of scheduled posts are never drafts
					drafts = 0
				} else if got.Get("draft") == "" || !strings.Contains(a.body, "We&#39;ve also saved your text as a draft.") {
					t.Error("it is no draft")
				}
				if w.drafts(w.ann.ID) != drafts {
					t.Errorf("%d drafts", w.drafts(w.ann.ID))
				}
				in.Del("draft")
				sent := maps.Clone(got)
				got.Del("draft")
				if !maps.EqualFunc(in, got, slices.Equal) {
					t.Errorf("given back:\n%v\nsent was:\n%v", got, in)
				}
				w.b.header = http.Header{}
				want(t, w.b.send("/compose", files(), flat(sent)...), http.StatusSeeOther)
				if !k.is(w, in["media"]) || w.drafts(w.ann.ID) != 0 {
					t.Errorf("%d drafts, posts %+v", w.drafts(w.ann.ID), w.ofAnn()[0].Status)
				}
			})
		}
	}
}

// TestOutdatedPictures checks that uploads of a late form are stored too. After the end of a
// session they must be chosen again, and the page says so.
func TestOutdatedPictures(t *testing.T) {
	w := newOutdatedWorld(t)
	in := flat(w.writes("/compose", "at length"))
	w.b.header, w.b.page = http.Header{"Referer": {w.base + "/compose"}, "Origin": {w.base}}, ""
	a := w.b.send("/compose", files(aPicture(30, 30)), append(in, "form_token", "AAAA")...)
	want(t, a, http.StatusForbidden, "We've also saved your text as a draft.")
	if d := w.saved(w.ann.ID); len(attached(a)) != 2 || len(d.Media) != 2 || d.Media[0].Description != "described "+attached(a)[0] {
		t.Errorf("pictures %q, of the draft %+v", attached(a), d.Media)
	}
	w.b.jar["linnet"], w.b.page = "ended", ""
	a = w.again(w.b.send("/compose", files(aPicture(30, 30)), append(in, "form_token", "AAAA")...), "ann")
	want(t, a, http.StatusOK, "Your files weren't uploaded. Choose them again.")
	if len(attached(a)) != 1 {
		t.Errorf("pictures %q", attached(a))
	}
}

// TestOutdatedPostOfDeletedContext checks that a late post says if its parent, group or original
// was deleted. It does not become visible to others, and the draft keeps the reference.
func TestOutdatedPostOfDeletedContext(t *testing.T) {
	deletes := func(by func(w *outdatedWorld) linnet.ID, st func(w *outdatedWorld) linnet.ID) func(w *outdatedWorld) error {
		return func(w *outdatedWorld) error {
			_, err := w.svc.Posting.Delete(w.t.Context(), by(w), st(w))
			return err
		}
	}
	ann, bob := func(w *outdatedWorld) linnet.ID { return w.ann.ID }, func(w *outdatedWorld) linnet.ID { return w.bob.ID }
	of, own := func(w *outdatedWorld) linnet.ID { return w.of.ID }, func(w *outdatedWorld) linnet.ID { return w.own.ID }
	leaves := func(w *outdatedWorld) error {
		_, err := w.svc.Social.Unfollow(w.t.Context(), w.ann.ID, w.group)
		return err
	}
	for _, k := range []struct {
		name, of string
		goes     func(w *outdatedWorld) error
		says     string
		narrow   bool
		keeps    func(w *outdatedWorld, d linnet.Scheduled) bool
	}{
		{"reply", "reply", deletes(bob, of), "The post you're replying to was deleted, or you can no longer see it.", false, func(w *outdatedWorld, d linnet.Scheduled) bool { return d.Draft.InReplyTo == w.of.ID }},
		{"quote", "quote", deletes(bob, of), "The post you quoted was deleted, or you can no longer see it.", false, func(w *outdatedWorld, d linnet.Scheduled) bool { return d.Draft.QuoteOf == w.of.ID }},
		{"edit", "edit", deletes(ann, own), "The post you're editing was deleted.", true, func(w *outdatedWorld, d linnet.Scheduled) bool { return d.Edits == w.own.ID }},
		{"group", "group", leaves, "group", true, func(w *outdatedWorld, d linnet.Scheduled) bool {
			return d.Group == w.group || *d.Draft.Visibility == linnet.Direct
		}},
	} {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			w := newOutdatedWorld(t)
			c := lateCases()[slices.IndexFunc(lateCases(), func(c lateCase) bool { return c.name == k.of })]
			in := w.writes(c.path(w), "at length")
			if err := k.goes(w); err != nil {
				t.Fatal(err)
			}
			a := w.late(in, false)
			want(t, a, http.StatusForbidden, k.says, "You can still post this", "The pictures are still in the draft.", "We've also saved your text as a draft.")
			got := composerOn(t, a.body)
			if k.narrow && got.Get("visibility") != "direct" || got.Get("draft") != "" || got.Get("key") == in.Get("key") || got.Has("media") || got.Get("text") != "at length" {
				t.Errorf("%v", got)
			}
			want(t, w.b.send("/compose", files(), flat(got)...), http.StatusSeeOther)
			d := w.saved(w.ann.ID)
			if w.posted().Text != "at length" || len(d.Media) != 1 || d.Media[0].Description != "described "+in.Get("media") || !k.keeps(w, d) {
				t.Errorf("posted %+v, the draft %+v", w.posted().Status, d)
			}
			page := w.b.get("/compose?draft=" + d.ID.String())
			want(t, page, http.StatusOK, k.says, "described "+in.Get("media"))
			if k.narrow && composerOn(t, page.body).Get("visibility") != "direct" {
				t.Error("the draft is for others")
			}
		})
	}
}

// TestOutdatedPostOfAnotherUser checks that a late post is not shown to another account that logs
// in, only to its author.
func TestOutdatedPostOfAnotherUser(t *testing.T) {
	for name, ended := range map[string]bool{"out of date": false, "ended": true} {
		t.Run(name, func(t *testing.T) {
			w := newOutdatedWorld(t)
			in := w.writes("/compose", "at length")
			in.Set("form_token", "AAAA")
			if ended {
				w.b.jar["linnet"] = "ended"
			} else {
				w.b.header = http.Header{}
				w.b.logIn("bob")
			}
			w.b.header = http.Header{"Origin": {w.base}}
			a := w.b.postRaw("/compose", in)
			if ended {
				a = w.again(a, "bob")
			}
			want(t, a, http.StatusForbidden, "This text was written with another account. Nothing was changed. Log in to that account to get the text back.")
			if strings.Contains(a.body, "at length") || len(attached(a)) > 0 || w.drafts(w.bob.ID) != 0 {
				t.Errorf("%d drafts, %s", w.drafts(w.bob.ID), clip(a.body, 3000))
			}
			a = w.again(a, "ann")
			want(t, a, http.StatusOK, "at length", "We've also saved your text as a draft.")
			if !slices.Equal(attached(a), in["media"]) || w.drafts(w.ann.ID) != 1 {
				t.Errorf("pictures %q, %d drafts", attached(a), w.drafts(w.ann.ID))
			}
			in.Del("by") // like a page from before the by field existed
			w.b.header = http.Header{}
			w.b.logIn("bob")
			w.b.header = http.Header{"Origin": {w.base}}
			a = w.b.postRaw("/compose", in)
			want(t, a, http.StatusForbidden, "A picture was deleted.")
			if got := composerOn(t, a.body); got.Has("media") || strings.Contains(a.body, "described "+in.Get("media")) {
				t.Errorf("%v", got)
			}
		})
	}
}

// TestOutdatedEmptyPost checks that a pending form without values shows an empty composer.
func TestOutdatedEmptyPost(t *testing.T) {
	w := newOutdatedWorld(t)
	b := w.browser()
	b.get("/login")
	a := b.post("/login", "login", "ann", "password", password, "kept", base64.RawURLEncoding.EncodeToString([]byte(`{"action":"/compose","page":"/"}`)))
	want(t, a, http.StatusOK, "You're logged in again", "data-composer")
	if w.drafts(w.ann.ID) != 0 {
		t.Errorf("%d drafts", w.drafts(w.ann.ID))
	}
}
