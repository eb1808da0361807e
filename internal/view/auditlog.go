package view

import "linnet/internal/linnet"

// Whole returns the view of a user for moderators, or nil if the user doesn't exist.
func (l *Loader) Whole(id linnet.ID) *linnet.UserView {
	ref := l.User(id)
	if ref == nil || ref.User == nil || ref.User.Login == "" {
		return nil
	}
	v := l.s.FullView(ref)
	return &v
}
