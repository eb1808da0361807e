package app

import (
	"context"

	"linnet/internal/event"
)

// listen registers the handlers of every fact.
func (s *App) listen() {
	f := s.facts
	f.Posted.Add(s.Trends.Posted, s.Discovery.Posted, s.Moderation.Statistics.Posted, func(_ context.Context, p event.Posted) error {
		s.opt.Observe.NotePosted(p.Status.Visibility)
		return nil
	})
	f.FannedOut.Add(s.Moderation.Statistics.FannedOut, func(_ context.Context, p event.FannedOut) error {
		s.opt.Observe.NoteFannedOut(p.Delay)
		return nil
	})
	f.Edited.Add(s.Trends.Edited, s.Discovery.Edited)
	f.Deleted.Add(s.Trends.Deleted, s.Promotions.Deleted)
	f.FirstVote.Add(s.Trends.FirstVote)
	f.VotesChanged.Add(s.Promotions.VotesChanged)
	f.FeedFollowed.Add(s.Outside.Followed)
	f.GroupRequested.Add(s.Posting.GroupCommands.GroupRequested)
	f.GroupInvited.Add(s.Posting.GroupCommands.GroupInvited)
	f.SignedUp.Add(s.Notify.SignedUp)
	f.SignUpExpired.Add(s.Social.Deletion.SignUpExpired)
	f.PermissionsChanged.Add(s.Live.PermissionsChanged)
	f.SecurityLogged.Add(s.Notify.SecurityLogged)
	f.UserActive.Add(s.Moderation.Statistics.UserActive)
	f.BecamePrivate.Add(s.Live.BecamePrivate)
}
