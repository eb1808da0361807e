package social

import (
	"context"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// Action is what somebody has done with a status, for who builds upon it without
// being a part of it: what people talk about, and what many like.
type Action struct {
	Kind   ActionKind
	Status *linnet.Status // of what is Marked or Deleted the id alone is sure
	By     linnet.ID      // who did it; 0: it does not matter
	Votes  linnet.Votes   // of what is Voted for, this one among them
	At     time.Time      // when the status was put into the queue of what is to be indexed, of what is Posted or Changed
}

// ActionKind is a kind of Action.
type ActionKind uint8

// The kinds of Action.
const (
	Posted  ActionKind = iota // the status was published
	Marked                    // it was favourited or reposted, for the first time
	Voted                     // it has a vote more: a favourite, a repost or a reply. May be told again
	Deleted                   // it is gone. May be told again
	Changed                   // it was written anew
)

// Happened tells of an action. An error lets the task that tells be tried again.
func (s *Service) Happened(ctx context.Context, a Action) error {
	if s.onAction == nil {
		return nil
	}
	return s.onAction(ctx, a)
}

// IndexAgain has a status found by what is written in it now, after it was written anew: at
// once on this server, and on others within some two seconds.
func (s *Service) IndexAgain(ctx context.Context, st *linnet.Status) error {
	now := s.st.Now()
	if err := s.st.Statuses.QueueToIndex(ctx, now, st.ID); err != nil {
		return err
	}
	return s.Happened(ctx, Action{Kind: Changed, Status: st, By: st.Author, At: now})
}

// VotesOf are the votes for a status, as its viewer sees them.
func VotesOf(v *linnet.StatusView) linnet.Votes {
	return linnet.Votes{Favourites: v.Favourites, Reposts: v.Reposts, Replies: v.Replies}
}

// ReplyVote stands for a reply among the kinds of votes, which otherwise are
// relations.
const ReplyVote = "reply"

// VotesIn are the votes of a tally as it was before one more of some kind; "" is
// none.
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
