package view

import "linnet/internal/linnet"

// Whole is the view of somebody for moderators, nil if there is nobody.
func (l *Loader) Whole(id linnet.ID) *linnet.UserView {
	ref := l.User(id)
	if ref == nil || ref.User == nil || ref.User.Login == "" {
		return nil
	}
	v := l.s.FullView(ref)
	return &v
}
