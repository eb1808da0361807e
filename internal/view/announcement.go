package view

import (
	"linnet/internal/linnet"
	"linnet/internal/text"
)

// shownAnnouncement is the view of a version of an announcement. It is the same for all users.
type shownAnnouncement struct {
	version uint64
	coded   coded
	view    linnet.AnnouncementView
}

// Announcement returns the view of an announcement that is the same for all users. Its texts are
// rendered once per version.
func (s *Service) Announcement(a *linnet.Announcement) linnet.AnnouncementView {
	set := s.core.Emojis()
	if was, ok := s.announcements.Get(a.ID); ok && was.version == a.Version && was.coded.holds(set) {
		return was.view
	}
	doc, r := text.Parse(a.Text), s.resolver(a.Mentions)
	made := &shownAnnouncement{version: a.Version, coded: coded{text.Shortcodes(a.Text), set}}
	v := &made.view
	v.Announcement, v.HTML, v.Tags = a, doc.HTML(r), doc.Tags()
	v.MentionsOf = s.mentioned(&linnet.Status{Mentions: a.Mentions})
	if emojis := set.Among(made.coded.codes); len(emojis) > 0 {
		r.Emoji = Pictures(set)
		v.Pictured = &linnet.Pictured{Emojis: emojis, Body: doc.HTML(r)}
	}
	s.announcements.Set(a.ID, made)
	return *v
}
