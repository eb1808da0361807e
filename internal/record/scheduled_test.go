package record

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// What is scheduled and what is a draft come back as they were written; a draft has no time.
func TestScheduledAndDrafts(t *testing.T) {
	at := time.UnixMilli(1790000000123)
	no, public, policy := false, linnet.Public, linnet.QuoteNobody
	said := linnet.Draft{Text: "x", Sensitive: &no, Visibility: &public, QuotePolicy: &policy, Poll: &linnet.PollDraft{Options: []string{"one"}}}
	for name, s := range map[string]linnet.Scheduled{
		"scheduled": {ID: 7, Owner: 3, At: at, Draft: said, Nonce: "n", Version: 2},
		"a draft":   {ID: 7, Owner: 3, Saved: at, Wanted: at.Add(time.Hour), Draft: said, Group: 5, Nonce: "n", Version: 2},
	} {
		data := EncodeScheduled(&s)
		got, err := DecodeScheduled(7, &kv.Get{Data: data, Version: 2})
		if err != nil || !reflect.DeepEqual(*got, s) || got.IsDraft() != (name == "a draft") || EntryOf(got).IsDraft() != got.IsDraft() {
			t.Errorf("%s: %+v is %+v: %v", name, s, got, err)
		}
		if s.IsDraft() != strings.Contains(string(data), `"at":0,`) {
			t.Errorf("%s is written as %s", name, data)
		}
	}
}

// How somebody wants pages and posts comes back; records of earlier releases have neither a
// zone nor the question.
func TestPreferencesOfUsers(t *testing.T) {
	u := linnet.User{ID: 3, Login: "ann", Appearance: linnet.Appearance{Theme: "dark", Zone: "Europe/Berlin"}, Posting: linnet.PostingDefaults{AskAlt: true}, Version: 1}
	got, _, err := DecodeUser(3, &kv.Get{Data: EncodeUser(&u, false), Version: 1})
	if err != nil || got.Appearance != u.Appearance || got.Posting != u.Posting {
		t.Errorf("%+v: %v", got, err)
	}
	got, _, err = DecodeUser(3, &kv.Get{Data: []byte(`{"login":"ann","look":{"Theme":"dark","Dense":false,"Still":true}}`), Version: 1})
	if err != nil || got.Appearance != (linnet.Appearance{Theme: "dark", Still: true}) || got.Posting.AskAlt {
		t.Errorf("of before: %+v: %v", got, err)
	}
}
