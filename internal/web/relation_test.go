package web_test

import (
	"net/http"
	"strings"
	"testing"

	"linnet/internal/linnet"
)

func (w *world) relation(me, other linnet.ID) linnet.Relationship {
	w.t.Helper()
	rels, err := w.svc.Social.Relationships(w.t.Context(), me, []linnet.ID{other})
	if err != nil || len(rels) != 1 {
		w.t.Fatalf("%d relations, %v", len(rels), err)
	}
	return rels[0]
}

func TestActsOnPeople(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann, bob := w.user("ann"), w.user("bob")
	b := w.browser().logIn("bob")
	for _, tc := range []struct {
		act  string
		form []string
		is   func(linnet.Relationship) bool
	}{
		{"follow", nil, func(r linnet.Relationship) bool { return r.Following && r.Reposts }},
		{"notify", nil, func(r linnet.Relationship) bool { return r.Notify }},
		{"noboosts", nil, func(r linnet.Relationship) bool { return !r.Reposts && r.Notify }},
		{"endorse", nil, func(r linnet.Relationship) bool { return r.Endorsed }},
		{"note", []string{"note", "owes me a box"}, func(r linnet.Relationship) bool { return r.Note == "owes me a box" }},
		{"mute", []string{"for", "day", "notices", "1"}, func(r linnet.Relationship) bool { return r.Muting && r.MutingNotices && !r.MutedUntil.IsZero() }},
		{"unmute", nil, func(r linnet.Relationship) bool { return !r.Muting }},
		{"unfollow", nil, func(r linnet.Relationship) bool { return !r.Following }},
		{"block", nil, func(r linnet.Relationship) bool { return r.Blocking }},
		{"unblock", nil, func(r linnet.Relationship) bool { return !r.Blocking }},
	} {
		wantTo(t, b.press("/@ann", append([]string{"act", tc.act}, tc.form...)...), "/@ann")
		if r := w.relation(bob.ID, ann.ID); !tc.is(r) {
			t.Errorf("after %s: %+v", tc.act, r)
		}
		want(t, b.get("/@ann"), http.StatusOK)
	}
	want(t, b.press("/@ann", "act", "explode"), http.StatusBadRequest)
	want(t, b.press("/@bob", "act", "follow"), http.StatusNotFound)
	want(t, b.press("/@nobody", "act", "follow"), http.StatusNotFound)
	want(t, w.browser().get("/@ann/mute"), http.StatusSeeOther)
}

func followRequestsOnPages(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann, bob := w.user("ann"), w.user("bob")
	eve := w.user("eve")
	locked := true
	if _, err := w.svc.Social.Profiles.Update(t.Context(), ann.ID, linnet.ProfileChange{Locked: &locked}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"bob", "eve"} {
		b := w.browser().logIn(name)
		want(t, b.get("/@ann"), http.StatusOK, "Request to follow")
		wantTo(t, b.press("/@ann", "act", "follow"), "/@ann")
		want(t, b.get("/@ann"), http.StatusOK, "Requested")
	}
	own := w.browser().logIn("ann")
	eventually(t, "the requests are there", func() bool { return strings.Count(own.get("/requests").body, `value="accept"`) == 2 })
	want(t, own.get("/notifications"), http.StatusOK, "requested to follow you")
	want(t, own.get("/@bob"), http.StatusOK, "Requested to follow you.")
	wantTo(t, own.press("/@bob", "act", "accept"), "/@bob")
	wantTo(t, own.press("/@eve", "act", "reject"), "/@eve")
	eventually(t, "both are answered", func() bool {
		return w.relation(bob.ID, ann.ID).Following && !w.relation(eve.ID, ann.ID).Requested
	})
	eventually(t, "the follower is listed", func() bool { return strings.Contains(own.get("/@ann/followers").body, "@bob</bdi>") })
	want(t, own.get("/@bob/following"), http.StatusOK, "@ann</bdi>")
	wantTo(t, own.press("/@bob", "act", "remove"), "/@bob")
	if w.relation(bob.ID, ann.ID).Following {
		t.Error("a removed follower follows")
	}
}

func TestReportOnPages(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann := w.user("ann")
	w.user("bob")
	w.open("Be kind.", "Name your sources.")
	st := w.post(ann.ID, linnet.Draft{Text: "buy my feathers"})
	b := w.browser().logIn("bob")
	want(t, b.get("/@ann/report?post="+st.ID.String()), http.StatusOK, `value="`+st.ID.String()+`" checked`, "buy my feathers", "Name your sources.")
	a := b.post("/@ann/report", "category", "violation", "comment", strings.Repeat("x", linnet.MaxReason+1), "post", st.ID.String(), "rule", "2")
	want(t, a, http.StatusUnprocessableEntity, "comment-wrong", `value="2" checked`, `value="`+st.ID.String()+`" checked`)
	wantTo(t, b.post("/@ann/report", "category", "violation", "comment", "feathers", "post", st.ID.String(), "rule", "2"), "/@ann/reported")
	want(t, b.get("/@ann/reported"), http.StatusOK, "The moderators have received your report about")
	all, err := w.svc.Moderation.Reports(t.Context(), linnet.Operator(), linnet.ReportFilter{}, linnet.Page{Limit: 5})
	if err != nil || len(all.Items) != 1 || all.Items[0].Comment != "feathers" || len(all.Items[0].Statuses) != 1 || len(all.Items[0].Rules) != 1 {
		t.Errorf("%+v %v", all, err)
	}
}
