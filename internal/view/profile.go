package view

import (
	"time"

	"linnet/internal/linnet"
	"linnet/internal/store/db"
	"linnet/internal/text"
)

// profile has the rendered texts of a user record.
type profile struct {
	version uint64
	name    string
	note    string
	fields  []string

	coded    coded
	pictured *linnet.Pictured
}

func profileWeight(_ linnet.ID, p *profile) uint32 {
	n := 200 + len(p.name) + len(p.note) + picturedWeight(p.pictured)
	for _, f := range p.fields {
		n += len(f) + 16
	}
	return uint32(n)
}

// UserView returns the view of an existing user. For a suspended user it contains only that and the
// login.
// https://docs.joinmastodon.org/methods/accounts/#get
func (s *Service) UserView(ref *db.UserRef) linnet.UserView {
	v, _ := s.userView(ref)
	return v
}

func (s *Service) userView(ref *db.UserRef) (linnet.UserView, coded) {
	if u := ref.User; u.Suspended {
		return linnet.UserView{User: linnet.User{ID: u.ID, Login: u.Login, Group: u.Group, Suspended: true, Version: u.Version},
			URL: s.core.UserURL(u.Login), Host: s.core.Hostname}, coded{}
	}
	return s.fullView(ref)
}

// FullView is like UserView, in any state of the user. The counts of a closed group are for its
// members only, and User adds them.
func (s *Service) FullView(ref *db.UserRef) linnet.UserView {
	v, _ := s.fullView(ref)
	return v
}

func (s *Service) fullView(ref *db.UserRef) (linnet.UserView, coded) {
	u, set := ref.User, s.core.Emojis()
	p, ok := s.profiles.Get(u.ID)
	if !ok || p.version != u.Version || !p.coded.holds(set) {
		p = s.newProfile(u, set)
		s.profiles.Set(u.ID, p)
	}
	statuses, last := max(ref.Statuses, 0), lastPosted(ref)
	if u.Group.Closed() {
		statuses, last = 0, time.Time{}
	}
	v := linnet.UserView{User: *u, Followers: max(ref.Followers, 0), Following: max(ref.Following, 0), Statuses: statuses, LastStatusAt: last,
		NoteHTML: p.note, FieldsHTML: p.fields, Pictured: p.pictured, URL: s.core.UserURL(u.Login), Host: s.core.Hostname}
	v.Name = p.name // of a record of an earlier release, which stored names as typed
	return v, p.coded
}

func (s *Service) newProfile(u *linnet.User, set *linnet.EmojiSet) *profile {
	r := s.resolver(u.Mentions)
	p := &profile{version: u.Version, name: text.Line(u.Name), note: text.Note(u.Note, r)}
	for _, f := range u.Fields {
		p.fields = append(p.fields, text.FieldValue(f.Value, r))
	}
	p.coded, p.pictured = s.picturedProfile(u, p.name, set)
	return p
}
