package streaming

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/mastodon/wire"
)

// someRepost returns a repost by one user of a status of another.
func someRepost() linnet.StatusView {
	by := func(n uint16) *linnet.SharedUser {
		return &linnet.SharedUser{UserView: linnet.UserView{User: linnet.User{ID: linnet.MakeID(time.UnixMilli(1.6e12), n, 1), Login: "somebody"}}}
	}
	status := func(n int64, by *linnet.SharedUser) linnet.StatusView {
		return linnet.StatusView{SharedStatus: &linnet.SharedStatus{Memo: new(linnet.Memo), By: by, HTML: "<p>words & more</p>",
			Status: linnet.Status{ID: linnet.MakeID(time.UnixMilli(1.7e12+n), 1, 1), Author: by.ID}}}
	}
	original, repost := status(0, by(3)), status(1, by(4))
	repost.Repost, repost.RepostOf = &original, original.ID
	return repost
}

// TestEventsToManyAreWrittenOnce checks that listeners share the bytes of an event, which are the
// same as for a single listener.
func TestEventsToManyAreWrittenOnce(t *testing.T) {
	s := &Server{opt: Options{Encoder: wire.NewEncoder("https://example.com", nil)}}
	repost := someRepost()
	author, original := repost.Author, repost.Repost.Author
	repost.PollView = &linnet.PollView{Poll: &linnet.Poll{Options: []string{"yes", "no"}}}
	const one, other = linnet.ID(1), linnet.ID(2)
	viewers := []linnet.ID{one, other, author, original, 0}
	events := []linnet.StreamEvent{
		{Stream: linnet.Stream{Kind: linnet.StreamUser}, Type: linnet.EventUpdate, Status: &repost},
		{Stream: linnet.Stream{Kind: linnet.StreamTag, Tag: "Birds"}, Type: linnet.EventDelete, Deleted: 9},
		{Stream: linnet.Stream{Kind: linnet.StreamUser}, Type: linnet.EventAnnouncementDeleted, About: 9},
	}
	for _, told := range events {
		for first := range viewers {
			shared := told
			shared.Memo = &linnet.Memo{}
			for over := range transports {
				written := map[linnet.ID][]byte{}
				for _, who := range slices.Concat(viewers[first:], viewers[:first]) {
					alone := s.form(linnet.Session{User: who}, &told, over)
					if written[who] = s.form(linnet.Session{User: who}, &shared, over); alone == nil || !bytes.Equal(written[who], alone) {
						t.Errorf("%s over %d to %d: %s\nalone: %s", told.Type, over, who, written[who], alone)
					}
				}
				if &written[one][0] != &written[other][0] {
					t.Errorf("%s over %d is written for each", told.Type, over)
				}
			}
		}
	}
}

// TestPrivateEventsAreNotKept checks that events that a session may not read are neither sent nor
// cached for other sessions.
func TestPrivateEventsAreNotKept(t *testing.T) {
	s := &Server{opt: Options{}}
	ev := linnet.StreamEvent{Type: linnet.EventMerged, Memo: &linnet.Memo{}}
	for _, who := range []linnet.Session{{User: 1}, {User: 1, Scopes: []string{scopeNotifications}}, {User: 1}} {
		if text := s.form(who, &ev, overSSE); (text != nil) != (len(who.Scopes) > 0) {
			t.Errorf("a session with the scopes %v receives %q", who.Scopes, text)
		}
	}
}
