package view

import (
	"context"
	"slices"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// askLeft finds the chats among the users that the viewer is neither a member of nor invited to.
// Former members keep earlier messages but don't see the current state of the chat.
func (l *Loader) askLeft(ctx context.Context) error {
	var chats []linnet.ID
	for i := range l.users {
		u := l.users[i].ref.User
		if u != nil && u.Group == linnet.Chat && u.ID != l.Viewer && !l.Staff && !slices.Contains(l.chats, u.ID) {
			chats = append(chats, u.ID)
		}
	}
	if len(chats) == 0 {
		return nil
	}
	l.chats = append(l.chats, chats...)
	if l.Viewer == 0 {
		l.left = append(l.left, chats...)
		return nil
	}
	b := l.s.st.Batch()
	in, offered := b.Related(record.Follows(), l.Viewer, chats), b.RelatedOwners(record.GroupOffers(), l.Viewer, chats)
	if err := b.Run(ctx); err != nil {
		return core.StoreError(err)
	}
	for _, id := range chats {
		if !in.Has(id) && !offered.Has(id) {
			l.left = append(l.left, id)
		}
	}
	return nil
}

// SharedUser returns a user for the viewer. For a chat that the viewer has left it has only the
// login.
func (l *Loader) SharedUser(u *db.CountedUser) *linnet.SharedUser {
	if !slices.Contains(l.left, u.User.ID) {
		return l.s.SharedUser(u)
	}
	return &linnet.SharedUser{UserView: linnet.UserView{User: linnet.User{ID: u.User.ID, Login: u.User.Login, Group: u.User.Group},
		URL: l.s.core.UserURL(u.User.Login), Host: l.s.core.Hostname}}
}
