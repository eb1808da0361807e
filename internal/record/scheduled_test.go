package record

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// TestScheduledAndDrafts checks that scheduled statuses and drafts are decoded as they were
// encoded. A draft has no time.
func TestScheduledAndDrafts(t *testing.T) {
	at := time.UnixMilli(1790000000123)
	no, public, policy := false, linnet.Public, linnet.QuoteNobody
	said := linnet.Draft{Text: "x", Sensitive: &no, Visibility: &public, QuotePolicy: &policy, Poll: &linnet.PollDraft{Options: []string{"one"}}}
	for name, s := range map[string]linnet.Scheduled{
		"scheduled": {ID: 7, Owner: 3, At: at, Draft: said, Nonce: "n", Version: 2},
		"a draft":   {ID: 7, Owner: 3, Saved: at, PublishAt: at.Add(time.Hour), Draft: said, Group: 5, Nonce: "n", Version: 2},
		"a part":    {ID: 7, Owner: 3, Saved: at, Draft: said, Thread: "t", Part: 2, Nonce: "n", Version: 2},
		"an edit":   {ID: 7, Owner: 3, Saved: at, Draft: said, Edits: 9, Nonce: "n", Version: 2},
	} {
		data := EncodeScheduled(&s)
		got, err := DecodeScheduled(7, &kv.Get{Data: data, Version: 2})
		if err != nil || !reflect.DeepEqual(*got, s) || got.IsDraft() != (name != "scheduled") || EntryOf(got).IsDraft() != got.IsDraft() {
			t.Errorf("%s: %+v is %+v: %v", name, s, got, err)
		}
		if s.IsDraft() != strings.Contains(string(data), `"at":0,`) {
			t.Errorf("%s is written as %s", name, data)
		}
	}
}

// TestFormerDraftsOfEdits checks that drafts of edits of earlier releases name the status in their
// key. Scheduled statuses edit nothing, whatever their key.
func TestFormerDraftsOfEdits(t *testing.T) {
	const rest = `,"owner":"3","text":"half of it","vis":0,"nonce":"n"}`
	for data, of := range map[string]linnet.ID{
		`{"at":0,"saved":1790000000123,"idem":"edit of 117 ABC"` + rest:               117,
		`{"at":0,"saved":1790000000123,"idem":"edit of 117"` + rest:                   117,
		`{"at":0,"saved":1790000000123,"idem":"edit of nothing ABC"` + rest:           0,
		`{"at":0,"saved":1790000000123,"idem":"ABC"` + rest:                           0,
		`{"at":0,"saved":1790000000123,"edits":"118","idem":"edit of 117 ABC"` + rest: 118,
		`{"at":1790000000123,"idem":"edit of 117 ABC"` + rest:                         0,
	} {
		got, err := DecodeScheduled(7, &kv.Get{Data: []byte(data), Version: 2})
		if err != nil || got.Edits != of || got.Draft.Text != "half of it" {
			t.Errorf("%s: %+v, %v", data, got, err)
			continue
		}
		if got.IsDraft() && EntryOf(got).Key != DraftKey(got.Draft.IdempotencyKey) || !strings.Contains(data, `"`+got.Draft.IdempotencyKey+`"`) {
			t.Errorf("%s has the key %q", data, got.Draft.IdempotencyKey)
		}
	}
}

// TestPreferencesOfUsers checks that preferences are decoded as they were encoded. Records of
// earlier releases have no time zone. They say whether the reminder about descriptions was turned
// on, but not whether it was turned off, so it is on for all of them.
func TestPreferencesOfUsers(t *testing.T) {
	u := linnet.User{ID: 3, Login: "ann", Appearance: linnet.Appearance{Theme: "dark", Zone: "Europe/Berlin"}, Posting: linnet.PostingDefaults{NoAltReminder: true}, Version: 1}
	got, _, err := DecodeUser(3, &kv.Get{Data: EncodeUser(&u, false), Version: 1})
	if err != nil || got.Appearance != u.Appearance || got.Posting != u.Posting {
		t.Errorf("%+v: %v", got, err)
	}
	got, _, err = DecodeUser(3, &kv.Get{Data: []byte(`{"login":"ann","look":{"Theme":"dark","Dense":false,"Still":true},"ask_alt":true}`), Version: 1})
	if err != nil || got.Appearance != (linnet.Appearance{Theme: "dark", Still: true}) || got.Posting.NoAltReminder {
		t.Errorf("of before: %+v: %v", got, err)
	}
}
