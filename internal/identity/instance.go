package identity

import (
	"context"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/store/accounts"
	"linnet/internal/text"
)

// totalsAge is how long the size of the installation is shown before it is
// counted again: a query to each shard.
const totalsAge = time.Minute

type totalsCache struct {
	last     atomic.Pointer[countedTotals]
	counting sync.Mutex
}

type countedTotals struct {
	at time.Time
	accounts.Totals
}

// CountTotals returns the size of the installation. While somebody counts, or
// when it cannot be counted, others are shown what was counted last.
func (s *Service) CountTotals(ctx context.Context) (accounts.Totals, error) {
	c := &s.totals
	last, now := c.last.Load(), s.st.Now()
	if last != nil {
		if now.Sub(last.at).Abs() <= totalsAge || !c.counting.TryLock() {
			return last.Totals, nil
		}
		defer c.counting.Unlock()
	}
	t, err := s.st.Accounts.Totals(ctx)
	switch {
	case err == nil:
		c.last.Store(&countedTotals{now, t})
	case last != nil:
		return last.Totals, nil
	}
	return t, core.StoreError(err)
}

// instance reads the description. Where nobody has written one nobody signs up.
func (s *Service) instance(ctx context.Context) (linnet.Instance, error) {
	in, ok, err := s.st.Accounts.Instance(ctx)
	if !ok {
		in.Registrations = linnet.RegisterClosed
	}
	return in, core.StoreError(err)
}

// Instance describes the installation.
func (s *Service) Instance(ctx context.Context) (v linnet.InstanceView, err error) {
	in, err := s.instance(ctx)
	if err != nil {
		return v, err
	}
	if in.Title == "" {
		in.Title = "Linnet"
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

func (s *Service) setInstance(ctx context.Context, c linnet.InstanceChange) (linnet.Instance, error) {
	c = cleanInstance(c)
	in, err := s.updateInstance(ctx, func(in *linnet.Instance) error {
		core.Set(&in.Title, c.Title)
		core.Set(&in.Description, c.Description)
		core.Set(&in.Contact, c.Contact)
		core.Set(&in.Rules, c.Rules)
		core.Set(&in.Private, c.Private)
		core.Set(&in.Trends, c.Trends)
		core.Set(&in.Cards, c.Cards)
		core.Set(&in.Registrations, c.Registrations)
		core.Set(&in.EmailRequired, c.EmailRequired)
		core.Set(&in.StaffSecured, c.StaffSecured)
		core.Set(&in.NewDays, c.NewDays)
		core.Set(&in.Invites, c.Invites)
		if c.Privacy != nil && *c.Privacy != in.Privacy {
			in.Privacy, in.PrivacyAt = *c.Privacy, s.st.Now().UTC().Truncate(time.Second)
		}
		if c.ContactUser != nil {
			in.ContactUser = 0
			if *c.ContactUser != "" {
				u, err := s.view.UserByLogin(ctx, 0, *c.ContactUser)
				if linnet.KindOf(err) == linnet.NotFound {
					return linnet.FieldError("contact_user", "ERR_INVALID", "nobody is called %q", *c.ContactUser)
				}
				if err != nil {
					return err
				}
				in.ContactUser = u.ID
			}
		}
		return nil
	})
	return in, core.StoreError(err)
}

// updateInstance changes the description, again and again while others do so at the same
// time.
func (s *Service) updateInstance(ctx context.Context, change func(*linnet.Instance) error) (linnet.Instance, error) {
	return s.updateInstanceAnd(ctx, func(in *linnet.Instance) ([]kv.Op, error) { return nil, change(in) })
}

// updateInstanceAnd is updateInstance with changes of other records beside it.
func (s *Service) updateInstanceAnd(ctx context.Context, change func(*linnet.Instance) ([]kv.Op, error)) (linnet.Instance, error) {
	for range core.PageRounds {
		in, err := s.instance(ctx)
		if err != nil {
			return in, err
		}
		also, err := change(&in)
		if err != nil {
			return in, err
		}
		ok, err := s.st.Accounts.SetInstance(ctx, in, also...)
		if err != nil {
			return in, err
		}
		if ok {
			in.Version++
			s.core.TakeSettings(in)
			return in, nil
		}
	}
	return linnet.Instance{}, linnet.Errorf(linnet.Conflict, "The description was changed by somebody else; try again.")
}

// cleanInstance drops control characters; all texts but the description are one
// line each.
func cleanInstance(c linnet.InstanceChange) linnet.InstanceChange {
	if c.Title != nil {
		title := text.Line(*c.Title)
		c.Title = &title
	}
	if c.Description != nil {
		about := core.Lines(*c.Description)
		c.Description = &about
	}
	if c.Privacy != nil {
		policy := core.Lines(*c.Privacy)
		c.Privacy = &policy
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

func checkInstance(c linnet.InstanceChange) error {
	if err := core.CheckText("title", c.Title, linnet.MaxAppName); err != nil {
		return err
	}
	if err := core.CheckText("description", c.Description, linnet.MaxDescription); err != nil {
		return err
	}
	if err := core.CheckText("privacy", c.Privacy, linnet.MaxPrivacy); err != nil {
		return err
	}
	if c.Contact != nil && *c.Contact != "" && (len(*c.Contact) > linnet.MaxEmail || !strings.Contains(*c.Contact, "@")) {
		return linnet.FieldError("contact", "ERR_INVALID", "%q is not an e-mail address", *c.Contact)
	}
	if r := c.Registrations; r != nil && !slices.Contains(linnet.AllRegistrations(), *r) {
		return linnet.FieldError("registrations", "ERR_INCLUSION", "%q is none of %v", string(*r), linnet.AllRegistrations())
	}
	if c.NewDays != nil && (*c.NewDays < 0 || *c.NewDays > linnet.MaxNewDays) {
		return linnet.FieldError("new_days", "ERR_INVALID", "is %d, and must be between 0 and %d", *c.NewDays, linnet.MaxNewDays)
	}
	if c.Invites != nil && (*c.Invites < 0 || *c.Invites > linnet.MaxMemberInvites) {
		return linnet.FieldError("invites", "ERR_INVALID", "is %d, and must be between 0 and %d", *c.Invites, linnet.MaxMemberInvites)
	}
	if c.Rules == nil {
		return nil
	}
	if len(*c.Rules) > linnet.MaxRules {
		return linnet.FieldError("rules", "ERR_TOO_LONG", "holds %d rules, the limit is %d", len(*c.Rules), linnet.MaxRules)
	}
	for _, r := range *c.Rules {
		if err := core.CheckText("rules", &r, linnet.MaxRuleChars); err != nil {
			return err
		}
	}
	return nil
}
