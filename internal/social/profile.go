package social

import (
	"context"
	"slices"
	"strings"
	"time"

	"linnet/internal/cards"
	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/locale"
	"linnet/internal/store"
	"linnet/internal/task"
	"linnet/internal/text"
	"linnet/internal/uploads"
	"linnet/internal/view"
)

// Profiles changes the profiles of users and groups. It is safe for concurrent use.
type Profiles struct {
	st    *store.Store
	tasks *task.Queue

	uploads *uploads.Service
	cards   *cards.Service
	view    *view.Service
}

// Update changes the profile of me.
// https://docs.joinmastodon.org/methods/accounts/#update_credentials
func (s *Profiles) Update(ctx context.Context, me linnet.ID, c linnet.ProfileChange) (linnet.UserView, error) {
	c = CleanProfile(c)
	if err := s.check(ctx, me, c); err != nil {
		return linnet.UserView{}, err
	}
	mentions, err := s.mentions(ctx, me, c)
	if err != nil {
		return linnet.UserView{}, err
	}
	var accept, index task.Task
	var verify cards.Job
	_, t, ok, err := s.st.Accounts.UpdateUser(ctx, me, func(u *linnet.User) error {
		mentions.set(u, c)
		change(u, c)
		return nil
	}, func(removed []string) (task.Task, error) {
		return s.indexTask(me, removed)
	}, func(old, new *linnet.User) (ops []kv.Op, err error) {
		accept, index = task.Task{}, task.Task{}
		if old.Locked && !new.Locked { // accept pending requests
			accept, err = s.tasks.New(me.Shard(), taskAccept, acceptArgs{User: me})
			ops = accept.Ops()
		}
		if err == nil && new.Indexable && !old.Indexable {
			index, err = s.tasks.New(me.Shard(), TaskIndexStatuses, IndexStatusesArgs{User: me})
			ops = append(ops, index.Ops()...)
		}
		verify = cards.Job{}
		if err == nil && c.Fields != nil && s.cards.Verifies(new) {
			verify, err = s.cards.LeaveLinks(me)
			ops = append(ops, verify.Task.Ops()...)
		}
		return ops, err
	})
	for _, after := range []task.Task{accept, index} {
		if after.ID != "" && (ok || store.Unknown(err)) {
			s.tasks.Start(after)
		}
	}
	if err != nil {
		return linnet.UserView{}, core.StoreError(err)
	}
	if !ok {
		return linnet.UserView{}, core.ErrNoUser
	}
	s.cards.Begin(ctx, verify)
	if t.ID != "" {
		s.tasks.Run(ctx, t)
	}
	return s.view.User(ctx, me, me)
}

// check returns the errors of a change. It accepts descriptions of pictures that equal the stored
// ones, because earlier versions allowed longer descriptions.
func (s *Profiles) check(ctx context.Context, me linnet.ID, c linnet.ProfileChange) error {
	if CheckProfile(c) == nil {
		return nil
	}
	u, err := s.view.User(ctx, me, me)
	if err != nil {
		return err
	}
	if c.AvatarAlt != nil && *c.AvatarAlt == u.AvatarAlt {
		c.AvatarAlt = nil
	}
	if c.BannerAlt != nil && *c.BannerAlt == u.BannerAlt {
		c.BannerAlt = nil
	}
	return CheckProfile(c)
}

// change applies a change of a profile to a user record.
func change(u *linnet.User, c linnet.ProfileChange) {
	core.Set(&u.Name, c.Name)
	core.Set(&u.Note, c.Note)
	if c.Fields != nil {
		fields := slices.Clone(*c.Fields)
		linnet.KeepVerified(fields, u.Fields)
		u.Fields = fields
	}
	core.Set(&u.Bot, c.Bot)
	core.Set(&u.Discoverable, c.Discoverable)
	core.Set(&u.Indexable, c.Indexable)
	core.Set(&u.HideNetwork, c.HideNetwork)
	core.Set(&u.Locked, c.Locked)
	core.Set(&u.AvatarAlt, c.AvatarAlt)
	core.Set(&u.BannerAlt, c.BannerAlt)
	core.Set(&u.NoFeeds, c.NoFeeds)
	setHidden(&u.Tabs.NoMedia, c.ShowMedia)
	setHidden(&u.Tabs.NoMediaReplies, c.ShowMediaReplies)
	setHidden(&u.Tabs.NoFeatured, c.ShowFeatured)
	core.Set(&u.Posting.Visibility, c.Visibility)
	core.Set(&u.Posting.Sensitive, c.Sensitive)
	core.Set(&u.Posting.Language, c.Language)
	core.Set(&u.Posting.QuotePolicy, c.QuotePolicy)
	core.Set(&u.Posting.NoAltReminder, c.NoAltReminder)
	core.Set(&u.Posting.UndoSend, c.UndoSend)
	core.Set(&u.Appearance, c.Appearance)
	core.Set(&u.Attribution, c.Attribution)
}

// setHidden sets hidden to the opposite of show, unless show is nil.
func setHidden(hidden, show *bool) {
	if show != nil {
		*hidden = !*show
	}
}

// profileMentions has the users that the changed parts of a profile mention.
type profileMentions struct{ found []linnet.Mention }

// mentions looks up the users that the changed parts of a profile mention, by the same rule as
// in posts. Chat groups are not mentioned, because only their members can know of them.
func (s *Profiles) mentions(ctx context.Context, me linnet.ID, c linnet.ProfileChange) (p profileMentions, err error) {
	names := namesIn(c.Note, c.Fields)
	found, groups, err := s.view.FindMentions(ctx, me, names[:min(len(names), linnet.MaxMentions)])
	for _, m := range found {
		if !slices.ContainsFunc(groups, func(g *linnet.User) bool { return g.ID == m.ID && g.Group == linnet.Chat }) {
			p.found = append(p.found, m)
		}
	}
	return p, err
}

// set sets the mentions of a user before the change is applied: the users found and
// the users mentioned in unchanged parts of the profile.
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
		named := slices.ContainsFunc(names, func(n string) bool { // with or without this server's host
			login, _, _ := strings.Cut(n, "@")
			return strings.EqualFold(login, m.Login)
		})
		if named && !slices.ContainsFunc(all, func(have linnet.Mention) bool { return have.ID == m.ID }) {
			all = append(all, m)
		}
	}
	u.Mentions = all[:min(len(all), linnet.MaxMentions)]
}

// namesIn returns the distinct names that parts of a profile mention. Either part can be nil.
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

// indexArgs are the arguments of TaskIndex. Gone has the words of the old name that no longer find
// the user.
type indexArgs struct {
	User linnet.ID `json:"user"`
	Gone []string  `json:"gone,omitempty"`
}

// indexTask returns a task that updates the search index of user names. gone has the words of the
// old name to remove.
func (s *Profiles) indexTask(user linnet.ID, removed []string) (task.Task, error) {
	return s.tasks.New(user.Shard(), TaskIndex, indexArgs{user, removed})
}

func (s *Profiles) index(ctx context.Context, a indexArgs) (*indexArgs, error) {
	if err := s.st.Accounts.IndexNames(ctx, a.User, a.Gone); err != nil {
		return nil, err
	}
	return nil, s.st.Accounts.IndexDirectory(ctx, a.User)
}

// CleanProfile normalizes the texts of a change. Names and fields become one line each.
func CleanProfile(c linnet.ProfileChange) linnet.ProfileChange {
	clean := func(s *string, as func(string) string) *string {
		if s == nil {
			return nil
		}
		out := as(*s)
		return &out
	}
	c.Name, c.Note = clean(c.Name, text.Line), clean(c.Note, core.Lines)
	c.AvatarAlt, c.BannerAlt = clean(c.AvatarAlt, core.Lines), clean(c.BannerAlt, core.Lines)
	if c.Fields != nil {
		fields := make([]linnet.ProfileField, len(*c.Fields))
		for i, f := range *c.Fields {
			fields[i] = linnet.ProfileField{Name: text.Line(f.Name), Value: text.Line(f.Value)}
		}
		c.Fields = &fields
	}
	if c.Attribution != nil {
		domains := make([]string, 0, len(*c.Attribution))
		for _, typed := range *c.Attribution {
			d, ok := cards.Domain(typed)
			if !ok {
				d = text.Line(typed) // CheckProfile returns an error for it
			}
			if d != "" && !slices.Contains(domains, d) {
				domains = append(domains, d)
			}
		}
		c.Attribution = &domains
	}
	return c
}

// CheckProfile returns the field errors of a change that exceeds limits or has invalid values.
func CheckProfile(c linnet.ProfileChange) error {
	var all linnet.Faults
	all.Add(core.CheckText("display_name", c.Name, linnet.MaxDisplayName))
	all.Add(core.CheckText("note", c.Note, linnet.MaxNote))
	all.Add(core.CheckText("avatar_description", c.AvatarAlt, linnet.MaxProfileAlt))
	all.Add(core.CheckText("header_description", c.BannerAlt, linnet.MaxProfileAlt))
	if c.Language != nil && !core.ValidLanguage(*c.Language) {
		all.Add(linnet.FieldError("language", "ERR_INVALID", "%q is not a language code", *c.Language))
	}
	all.Add(checkAppearance(c.Appearance))
	if c.Attribution != nil {
		all.Add(checkAttribution(*c.Attribution))
	}
	if c.Fields != nil {
		all.Add(checkProfileFields(*c.Fields))
	}
	return all.Err()
}

// checkAttribution returns a field error for too many or invalid domains.
func checkAttribution(domains []string) error {
	const field = "attribution_domains"
	if n := len(domains); n > linnet.MaxAttribution {
		return linnet.FieldError(field, "ERR_TOO_LONG", "can have at most %[2]d entries (%[1]d given)", n, linnet.MaxAttribution)
	}
	for _, d := range domains {
		if clean, ok := cards.Domain(d); !ok || clean != d {
			return linnet.FieldError(field, "ERR_INVALID", "can't contain %q, which is not a domain such as example.org", d)
		}
	}
	return nil
}

// checkProfileFields returns a field error for too many or invalid profile fields.
func checkProfileFields(all []linnet.ProfileField) error {
	const field = "fields_attributes"
	if len(all) > linnet.MaxProfileFields {
		return linnet.FieldError(field, "ERR_TOO_LONG", "can have at most %[2]d entries (%[1]d given)", len(all), linnet.MaxProfileFields)
	}
	for _, f := range all {
		if core.TooLong(f.Name, linnet.MaxFieldChars) || core.TooLong(f.Value, linnet.MaxFieldChars) {
			return linnet.FieldError(field, "ERR_TOO_LONG", "can't contain a field with more than %d characters", linnet.MaxFieldChars)
		}
		if err := core.CheckMarks(field, f.Name, f.Value); err != nil {
			return err
		}
	}
	return nil
}

// checkAppearance returns a field error if the theme, language or time zone doesn't exist.
func checkAppearance(a *linnet.Appearance) error {
	if a == nil {
		return nil
	}
	if a.Theme != "" && a.Theme != "light" && a.Theme != "dark" {
		return linnet.FieldError("theme", "ERR_INCLUSION", "%q must be light or dark", a.Theme)
	}
	if a.Language != "" && locale.Named(a.Language) == nil {
		return linnet.FieldError("language", "ERR_INCLUSION", "%q is not an available language", a.Language)
	}
	if _, err := time.LoadLocation(a.Zone); err != nil || a.Zone == "Local" { // the time zone of the server
		return linnet.FieldError("zone", "ERR_INVALID", "%q is not a time zone. Use a name such as Europe/Berlin, or leave it empty to use the browser's", a.Zone)
	}
	return nil
}
