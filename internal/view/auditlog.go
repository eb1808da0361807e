package view

import "linnet/internal/linnet"

// Whole is the view of a user for moderators, or nil if the user does not exist.
func (l *Loader) Whole(id linnet.ID) *linnet.UserView {
	ref := l.User(id)
	if ref == nil || ref.User == nil || ref.User.Login == "" {
		return nil
	}
	v := l.s.FullView(ref)
	return &v
}
