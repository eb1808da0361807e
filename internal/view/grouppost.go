package view

import "linnet/internal/linnet"

// forMember reports whether the viewer can read a status for group members.
func (l *Loader) forMember(st *linnet.Status) bool {
	if l.Viewer == 0 || l.Viewer == st.Author {
		return l.Viewer != 0
	}
	group := l.User(st.Group)
	if st.Withdrawn || group == nil || group.User == nil || group.User.Hidden() {
		return false
	}
	if l.Viewer == st.Group { // the group itself boosts it
		return true
	}
	since, in := l.Reader.InSince(st.Group)
	return in && (st.Visibility == linnet.Private || since <= st.ID.Millis())
}

// hiddenByGroup reports whether a status is a boost by a closed group that the viewer is not a
// member of. The boost may be from a time when the group was open.
func (l *Loader) hiddenByGroup(st *linnet.Status) bool {
	if st.RepostOf == 0 || st.Author == l.Viewer {
		return false
	}
	by := l.User(st.Author)
	return by != nil && by.User != nil && by.User.Group.Closed() && !l.Followed(st.Author)
}

// postedIn returns the group of a status if all viewers of the status can know of it.
func (l *Loader) postedIn(st *linnet.Status) *linnet.User {
	if st.Group == 0 {
		return nil
	}
	ref := l.User(st.Group)
	if ref == nil || ref.User == nil || ref.User.Hidden() || ref.User.Group.Closed() && !st.ForMembers() {
		return nil
	}
	return ref.User
}
