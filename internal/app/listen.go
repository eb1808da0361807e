package app

import "linnet/internal/event"

// listen registers the handlers of every fact.
func (s *App) listen(f *event.Facts) {
	f.Posted.Add(s.Discovery.Posted)
	f.Edited.Add(s.Discovery.Edited)
	f.Deleted.Add(s.Discovery.Deleted)
	f.FirstVote.Add(s.Discovery.FirstVote)
	f.VotesChanged.Add(s.Discovery.VotesChanged)
	f.GroupRequested.Add(s.Posting.GroupRequested)
	f.GroupInvited.Add(s.Posting.GroupInvited)
	f.SignUpExpired.Add(s.Social.SignUpExpired)
	f.PermissionsChanged.Add(s.Live.PermissionsChanged)
	f.BecamePrivate.Add(s.Live.BecamePrivate)
}
