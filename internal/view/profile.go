package view

import (
	"time"

	"linnet/internal/linnet"
	"linnet/internal/store/db"
	"linnet/internal/text"
)

// profile is what is rendered of a user's record.
type profile struct {
	version uint64
	name    string
	note    string
	fields  []string
}

func profileWeight(_ linnet.ID, p *profile) uint32 {
	n := 200 + len(p.name) + len(p.note)
	for _, f := range p.fields {
		n += len(f) + 16
	}
	return uint32(n)
}

// UserView makes the view of a user that exists. Of who is suspended it shows
// that and the login, nothing else.
// https://docs.joinmastodon.org/methods/accounts/#get
func (s *Service) UserView(ref *db.UserRef) linnet.UserView {
	if u := ref.User; u.Suspended {
		return linnet.UserView{User: linnet.User{ID: u.ID, Login: u.Login, Group: u.Group, Suspended: true, Version: u.Version},
			URL: s.core.UserURL(u.Login), Host: s.core.Hostname}
	}
	return s.FullView(ref)
}

// FullView is userView whatever the user's state. How much is posted in a closed
// group, and when, is for its members, to whom User tells it.
func (s *Service) FullView(ref *db.UserRef) linnet.UserView {
	u := ref.User
	p, ok := s.profiles.GetIfPresent(u.ID)
	if !ok || p.version != u.Version {
		r := s.resolver(u.Mentions)
		p = &profile{version: u.Version, name: text.Line(u.Name), note: text.Note(u.Note, r)}
		for _, f := range u.Fields {
			p.fields = append(p.fields, text.FieldValue(f.Value, r))
		}
		s.profiles.Set(u.ID, p)
	}
	statuses, last := max(ref.Statuses, 0), lastPosted(ref)
	if u.Group.Closed() {
		statuses, last = 0, time.Time{}
	}
	v := linnet.UserView{User: *u, Followers: max(ref.Followers, 0), Following: max(ref.Following, 0),
		Statuses: statuses, LastStatusAt: last, NoteHTML: p.note, FieldsHTML: p.fields, URL: s.core.UserURL(u.Login), Host: s.core.Hostname}
	v.Name = p.name // of a record of an earlier release, which kept names as they were typed
	return v
}
