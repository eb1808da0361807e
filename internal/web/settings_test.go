package web_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
)

func TestProfileSettings(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann := w.user("ann")
	b := w.browser().logIn("ann")
	const path = "/settings/profile"
	want(t, b.get(path), http.StatusOK, `name="feeds" id="f-feeds" value="1" checked`, `<option value="public" selected>`)
	wantTo(t, b.post(path, "display_name", "Ann Lee", "note", "Birds.\nMostly.", "name1", "Seen", "value1", "412", "name3", "Home", "value3", "x",
		"locked", "1", "bot", "1", "hide_network", "1", "visibility", "private", "sensitive", "1", "undo_send", "1", "language", "de"), path+"?done=saved")
	u, err := w.svc.View.User(t.Context(), ann.ID, ann.ID)
	if err != nil {
		t.Fatal(err)
	}
	if u.Name != "Ann Lee" || u.Note != "Birds.\nMostly." || len(u.Fields) != 2 || u.Fields[1].Name != "Home" || !u.Locked || !u.Bot ||
		u.Discoverable || u.Indexable || !u.NoFeeds || !u.HideNetwork ||
		u.Posting != (linnet.PostingDefaults{Visibility: linnet.Private, Sensitive: true, Language: "de", NoAltReminder: true, UndoSend: true}) {
		t.Errorf("saved %+v", u.User)
	}
	want(t, b.get(path+"?done=saved"), http.StatusOK, "Saved.", `value="Ann Lee"`, "Birds.\nMostly.</textarea>", `name="bot" id="f-bot" value="1" checked`)
	b.get(path)
	long := strings.Repeat("x", linnet.MaxDisplayName+1)
	a := b.post(path, "display_name", long, "note", "kept <b>", "visibility", "unlisted", "value2", "typed")
	want(t, a, http.StatusUnprocessableEntity, `value="`+long+`"`, "Display name is too long", `id="f-display_name-wrong"`,
		`aria-describedby="f-display_name-hint f-display_name-wrong"`, "kept &lt;b&gt;</textarea>", `value="unlisted" selected`, `value="typed"`)
	if strings.Contains(a.body, `name="bot" id="f-bot" value="1" checked`) {
		t.Error("a box that was cleared is ticked again")
	}
	want(t, b.post(path, "value1", strings.Repeat("x", linnet.MaxFieldChars+1)), http.StatusUnprocessableEntity, `id="f-value1-wrong"`)
	want(t, b.post(path, "language", "???"), http.StatusUnprocessableEntity, `id="f-language-wrong"`)
}

// TestPictureDescriptions checks that descriptions are stored with new pictures, shown on the profile
// and deleted with the pictures.
func TestPictureDescriptions(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann := w.user("ann")
	b := w.browser().logIn("ann")
	const path = "/settings/profile"
	b.get(path)
	wantTo(t, b.send(path, map[string][][]byte{"avatar": {aPicture(50, 40)}, "header": {aPicture(90, 30)}}, "avatar_description", "An owl", "header_description", "A <marsh>"), path+"?done=saved")
	want(t, b.get(path), http.StatusOK, "An owl</textarea>", "A &lt;marsh&gt;</textarea>")
	want(t, w.browser().get("/@ann"), http.StatusOK, `alt="An owl" width="96"`, `alt="A &lt;marsh&gt;">`)
	want(t, b.post(path, "avatar_description", strings.Repeat("x", linnet.MaxProfileAlt+1)), http.StatusUnprocessableEntity, `id="f-avatar_description-wrong"`)
	wantTo(t, b.post(path, "no-avatar", "1", "avatar_description", "An owl", "header_description", ""), path+"?done=saved")
	if u, err := w.svc.View.User(t.Context(), ann.ID, ann.ID); err != nil || u.AvatarAlt != "" || u.BannerAlt != "" || u.Banner == "" {
		t.Errorf("saved %+v, %v", u.User, err)
	}
	old := strings.Repeat("x", linnet.MaxProfileAlt) + "\ny" // an earlier version allowed this
	apptest.StoreDescriptions(t, w.svc.Store(), ann.ID, old)
	want(t, b.get(path), http.StatusOK, old+"</textarea>")
	sent := strings.ReplaceAll(old, "\n", "\r\n")
	wantTo(t, b.post(path, "note", "hello", "avatar_description", sent, "header_description", sent), path+"?done=saved")
	b.get(path)
	want(t, b.post(path, "avatar_description", sent, "header_description", sent+"z"), http.StatusUnprocessableEntity, `id="f-header_description-wrong"`)
}

// TestProfileTabSettings checks that hidden tabs of a profile are hidden from others.
func TestProfileTabSettings(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann, bob := w.user("ann"), w.user("bob")
	parent := w.post(bob.ID, linnet.Draft{Text: "hello"})
	w.pictured(ann.ID, linnet.Draft{Text: "answer", InReplyTo: parent.ID}, "a duck")
	const path, media, featured = "/settings/profile", "/@ann/media", "/@ann/featured"
	b, other := w.browser().logIn("ann"), w.browser()
	want(t, b.get(path), http.StatusOK, `name="show_media" id="f-show_media" value="1" checked`, `name="show_media_replies" id="f-show_media_replies" value="1" checked`, `name="show_featured" id="f-show_featured" value="1" checked`)
	want(t, other.get(media), http.StatusOK, `href="`+media+`"`, `href="`+featured+`"`, "/media/")
	wantTo(t, b.post(path, "show_media", "1", "show_featured", "1"), path+"?done=saved")
	want(t, other.get(media), http.StatusOK, "No media yet")
	b.get(path)
	wantTo(t, b.post(path, "show_media_replies", "1"), path+"?done=saved")
	for _, tab := range []string{media, featured} {
		wantTo(t, other.get(tab), "/@ann")
		if strings.Contains(other.get("/@ann").body, `href="`+tab+`"`) {
			t.Errorf("%s is linked", tab)
		}
		want(t, b.get(tab), http.StatusOK, `href="`+media+`"`, `href="`+featured+`"`)
	}
}

func TestPolicySettings(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann, bob := w.user("ann"), w.user("bob")
	b := w.browser().logIn("ann")
	const path = "/settings/notifications"
	want(t, b.get(path), http.StatusOK, `<select id="f-for_limited_accounts" name="for_limited_accounts"><option value="accept">Show</option><option value="filter" selected>`)
	wantTo(t, b.post(path, "for_not_following", "filter", "for_limited_accounts", "drop", "for_bots", "drop"), path+"?done=saved")
	p, err := w.svc.Notify.NotificationPolicy(t.Context(), ann.ID)
	if err != nil || p.NotFollowing != linnet.Hold || p.Limited != linnet.Drop || p.Bots != linnet.Drop || p.NotFollowers != linnet.Accept {
		t.Errorf("policy %+v, %v", p, err)
	}
	b.get(path)
	want(t, b.post(path, "for_new_accounts", "eat"), http.StatusUnprocessableEntity, `id="f-for_new_accounts-wrong"`)
	w.post(bob.ID, linnet.Draft{Text: "@ann hello"})
	eventually(t, "the notification is held", func() bool { return strings.Contains(b.get(path).body, "1 notification from 1 person.") })
}

func TestFilterSettings(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann := w.user("ann")
	w.user("eve")
	b := w.browser().logIn("ann")
	want(t, b.get("/settings/filters"), http.StatusOK, "No filters.")
	b.get("/settings/filters/new")
	want(t, b.post("/settings/filters/new", "title", "", "keyword", "fox\r\n hen "), http.StatusUnprocessableEntity, `id="f-title-wrong"`, "fox")
	wantTo(t, b.postRaw("/settings/filters/new", map[string][]string{"form_token": {formToken(b)}, "title": {"Predators"}, "keyword": {"fox\r\n hen \r\n"}, "parts": {"cat"},
		"context": {"home", "thread"}, "filter_action": {"hide"}, "expires": {"3600"}}), "/settings/filters?done=saved")
	all, err := w.svc.Reading.Filters(t.Context(), ann.ID)
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	f := all[0]
	// The instance's clock runs ahead a little (apptest.Steps).
	if f.Action != linnet.FilterHide || f.Context != linnet.FilterHome|linnet.FilterThread || len(f.Keywords) != 3 || f.Keywords[2].WholeWord || time.Until(f.ExpiresAt) > time.Hour+time.Minute {
		t.Errorf("made %+v", f)
	}
	path := "/settings/filters/" + f.ID.String()
	want(t, b.get("/settings/filters"), http.StatusOK, "Predators", "Home and lists, Threads", "Hide completely", path)
	want(t, b.get(path), http.StatusOK, "fox\nhen</textarea>", `value="home" checked`, `<option value="keep" selected>`)
	wantTo(t, b.postRaw(path, map[string][]string{"form_token": {formToken(b)}, "title": {"Cats"}, "keyword": {"cat\nhen"}, "context": {"public"}, "expires": {"keep"}}), "/settings/filters?done=saved")
	now, err := w.svc.Reading.Filter(t.Context(), ann.ID, f.ID)
	if err != nil || now.Title != "Cats" || len(now.Keywords) != 2 || now.Keywords[0].ID != f.Keywords[1].ID || !now.Keywords[1].WholeWord || !now.ExpiresAt.Equal(f.ExpiresAt) {
		t.Errorf("changed to %+v, %v", now, err)
	}
	b.get(path)
	want(t, b.post(path, "title", "Cats", "keyword", "hen"), http.StatusUnprocessableEntity, `<fieldset class="field" id="f-context" aria-invalid="true" aria-describedby="f-context-wrong">`)
	eve := w.browser().logIn("eve")
	want(t, eve.get(path), http.StatusNotFound)
	eve.get("/settings/filters/new")
	want(t, eve.post(path, "title", "mine"), http.StatusNotFound)
	want(t, eve.post(path+"/delete"), http.StatusNotFound)
	b.get("/settings/filters")
	wantTo(t, b.post(path+"/delete"), "/settings/filters?done=saved")
	want(t, b.get(path), http.StatusNotFound)
}

// formToken returns the form token of the last page.
func formToken(b *browser) string { return unescape(tokenInput.FindStringSubmatch(b.page)[1]) }

func TestPeopleSettings(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann, bob := w.user("ann"), w.user("bob")
	ctx := t.Context()
	if _, err := w.svc.Social.Mute(ctx, ann.ID, bob.ID, linnet.MuteOptions{For: time.Hour}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.svc.Social.Block(ctx, ann.ID, bob.ID); err != nil {
		t.Fatal(err)
	}
	b := w.browser().logIn("ann")
	want(t, b.get("/settings/mutes"), http.StatusOK, `aria-label="Unmute @bob"`, `<time datetime="`)
	wantTo(t, b.post("/settings/mutes", "user", bob.ID.String()), "/settings/mutes?done=saved")
	want(t, b.get("/settings/mutes"), http.StatusOK, "You haven't muted anyone.")
	want(t, b.get("/settings/blocks"), http.StatusOK, `aria-label="Unblock @bob"`)
	wantTo(t, b.post("/settings/blocks", "user", bob.ID.String()), "/settings/blocks?done=saved")
	want(t, b.get("/settings/blocks"), http.StatusOK, "You haven't blocked anyone.")
	want(t, b.post("/settings/blocks", "user", "x"), http.StatusNotFound)
}

func TestAppSettings(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann := w.user("ann")
	app := w.app("read write:lists", webApp)
	if _, err := w.svc.Apps.UserToken(t.Context(), ann.ID, app.ID, []string{"read", "write:lists"}); err != nil {
		t.Fatal(err)
	}
	b := w.browser().logIn("ann")
	a := b.get("/settings/apps")
	want(t, a, http.StatusOK, "Perch", "Read everything you can see, including followers-only posts, direct messages, lists and notifications", `aria-label="Revoke access for Perch"`)
	id := regexp.MustCompile(`name="session" value="([^"]+)"`).FindStringSubmatch(a.body)[1]
	wantTo(t, b.post("/settings/apps", "session", id), "/settings/apps?done=saved")
	want(t, b.get("/settings/apps"), http.StatusOK, "No apps have access to your account.")
}

func TestFeaturedTagSettings(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann := w.user("ann")
	w.post(ann.ID, linnet.Draft{Text: "#Wrens and #oaks"})
	b := w.browser().logIn("ann")
	const path = "/settings/tags"
	want(t, b.get(path), http.StatusOK, "No featured hashtags.", `aria-label="Feature #oaks"`)
	wantTo(t, b.post(path, "name", " #Wrens "), path+"?done=saved")
	a := b.get(path + "?done=saved")
	want(t, a, http.StatusOK, "Saved.", `<a href="/@ann/tagged/wrens"><bdi>#Wrens</bdi></a>`, `class="n"><div><bdi>1</bdi></div></td>`, `aria-label="Remove #Wrens"`)
	if strings.Contains(a.body, `aria-label="Feature #wrens"`) {
		t.Error("a featured tag is suggested")
	}
	want(t, b.post(path, "name", "no tag"), http.StatusUnprocessableEntity, `value="no tag"`, "must contain only letters, digits and underscores, and can't be all digits", `id="f-name-wrong"`)
	for i := range linnet.MaxFeaturedTags - 1 {
		b.get(path)
		wantTo(t, b.post(path, "name", "t"+strings.Repeat("x", i)), path+"?done=saved")
	}
	b.get(path)
	want(t, b.post(path, "name", "more"), http.StatusUnprocessableEntity, "can't be added")
	id := regexp.MustCompile(`name="remove" value="([^"]+)"`).FindStringSubmatch(b.get(path).body)[1]
	wantTo(t, b.post(path, "remove", id), path+"?done=saved")
	b.get(path)
	wantTo(t, b.post(path, "remove", id), path+"?done=saved") // removing it twice is harmless
	b.get(path)
	want(t, b.post(path, "remove", "x"), http.StatusNotFound)
	tags, err := w.svc.Discovery.FeaturedTags(t.Context(), 0, ann.ID)
	if err != nil || len(tags) != linnet.MaxFeaturedTags-1 {
		t.Errorf("%d tags, %v", len(tags), err)
	}
}
