package social

import (
	"context"
	"slices"
	"strings"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/store"
	"linnet/internal/task"
	"linnet/internal/text"
)

// profile is what is rendered of a user's record.
type profile struct {
	version uint64
	name    string
	note    string
	fields  []string
}

// userView makes the view of a user that exists. Of who is suspended it shows
// that and the login, nothing else.
// https://docs.joinmastodon.org/methods/accounts/#get
func (s *Service) userView(ref *store.UserRef) linnet.UserView {
	if u := ref.User; u.Suspended {
		return linnet.UserView{User: linnet.User{ID: u.ID, Login: u.Login, Group: u.Group, Suspended: true, Version: u.Version},
			URL: s.userURL(u.Login), Host: s.host}
	}
	return s.fullView(ref)
}

// fullView is userView whatever the user's state. How much is posted in a closed
// group, and when, is for its members, to whom User tells it.
func (s *Service) fullView(ref *store.UserRef) linnet.UserView {
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
		Statuses: statuses, LastStatusAt: last, NoteHTML: p.note, FieldsHTML: p.fields, URL: s.userURL(u.Login), Host: s.host}
	v.Name = p.name // of a record of an earlier release, which kept names as they were typed
	return v
}

func (s *Service) userURL(login string) string { return s.opt.PublicURL + "/@" + login }

// UpdateProfile changes one's own profile.
// https://docs.joinmastodon.org/methods/accounts/#update_credentials
func (s *Service) UpdateProfile(ctx context.Context, me linnet.ID, c linnet.ProfileChange) (linnet.UserView, error) {
	c = cleanProfile(c)
	if err := checkProfile(c); err != nil {
		return linnet.UserView{}, err
	}
	mentions, err := s.profileMentions(ctx, me, c)
	if err != nil {
		return linnet.UserView{}, err
	}
	var accept task.Task
	_, t, ok, err := s.st.UpdateUser(ctx, me, func(u *linnet.User) error {
		set(&u.Name, c.Name)
		mentions.set(u, c)
		set(&u.Note, c.Note)
		set(&u.Fields, c.Fields)
		set(&u.Bot, c.Bot)
		set(&u.Discoverable, c.Discoverable)
		set(&u.Indexable, c.Indexable)
		set(&u.HideNetwork, c.HideNetwork)
		set(&u.Locked, c.Locked)
		set(&u.NoFeeds, c.NoFeeds)
		set(&u.Posting.Visibility, c.Visibility)
		set(&u.Posting.Sensitive, c.Sensitive)
		set(&u.Posting.Language, c.Language)
		set(&u.Look, c.Look)
		return nil
	}, func(gone []string) (task.Task, error) {
		return s.tasks.New(me.Shard(), taskIndex, indexArgs{me, gone})
	}, func(old, new *linnet.User) (ops []kv.Op, err error) {
		accept, ops, err = s.unlocked(old, new)
		return ops, err
	})
	if accept.ID != "" && (ok || store.Unknown(err)) {
		s.tasks.Start(accept)
	}
	if err != nil {
		return linnet.UserView{}, kvError(err)
	}
	if !ok {
		return linnet.UserView{}, errNoUser
	}
	if t.ID != "" {
		s.tasks.Run(ctx, t)
	}
	return s.User(ctx, me, me)
}

// profileMentions are the people whom the parts of a profile that are written name, as
// me may mention them.
type profileMentions struct{ found []linnet.Mention }

// profileMentions looks up whom me names in what is written of a profile, by the rule
// of statuses. Chats stay text: nobody but their members is to know of them.
func (s *Service) profileMentions(ctx context.Context, me linnet.ID, c linnet.ProfileChange) (p profileMentions, err error) {
	names := namesIn(c.Note, c.Fields)
	found, groups, err := s.findMentions(ctx, me, names[:min(len(names), linnet.MaxMentions)])
	for _, m := range found {
		if !slices.ContainsFunc(groups, func(g *linnet.User) bool { return g.ID == m.ID && g.Group == linnet.Chat }) {
			p.found = append(p.found, m)
		}
	}
	return p, err
}

// set changes whom a profile mentions, before the change itself: beside those found
// they are those whom the parts that stay as they are name.
func (p profileMentions) set(u *linnet.User, c linnet.ProfileChange) {
	note, fields := &u.Note, &u.Fields
	if c.Note != nil {
		note = nil
	}
	if c.Fields != nil {
		fields = nil
	}
	names := namesIn(note, fields)
	all := slices.Clone(p.found)
	for _, m := range u.Mentions {
		named := slices.ContainsFunc(names, func(n string) bool { // with this installation's host or without
			login, _, _ := strings.Cut(n, "@")
			return strings.EqualFold(login, m.Login)
		})
		if named && !slices.ContainsFunc(all, func(have linnet.Mention) bool { return have.ID == m.ID }) {
			all = append(all, m)
		}
	}
	u.Mentions = all[:min(len(all), linnet.MaxMentions)]
}

// namesIn are the names of people in parts of a profile (nil: none), each once.
func namesIn(note *string, fields *[]linnet.ProfileField) []string {
	var parts []string
	if note != nil {
		parts = append(parts, *note)
	}
	if fields != nil {
		for _, f := range *fields {
			parts = append(parts, f.Value)
		}
	}
	return text.Parse(strings.Join(parts, "\n")).Mentions()
}

// indexArgs say whose name has changed, and by which words of the old one the
// user is no longer found.
type indexArgs struct {
	User linnet.ID `json:"user"`
	Gone []string  `json:"gone,omitempty"`
}

func (s *Service) indexUser(ctx context.Context, a indexArgs) (*indexArgs, error) {
	if err := s.st.IndexNames(ctx, a.User, a.Gone); err != nil {
		return nil, err
	}
	return nil, s.st.IndexDirectory(ctx, a.User)
}

func set[T any](to, from *T) {
	if from != nil {
		*to = *from
	}
}

// cleanProfile drops from the texts what nobody typed; names and fields are one line.
func cleanProfile(c linnet.ProfileChange) linnet.ProfileChange {
	clean := func(s *string, as func(string) string) *string {
		if s == nil {
			return nil
		}
		out := as(*s)
		return &out
	}
	c.Name, c.Note = clean(c.Name, text.Line), clean(c.Note, lines)
	if c.Fields != nil {
		fields := make([]linnet.ProfileField, len(*c.Fields))
		for i, f := range *c.Fields {
			fields[i] = linnet.ProfileField{Name: text.Line(f.Name), Value: text.Line(f.Value)}
		}
		c.Fields = &fields
	}
	return c
}

func checkProfile(c linnet.ProfileChange) error {
	if err := checkText("display_name", c.Name, linnet.MaxDisplayName); err != nil {
		return err
	}
	if err := checkText("note", c.Note, linnet.MaxNote); err != nil {
		return err
	}
	if c.Language != nil && !validLanguage(*c.Language) {
		return linnet.FieldError("language", "ERR_INVALID", "%q is not a language code", *c.Language)
	}
	if c.Look != nil && c.Look.Theme != "" && c.Look.Theme != "light" && c.Look.Theme != "dark" {
		return linnet.FieldError("theme", "ERR_INCLUSION", "%q is neither light nor dark", c.Look.Theme)
	}
	if c.Fields == nil {
		return nil
	}
	if len(*c.Fields) > linnet.MaxProfileFields {
		return linnet.FieldError("fields_attributes", "ERR_TOO_LONG", "holds %d fields (maximum is %d)", len(*c.Fields), linnet.MaxProfileFields)
	}
	for _, f := range *c.Fields {
		if tooLong(f.Name, linnet.MaxFieldChars) || tooLong(f.Value, linnet.MaxFieldChars) {
			return linnet.FieldError("fields_attributes", "ERR_TOO_LONG", "holds a field that is too long (maximum is %d characters)", linnet.MaxFieldChars)
		}
		if err := checkMarks("fields_attributes", f.Name, f.Value); err != nil {
			return err
		}
	}
	return nil
}

// baseLanguage is the language of a code that may name a script or region as well.
func baseLanguage(code string) string {
	base, _, _ := strings.Cut(strings.ReplaceAll(code, "_", "-"), "-")
	return strings.ToLower(base)
}

// validLanguage accepts ISO 639 codes, with a script or region, and "".
func validLanguage(l string) bool {
	if len(l) > 16 {
		return false
	}
	for _, c := range []byte(l) {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '-' && c != '_' {
			return false
		}
	}
	return len(l) != 1
}
