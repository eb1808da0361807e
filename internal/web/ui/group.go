package ui

import (
	"linnet/internal/linnet"
	"linnet/internal/locale"
)

// GroupKindName names a kind of group on a badge, in English.
func GroupKindName(k linnet.GroupKind) string {
	switch k {
	case linnet.AnnouncementGroup:
		return locale.Mark("announcements")
	case linnet.Chat:
		return locale.Mark("chat")
	case linnet.PrivateGroup:
		return locale.Mark("private group")
	}
	return locale.Mark("public group")
}

// GroupKindText says who comes into a kind of group, and who posts and reads there, in
// English.
func GroupKindText(k linnet.GroupKind) string {
	switch k {
	case linnet.PublicGroup:
		return locale.Mark("Anyone can join and post. Everyone can read it.")
	case linnet.PrivateGroup:
		return locale.Mark("People request to join. Only members can post and read.")
	case linnet.AnnouncementGroup:
		return locale.Mark("Anyone can join. Everyone can read it. Only owners and moderators can post.")
	case linnet.Chat:
		return locale.Mark("Invitation only. Members can read messages sent since they joined.")
	}
	return ""
}
