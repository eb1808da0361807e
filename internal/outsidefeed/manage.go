package outsidefeed

import (
	"context"
	"slices"
	"strings"

	"linnet/internal/cards"
	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
	"linnet/internal/wording"
)

var errNoFeedHere = linnet.Errorf(linnet.NotFound, "Record not found")

// State returns the state of the feed of an account. It returns NotFound for other accounts.
func (s *Service) State(ctx context.Context, user linnet.ID) (*linnet.OutsideFeed, error) {
	f, err := s.st.Accounts.OutsideFeed(ctx, user)
	if err == nil && f == nil {
		err = errNoFeedHere
	}
	return f, core.StoreError(err)
}

// List returns a page of all feeds with their accounts, and the position of the next page, which is
// "" at the end. after is "" for the first page.
func (s *Service) List(ctx context.Context, by linnet.Actor, after string, limit int) (out []linnet.OutsideFeedView, next string, err error) {
	if err := s.core.Authorize(ctx, by, linnet.ManageUsers); err != nil {
		return nil, "", err
	}
	feeds, next, err := s.st.Accounts.OutsideFeeds(ctx, after, limit)
	if err != nil {
		return nil, "", core.StoreError(err)
	}
	ids := make([]linnet.ID, len(feeds))
	for i := range feeds {
		ids[i] = feeds[i].User
	}
	users, err := s.view.Users(ctx, by.ID(), ids)
	if err != nil {
		return nil, "", err
	}
	for _, f := range feeds {
		if i := slices.IndexFunc(users, func(u linnet.UserView) bool { return u.ID == f.User }); i >= 0 {
			out = append(out, linnet.OutsideFeedView{OutsideFeed: f, Account: users[i]})
		}
	}
	return out, next, nil
}

// ByID returns the feed of an account for staff.
func (s *Service) ByID(ctx context.Context, by linnet.Actor, user linnet.ID) (v linnet.OutsideFeedView, err error) {
	if err := s.core.Authorize(ctx, by, linnet.ManageUsers); err != nil {
		return v, err
	}
	f, err := s.State(ctx, user)
	if err != nil {
		return v, err
	}
	v.OutsideFeed = *f
	if v.Account, err = s.view.User(ctx, by.ID(), user); err != nil || f.By == 0 {
		return v, err
	}
	adder, err := s.view.User(ctx, by.ID(), f.By)
	if linnet.KindOf(err) == linnet.NotFound {
		return v, nil
	}
	v.AddedBy = &adder
	return v, err
}

// Named returns the account of the feed with a login or an address.
func (s *Service) Named(ctx context.Context, by linnet.Actor, name string) (linnet.ID, error) {
	if err := s.core.Authorize(ctx, by, linnet.ManageUsers); err != nil {
		return 0, err
	}
	u, err := s.core.AccountNamed(ctx, name) // first, because a login such as example.org is an address too
	switch {
	case err == nil && u.Feed != "":
		return u.ID, nil
	case err == nil:
		return 0, linnet.Errorf(linnet.NotFound, "%s isn't the account of an external feed.", u.Login)
	case linnet.KindOf(err) != linnet.NotFound:
		return 0, err
	}
	address, ok := s.Address(name)
	if !ok {
		return 0, errNoFeedHere
	}
	id, err := s.st.Accounts.OutsideFeedAt(ctx, address)
	if err == nil && id == 0 {
		err = errNoFeedHere
	}
	return id, core.StoreError(err)
}

// Fetch requests a feed now, even if it is paused or dead.
func (s *Service) Fetch(ctx context.Context, by linnet.Actor, user linnet.ID) error {
	if err := s.core.Authorize(ctx, by, linnet.ManageUsers); err != nil {
		return err
	}
	if _, err := s.State(ctx, user); err != nil {
		return err
	}
	return core.StoreError(s.wake(ctx, user, true))
}

// Remove deletes a feed with its account and posts permanently.
func (s *Service) Remove(ctx context.Context, by linnet.Actor, user linnet.ID) error {
	if err := s.core.Authorize(ctx, by, linnet.ManageUsers); err != nil {
		return err
	}
	if _, err := s.State(ctx, user); err != nil {
		return err
	}
	act := s.core.NewAct(by, linnet.Remove, user)
	return s.social.Deletion.RemoveUser(ctx, user, &act, func(u *linnet.User) error {
		if u.Feed == "" {
			return errNoFeedHere
		}
		return nil
	})
}

// Settings returns the settings for external feeds.
func (s *Service) Settings(ctx context.Context) (linnet.OutsideFeedSettings, error) {
	set, err := s.st.Accounts.OutsideFeedSettings(ctx)
	return set, core.StoreError(err)
}

// ChangeSettings changes the settings with f, which can be called more than once, and adds the
// change to the audit log.
func (s *Service) ChangeSettings(ctx context.Context, by linnet.Actor, f func(*linnet.OutsideFeedSettings)) error {
	if err := s.core.Authorize(ctx, by, linnet.ManageSettings); err != nil {
		return err
	}
	for range db.MaxRaces {
		set, err := s.Settings(ctx)
		if err != nil {
			return err
		}
		before := set
		f(&set)
		if err := clean(&set); err != nil {
			return err
		}
		var changes []string
		if set.Who != before.Who {
			changes = append(changes, wording.Store("External feeds: %s → %s", string(before.Who), string(set.Who)))
		}
		if set.PerMember != before.PerMember || set.Total != before.Total {
			changes = append(changes, wording.Store("Maximum number of external feeds: %d per member, %d in total", set.PerMember, set.Total))
		}
		if !slices.Equal(set.Blocked, before.Blocked) {
			changes = append(changes, wording.Store("Blocked hosts of external feeds: %d", len(set.Blocked)))
		}
		for _, c := range changes {
			if err := s.core.LogAct(ctx, by, core.ActSettings, 0, c, ""); err != nil {
				return err
			}
		}
		if len(changes) == 0 {
			return nil
		}
		made, err := s.st.Accounts.SetOutsideFeedSettings(ctx, set)
		if err != nil || made {
			return core.StoreError(err)
		}
	}
	return linnet.Errorf(linnet.Unavailable, "Someone else is changing the settings. Please try again.")
}

// clean normalizes settings and returns all errors.
func clean(set *linnet.OutsideFeedSettings) error {
	var all linnet.Faults
	if !slices.Contains(linnet.AllFeedAdders(), set.Who) {
		all.Add(linnet.FieldError("who", "ERR_INCLUSION", "must be members, moderators or off"))
	}
	if set.PerMember < 0 || set.PerMember > linnet.MaxOutsideFeeds {
		all.Add(linnet.FieldError("per_member", "ERR_INCLUSION", "must be between %d and %d", 0, linnet.MaxOutsideFeeds))
	}
	if set.Total < 0 || set.Total > linnet.MaxOutsideFeeds {
		all.Add(linnet.FieldError("total", "ERR_INCLUSION", "must be between %d and %d", 0, linnet.MaxOutsideFeeds))
	}
	hosts := make([]string, 0, len(set.Blocked))
	for _, typed := range set.Blocked {
		if typed = strings.TrimSpace(typed); typed == "" {
			continue
		}
		host, ok := cards.Domain(typed)
		if !ok {
			all.Add(linnet.FieldError("blocked", "ERR_INVALID", "can't contain %q, which isn't a host", record.CutRunes(typed, 60)))
			continue
		}
		hosts = append(hosts, host)
	}
	slices.Sort(hosts)
	set.Blocked = slices.Compact(hosts)
	if len(set.Blocked) > linnet.MaxBlockedFeedHosts {
		all.Add(linnet.FieldError("blocked", "ERR_TOO_LONG", "can have at most %[2]d entries (%[1]d given)", len(set.Blocked), linnet.MaxBlockedFeedHosts))
	}
	return all.Err()
}
