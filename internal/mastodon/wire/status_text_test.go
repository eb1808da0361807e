package wire

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"linnet/internal/linnet"
)

// dice generates random views of every form, with texts that look like JSON.
type dice struct{ *rand.Rand }

func (d dice) yes() bool { return d.IntN(2) == 0 }

func (d dice) text() string {
	parts := []string{"", "word ", `"`, `\`, `,"content":`, `"reblog":null`, `"account":{`, "}", "]", "<b>&amp;", "\u2028", "\xff", "ü🐦", "\n\t\x00", "null"}
	var s string
	for range d.IntN(6) {
		s += parts[d.IntN(len(parts))]
	}
	return s
}

func (d dice) id() linnet.ID {
	return linnet.MakeID(time.UnixMilli(d.Int64N(1<<41)), uint16(d.IntN(1024)), uint8(d.IntN(64)))
}

func (d dice) optID() linnet.ID {
	if d.yes() {
		return 0
	}
	return d.id()
}

func (d dice) user() linnet.UserView {
	u := linnet.UserView{User: linnet.User{ID: d.id(), Login: d.text(), Name: d.text(), Bot: d.yes(), Discoverable: d.yes(),
		Indexable: d.yes(), HideNetwork: d.yes(), Role: linnet.Role(d.IntN(3)), Suspended: d.yes()},
		Followers: d.Int64N(1 << 40), Following: d.Int64N(9), Statuses: d.Int64N(9), NoteHTML: d.text(), URL: d.text(), Host: d.text()}
	for range d.IntN(3) {
		u.Fields = append(u.Fields, linnet.ProfileField{Name: d.text(), Value: d.text()})
		u.FieldsHTML = append(u.FieldsHTML, d.text())
	}
	return u
}

func (d dice) status(original bool) linnet.StatusView {
	author := d.id()
	if d.yes() {
		author = 1 // one of the viewers
	}
	st := &linnet.SharedStatus{Status: linnet.Status{ID: d.id(), Author: author, Pinned: d.yes(), Text: d.text(), Warning: d.text(), Sensitive: d.yes(),
		Language: d.text(), Visibility: linnet.Visibility(d.IntN(4)), InReplyTo: d.optID(), InReplyAuthor: d.optID(),
		App: linnet.AppName{Name: d.text(), Website: d.text()}},
		By: &linnet.SharedUser{UserView: d.user()}, HTML: d.text(), Replies: d.Int64N(9), Quotes: d.Int64N(9), Reposts: d.Int64N(9), Favourites: d.Int64N(9),
		URL: d.text(), URI: d.text()}
	if d.IntN(8) > 0 {
		st.Memo = new(linnet.Memo)
	}
	if d.yes() {
		st.Card = &linnet.Card{Title: d.text(), Link: "https://site.test/", Claims: 1}
	}
	for range d.IntN(3) {
		st.MentionsOf, st.Tags = append(st.MentionsOf, d.user()), append(st.Tags, d.text())
	}
	v := linnet.StatusView{SharedStatus: st, Favourited: d.yes(), Reposted: d.yes(), Bookmarked: d.yes()}
	if d.IntN(4) == 0 {
		in := d.user()
		st.In = &in
	}
	if d.IntN(3) == 0 {
		v.PollView = d.poll()
	}
	if st.QuotePolicy, v.MayQuote = linnet.QuotePolicy(d.IntN(3)), d.yes(); d.IntN(3) == 0 {
		v.Quote = d.quote(original)
	}
	if d.IntN(3) == 0 {
		v.Filtered = d.filtered()
	}
	if !original && d.IntN(3) == 0 {
		o := d.status(true)
		st.RepostOf, v.Repost = o.ID, &o
	}
	return v
}

// quote returns a quote. Within a quoted or boosted status it only has an id.
func (d dice) quote(nested bool) *linnet.QuoteView {
	q := &linnet.QuoteView{State: linnet.QuoteState([]string{"accepted", "revoked", "muted_account"}[d.IntN(3)]), Nested: nested}
	if q.State == linnet.QuoteRevoked {
		return q
	}
	if q.Of = d.id(); !nested {
		v := d.status(true)
		q.Of, q.Status = v.ID, &v
	}
	return q
}

func (d dice) poll() *linnet.PollView {
	p := &linnet.PollView{Poll: &linnet.Poll{Options: []string{d.text(), d.text()}, Expires: d.id().Time(), Multiple: d.yes()},
		ID: d.id(), Voters: d.Int64N(9), Votes: d.Int64N(9), Ended: d.yes(), Voted: d.yes()}
	if d.yes() {
		p.Counts = []int64{d.Int64N(9), d.Int64N(9)}
	}
	if p.Voted {
		p.Own = []int{d.IntN(2)}
	}
	return p
}

func (d dice) filtered() *[]linnet.FilterResult {
	found := make([]linnet.FilterResult, d.IntN(3))
	for i := range found {
		found[i].Filter = &linnet.Filter{ID: d.id(), Title: d.text(), Context: linnet.FilterContext(d.IntN(32)), Action: linnet.FilterAction(d.IntN(3))}
		if d.yes() {
			found[i].Filter.ExpiresAt = d.id().Time()
		}
		for range d.IntN(3) {
			found[i].Keywords, found[i].Statuses = append(found[i].Keywords, d.text()), append(found[i].Statuses, d.id())
		}
	}
	return &found
}

// sameText compares the text of a document with the result of encoding/json for the plain form.
func sameText(t *testing.T, e *Encoder, d document, plain any) {
	t.Helper()
	var got, want []byte
	err := e.Encode(d, func(b []byte) { got = bytes.Clone(b) })
	if perr := e.Encode(plain, func(b []byte) { want = bytes.Clone(b) }); err != nil || perr != nil {
		t.Fatal(err, perr)
	}
	if !bytes.Equal(got, want) {
		t.Fatalf("written\n%s\nwant\n%s", got, want)
	}
}

// compareTexts generates views and compares all documents with them. Each is encoded three times:
// new, cached, and cached with different marks.
func compareTexts(t *testing.T, seed uint64) {
	a := &Encoder{base: "https://example.com", bannerURL: "https://example.com/banner", viewerStates: viewerStateTexts()}
	d := dice{rand.New(rand.NewPCG(seed, 1))}
	views := make([]linnet.StatusView, d.IntN(5))
	for i := range views {
		views[i] = d.status(false)
	}
	if len(views) > 1 && d.yes() { // two statuses by one author
		views[1].By = views[0].By
	}
	for _, viewer := range []linnet.ID{1, 1, 0} {
		plain := Each(views, func(v *linnet.StatusView) Status { return a.Status(v, viewer) })
		sameText(t, a, StatusList{viewer, views}, plain)
		notes, plainNotes := make([]linnet.NotificationView, len(views)), make([]notification, len(views))
		for i := range views {
			v := &views[i]
			sameText(t, a, OneStatus{viewer, v}, plain[i])
			n := linnet.NotificationView{Notification: linnet.Notification{ID: d.id(), Type: linnet.NotificationType(d.text())},
				At: v.ID.Time(), By: v.By}
			if d.yes() {
				n.Status = v
			}
			notes[i], plainNotes[i] = n, a.notification(&n, viewer)
			sameText(t, a, OneNotification{viewer, &n}, plainNotes[i])
			v.Favourited, v.Bookmarked = d.yes(), d.yes()
		}
		for i := range notes { // the marks have changed since
			plainNotes[i] = a.notification(&notes[i], viewer)
		}
		sameText(t, a, NotificationList{viewer, notes}, plainNotes)
		plain = Each(views, func(v *linnet.StatusView) Status { return a.Status(v, viewer) })
		list := StatusList{viewer, views}
		sameText(t, a, Context{list, StatusList{}}, struct {
			A []Status `json:"ancestors"`
			D []Status `json:"descendants"`
		}{plain, []Status{}})
		sameText(t, a, Search{[]Account{}, list, []Tag{}, []Collection{}}, struct {
			A []Account `json:"accounts"`
			S []Status  `json:"statuses"`
			H []Tag     `json:"hashtags"`
			C []Tag     `json:"collections"`
		}{[]Account{}, plain, []Tag{}, []Tag{}})
	}
}

func TestTextsEqualPlainEncoding(t *testing.T) {
	for seed := range uint64(500) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { compareTexts(t, seed) })
	}
}

func FuzzTextsEqualPlainEncoding(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(compareTexts)
}

// FuzzStatusText puts arbitrary texts into a status.
func FuzzStatusText(f *testing.F) {
	f.Add("html", "warning", "tag", "app", true)
	f.Add(`,"content":`, `"reblog":`, `"account":`, `\"`, false)
	f.Fuzz(func(t *testing.T, html, warning, tag, app string, mark bool) {
		a := &Encoder{base: "https://example.com", viewerStates: viewerStateTexts()}
		v := linnet.StatusView{Favourited: mark, Reposted: !mark, SharedStatus: &linnet.SharedStatus{Memo: new(linnet.Memo),
			Status: linnet.Status{ID: 77 << 16, Warning: warning, Tags: []string{tag}, App: linnet.AppName{Name: app, Website: html}},
			HTML:   html, By: &linnet.SharedUser{UserView: linnet.UserView{NoteHTML: warning, User: linnet.User{Name: html}}}}}
		for _, viewer := range []linnet.ID{0, 1} {
			sameText(t, a, OneStatus{viewer, &v}, a.Status(&v, viewer))
		}
	})
}
