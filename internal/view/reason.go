package view

import "linnet/internal/linnet"

// Why is the reason why a viewer can't see a status, or why it isn't in a timeline. It is for
// operators only. "" means that the viewer sees it.
type Why string

// Reasons why a status isn't visible at all.
const (
	Seen             Why = ""
	WhyDeleted       Why = "it was deleted or never existed"
	WhyAuthorDeleted Why = "the author's account is suspended, not approved or deleted"
	WhyBlockedBy     Why = "the author has blocked the viewer"
	WhyNotInGroup    Why = "it is for members of a group, and the viewer was not a member when it was posted"
	WhyGroupClosed   Why = "it was boosted by a closed group, and the viewer is not a member"
	WhyNotFollowing  Why = "it is for followers, and the viewer neither follows the author nor is mentioned"
	WhyNotAddressed  Why = "it is for mentioned users, and the viewer is not mentioned"
	WhyLoggedOut     Why = "it is not public, and the viewer is not logged in"
	WhyOriginal      Why = "it is a boost of a post that the viewer cannot see: "
	WhyBlocksOrMutes Why = "the viewer has blocked or muted the author, the author of the boosted post, or a mentioned user"
)

// hidden returns the reason why the viewer can't read a status, or Seen.
func (l *Loader) hidden(st *linnet.Status) Why {
	switch {
	case l.Staff:
		return Seen
	case l.Relation(st.Author).BlockedBy():
		return WhyBlockedBy
	case st.ForMembers():
		if l.forMember(st) {
			return Seen
		}
		return WhyNotInGroup
	case l.hiddenByGroup(st):
		return WhyGroupClosed
	case st.Visibility.Open() || readable(st, l.Viewer, l.Relation(st.Author)):
		return Seen
	case l.Viewer == 0:
		return WhyLoggedOut
	case st.Visibility == linnet.Private:
		return WhyNotFollowing
	}
	return WhyNotAddressed
}

// visible reports whether the viewer can read a status.
func (l *Loader) visible(st *linnet.Status) bool { return l.hidden(st) == Seen }

// Why returns the reason if there is no view of a status, after Run.
func (l *Loader) Why(id linnet.ID) Why {
	slot := l.statusSlot(id)
	if slot == nil || slot.Ref.Status == nil {
		return WhyDeleted
	}
	st := slot.Ref.Status
	if why := l.hidden(st); why != Seen {
		return why
	}
	if by := l.User(st.Author); by == nil || by.User == nil || by.User.Hidden() && !l.Staff {
		return WhyAuthorDeleted
	}
	if st.RepostOf != 0 {
		if why := l.Why(st.RepostOf); why != Seen {
			return WhyOriginal + why
		}
	}
	return Seen
}
