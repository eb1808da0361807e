package view

import "linnet/internal/linnet"

// forMember says whether the viewer may read a status that is for the members of
// a group.
func (l *Loader) forMember(st *linnet.Status) bool {
	if l.Viewer == 0 || l.Viewer == st.Author {
		return l.Viewer != 0
	}
	group := l.User(st.Group)
	if st.Withdrawn || group == nil || group.User == nil || group.User.Hidden() {
		return false
	}
	if l.Viewer == st.Group { // on whose behalf it is carried
		return true
	}
	since, in := l.Reader.InSince(st.Group)
	return in && (st.Visibility == linnet.Private || since <= st.ID.Millis())
}

// hiddenByGroup says whether a status is a closed group's repost, and the viewer not a
// member: it may have been made while the group was open.
func (l *Loader) hiddenByGroup(st *linnet.Status) bool {
	if st.RepostOf == 0 || st.Author == l.Viewer {
		return false
	}
	by := l.User(st.Author)
	return by != nil && by.User != nil && by.User.Group.Closed() && !l.Followed(st.Author)
}

// postedIn is the group that a status was posted in, if everybody who sees the
// status may know it.
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
