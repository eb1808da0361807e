package identity

import (
	"context"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"

	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/mail"
	"linnet/internal/store"
	"linnet/internal/store/instance"
	"linnet/internal/text"
	"linnet/internal/uploads"
	"linnet/internal/view"
)

// Settings manages the settings, pictures and terms of the server. It is safe for concurrent use.
type Settings struct {
	st      *store.Store
	core    *core.Service
	uploads *uploads.Service
	view    *view.Service
	totals  totalsCache
}

// NewSettings returns the Settings of a store.
func NewSettings(b core.Base, c *core.Service, u *uploads.Service, v *view.Service) *Settings {
	return &Settings{st: b.Store, core: c, uploads: u, view: v}
}

// totalsAge is how long the totals of the server are cached. Counting reads each shard.
const totalsAge = time.Minute

type totalsCache struct {
	last     atomic.Pointer[countedTotals]
	counting sync.Mutex
}

type countedTotals struct {
	at time.Time
	instance.Totals
}

// CountTotals returns the totals of the server. While another goroutine counts, or if counting
// fails, it returns the last totals.
func (s *Settings) CountTotals(ctx context.Context) (instance.Totals, error) {
	c := &s.totals
	last, now := c.last.Load(), s.st.Now()
	if last != nil {
		if now.Sub(last.at).Abs() <= totalsAge || !c.counting.TryLock() {
			return last.Totals, nil
		}
		defer c.counting.Unlock()
	}
	t, err := s.st.Instance.Totals(ctx)
	switch {
	case err == nil:
		c.last.Store(&countedTotals{now, t})
	case last != nil:
		return last.Totals, nil
	}
	return t, core.StoreError(err)
}

// instance reads the description of the server. Without one, sign-up is closed.
func (s *Settings) instance(ctx context.Context) (linnet.Instance, error) {
	in, ok, err := s.st.Instance.Get(ctx)
	if !ok {
		in.Registrations = linnet.RegisterClosed
	}
	return in, core.StoreError(err)
}

// Instance returns the description of the instance.
func (s *Settings) Instance(ctx context.Context) (v linnet.InstanceView, err error) {
	in, err := s.instance(ctx)
	if err != nil {
		return v, err
	}
	if in.Title == "" {
		in.Title = linnet.DefaultTitle
	}
	v.Instance = in
	t, err := s.CountTotals(ctx)
	if err != nil {
		return v, err
	}
	v.People, v.Groups, v.Statuses, v.ActiveMonth = t.People, t.Groups, t.Statuses, t.ActiveMonth
	if in.ContactUser != 0 {
		u, err := s.view.User(ctx, 0, in.ContactUser)
		if err == nil {
			v.ContactView = &u
		} else if linnet.KindOf(err) != linnet.NotFound {
			return v, err
		}
	}
	return v, nil
}

// updateInstance changes the settings with additional operations. It retries while others change
// them at the same time.
func (s *Settings) updateInstance(ctx context.Context, change func(*linnet.Instance) ([]kv.Op, error)) (linnet.Instance, error) {
	for range core.PageRounds {
		in, err := s.instance(ctx)
		if err != nil {
			return in, err
		}
		also, err := change(&in)
		if err != nil {
			return in, err
		}
		ok, err := s.st.Instance.Set(ctx, in, also...)
		if err != nil {
			return in, err
		}
		if ok {
			in.Version++
			return in, s.core.TakeSettings(ctx, in)
		}
	}
	return linnet.Instance{}, linnet.Errorf(linnet.Conflict, "Someone else has just changed the server settings. Try again.")
}

// cleanInstance removes control characters. All texts except the description become one line.
func cleanInstance(c linnet.InstanceChange) linnet.InstanceChange {
	if c.Title != nil {
		title := text.Line(*c.Title)
		c.Title = &title
	}
	if c.Description != nil {
		about := core.Lines(*c.Description)
		c.Description = &about
	}
	if c.Contact != nil {
		contact := text.Line(*c.Contact)
		c.Contact = &contact
	}
	if c.ThumbnailAlt != nil {
		alt := text.Line(*c.ThumbnailAlt)
		c.ThumbnailAlt = &alt
	}
	if c.Privacy != nil {
		policy := core.Lines(*c.Privacy)
		c.Privacy = &policy
	}
	if c.Style != nil {
		style := strings.TrimSpace(strings.Map(func(r rune) rune {
			if unicode.IsControl(r) && r != '\n' && r != '\t' {
				return -1
			}
			return r
		}, strings.ToValidUTF8(*c.Style, "")))
		c.Style = &style
	}
	if c.Questions != nil {
		var questions []string
		for _, q := range *c.Questions {
			if q = text.Line(q); q != "" {
				questions = append(questions, q)
			}
		}
		c.Questions = &questions
	}
	if c.Rules != nil {
		rules := make([]string, len(*c.Rules))
		for i, r := range *c.Rules {
			rules[i] = text.Line(r)
		}
		c.Rules = &rules
	}
	return c
}

// checkInstance returns all errors of a change of the settings. stored is the current contact
// address, which an earlier version may have accepted.
func checkInstance(c linnet.InstanceChange, stored string) error {
	var all linnet.Faults
	all.Add(core.CheckText("title", c.Title, linnet.MaxAppName))
	all.Add(core.CheckText("description", c.Description, linnet.MaxDescription))
	all.Add(core.CheckText("privacy", c.Privacy, linnet.MaxPrivacy))
	all.Add(core.CheckText("thumbnail_description", c.ThumbnailAlt, linnet.MaxBannerAlt))
	if c.Contact != nil && *c.Contact != "" && *c.Contact != stored {
		if _, err := mail.Normalize(*c.Contact); err != nil {
			all.Add(linnet.FieldError("contact", "ERR_INVALID", "%s", err))
		}
	}
	if r := c.Registrations; r != nil && !slices.Contains(linnet.AllRegistrations(), *r) {
		all.Add(linnet.FieldError("registrations", "ERR_INCLUSION", "is %q, but must be open, approval, invite or closed", string(*r)))
	}
	for _, n := range []struct {
		name        string
		is          *int
		least, most int
	}{{"new_days", c.NewDays, 0, linnet.MaxNewDays}, {"invites", c.Invites, 0, linnet.MaxMemberInvites}, {"invite_uses", c.InviteUses, 1, linnet.MaxMemberUses},
		{"invite_days", c.InviteDays, 1, linnet.MaxMemberDays}, {"status_chars", c.StatusChars, linnet.MinStatusChars, linnet.MaxStatusChars}} {
		if n.is != nil && (*n.is < n.least || *n.is > n.most) {
			all.Add(linnet.FieldError(n.name, "ERR_INVALID", "is %d, but must be from %d to %d", *n.is, n.least, n.most))
		}
	}
	if c.AccentLight != nil && c.AccentDark != nil { // a single one is checked with the stored other one
		_, err := linnet.CheckAccent(*c.AccentLight, *c.AccentDark)
		all.Add(err)
	}
	if c.Style != nil {
		all.Add(checkStyle(*c.Style))
	}
	if c.Rules != nil {
		if n := len(*c.Rules); n > linnet.MaxRules {
			all.Add(linnet.FieldError("rules", "ERR_TOO_LONG", "can have at most %[2]d entries (%[1]d given)", n, linnet.MaxRules))
		}
		for _, r := range *c.Rules {
			all.Add(core.CheckText("rules", &r, linnet.MaxRuleChars))
		}
	}
	return all.Err()
}

// checkStyle returns an error for a style sheet that is too long or loads other resources. The
// policy of pages allows only pictures of this server.
func checkStyle(css string) error {
	if len(css) > linnet.MaxStyle {
		return linnet.FieldError("style", "ERR_TOO_LONG", "is %d bytes long (maximum is %d)", len(css), linnet.MaxStyle)
	}
	low := strings.ToLower(css)
	if strings.Contains(low, "@import") {
		return linnet.FieldError("style", "ERR_INVALID", "contains an @import rule, which is not allowed. Paste the imported rules here instead")
	}
	for rest, found := low, true; ; {
		if _, rest, found = strings.Cut(rest, "url("); !found {
			return nil
		}
		if address := strings.TrimLeft(rest, " \t\n\"'"); !strings.HasPrefix(address, "/") || strings.HasPrefix(address, "//") {
			at, _, _ := strings.Cut(address, ")")
			return linnet.FieldError("style", "ERR_INVALID", "contains url(%s), which is not allowed. Use only pictures from this server, such as url(/media/…)", strings.TrimRight(text.Line(at[:min(len(at), 60)]), "\"'"))
		}
	}
}
