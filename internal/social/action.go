package social

import (
	"context"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// Action is an event about a status for trends, search and promotions.
type Action struct {
	Kind   ActionKind
	Status *linnet.Status // only the id is set for Marked and Deleted
	By     linnet.ID      // the acting user; 0 if not needed
	Votes  linnet.Votes   // votes including this one; set for Voted
	At     time.Time      // when the status entered the index queue; set for Posted and Changed
}

// ActionKind is the kind of an Action.
type ActionKind uint8

// Kinds of actions.
const (
	Posted  ActionKind = iota // the status was published
	Marked                    // the status was favourited or boosted by a user for the first time
	Voted                     // the status has a new favourite, boost or reply; can be reported twice
	Deleted                   // the status was deleted; can be reported twice
	Changed                   // the text of the status was edited
)

// Happened reports an action to the function set by OnAction. Tasks are retried if it returns an
// error.
func (s *Service) Happened(ctx context.Context, a Action) error {
	if s.onAction == nil {
		return nil
	}
	return s.onAction(ctx, a)
}

// IndexAgain updates the search index after an edit of a status: at once on this server, and on
// others within about two seconds.
func (s *Service) IndexAgain(ctx context.Context, st *linnet.Status) error {
	now := s.st.Now()
	if err := s.st.Statuses.QueueToIndex(ctx, now, st.ID); err != nil {
		return err
	}
	return s.Happened(ctx, Action{Kind: Changed, Status: st, By: st.Author, At: now})
}

// VotesOf returns the votes of a status, as loaded for a viewer.
func VotesOf(v *linnet.StatusView) linnet.Votes {
	return linnet.Votes{Favourites: v.Favourites, Reposts: v.Reposts, Replies: v.Replies}
}

// ReplyVote is the kind of vote of a reply. Other kinds are names of relations.
const ReplyVote = "reply"

// VotesIn returns the votes of a status plus one of the given kind. "" adds none.
func VotesIn(st *db.StatusRef, more string) linnet.Votes {
	v := linnet.Votes{Favourites: st.Favourites, Reposts: st.Reposts, Replies: st.Replies}
	switch more {
	case record.Favourites().Name:
		v.Favourites++
	case record.Reposts().Name:
		v.Reposts++
	case ReplyVote:
		v.Replies++
	}
	return v
}
