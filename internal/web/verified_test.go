package web_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"linnet/internal/linnet"
)

// verifiedLinks checks that verified links have a mark with the date, on profiles and in the
// settings. The settings also show the HTML for the linked page.
func verifiedLinks(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann := w.user("ann")
	b := w.browser().logIn("ann")
	const asks = `&lt;a rel=&#34;me&#34; href=&#34;` + loopbackURL + `/@ann&#34;&gt;`
	if a := b.get("/settings/profile"); strings.Contains(a.body, "Verified links") {
		t.Error("links are verified where no page is fetched")
	}
	fields := []linnet.ProfileField{{Name: "Home", Value: "https://ann.example"}, {Name: "Other", Value: "https://other.example"}, {Name: "Seen", Value: "412 kinds"}}
	if _, err := w.svc.Social.Profiles.Update(t.Context(), ann.ID, linnet.ProfileChange{Fields: &fields}); err != nil {
		t.Fatal(err)
	}
	on := true
	if _, err := w.svc.Settings.ChangeInstance(t.Context(), linnet.Operator(), linnet.InstanceChange{Cards: &on}); err != nil {
		t.Fatal(err)
	}
	if err := w.svc.Store().Accounts.VerifyLink(t.Context(), ann.ID, "https://ann.example", time.Date(2026, 11, 26, 9, 30, 0, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	const says = `Ownership of this link was checked on 26 November 2026, 09:30 UTC`
	a := w.browser().get("/@ann")
	want(t, a, http.StatusOK, `aria-label="`+says+`"`, `rel="me nofollow noopener noreferrer"`)
	if n := strings.Count(a.body, says); n != 2 { // in the mark's label and its tooltip
		t.Errorf("%d marks", n)
	}
	want(t, b.get("/settings/profile"), http.StatusOK, asks, says, "Not verified")
}

// featuredOnProfiles checks that the featured page of a profile shows its featured tags and
// accounts. It marks mutual follows.
func featuredOnProfiles(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann, bob, cat := w.user("ann"), w.user("bob"), w.user("cat")
	want(t, w.browser().get("/@ann/featured"), http.StatusOK, "Nothing featured yet<", `aria-current="page">Featured`)
	w.follows(ann.ID, bob.ID, cat.ID)
	w.follows(bob.ID, ann.ID)
	if _, err := w.svc.Discovery.FeatureTag(t.Context(), ann.ID, "Birds"); err != nil {
		t.Fatal(err)
	}
	if _, err := w.svc.Social.Endorse(t.Context(), ann.ID, bob.ID, true); err != nil {
		t.Fatal(err)
	}
	a := w.browser().get("/@ann/featured")
	want(t, a, http.StatusOK, "Featured hashtags", "/@ann/tagged/birds", "Featured accounts", `href="/@bob"`)
	if strings.Contains(a.body, `href="/@cat"`) {
		t.Error("who is followed alone is featured")
	}
	eventually(t, "tasks end", w.svc.Idle)
	b := w.browser().logIn("bob")
	want(t, b.get("/@ann"), http.StatusOK, "you follow each other")
	wantTo(t, b.get("/@ANN/featured"), "/@ann/featured")
}
