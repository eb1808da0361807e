package moderation

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"linnet/internal/core"
	"linnet/internal/discovery"
	"linnet/internal/event"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
	"linnet/internal/timeline"
)

// errSame is returned if an account already is in the requested state.
var errSame = errors.New("the action changes nothing")

// Moderate applies an action of staff to an account, such as a suspension or a new role, and adds
// it to the audit log. Actions against the account create a strike, and its owner is notified. It
// takes effect at once on this server and within seconds on others. An action that changes nothing
// is not an error and is not logged. It returns Forbidden without the permission and NotFound if
// the account doesn't exist.
// https://docs.joinmastodon.org/methods/admin/accounts/#action
func (s *Service) Moderate(ctx context.Context, by linnet.Actor, m linnet.Measure) error {
	needs := linnet.ManageUsers
	if m.Act == linnet.GiveRole {
		needs = linnet.ManageRoles
	}
	acting, err := s.core.AuthorizeOn(ctx, by, needs, m.On)
	if err = cmp.Or(err, core.NotSystem(m.On)); err != nil {
		return err
	}
	reason, err := core.ReasonLine(m.Reason)
	if err != nil {
		return err
	}
	act := s.core.NewAct(by, m.Act, m.On)
	act.Report, act.Reason = m.Report, reason
	change := func(u *linnet.User) error {
		if !acting.Role.Over(u.Role) {
			return core.ErrNotAllowed
		}
		return apply(u, m)
	}
	switch m.Act {
	case linnet.GiveRole:
		return s.giveRole(ctx, by, acting, m, act)
	case linnet.Reject:
		return s.social.Deletion.RemoveUser(ctx, act.On, &act, func(u *linnet.User) error { // the login stays reserved
			if !acting.Role.Over(u.Role) {
				return core.ErrNotAllowed
			}
			return waits(u)
		})
	}
	if !m.Act.Strikes() {
		return s.moderate(ctx, moderatedArgs{Act: act}, change)
	}
	posts, err := s.struck(ctx, m)
	if err != nil {
		return err
	}
	st, err := s.newStrike(ctx, act, m, posts)
	if err != nil {
		return err
	}
	ops, err := s.st.Staff.PrepareStrike(ctx, &st)
	if err != nil {
		return core.StoreError(err)
	}
	return s.moderate(ctx, moderatedArgs{Act: act, Strike: st.ID, Email: m.Email}, change, ops...)
}

// moderate changes the record of an account, with some operations in its shard, and applies the
// consequences.
func (s *Service) moderate(ctx context.Context, args moderatedArgs, change func(*linnet.User) error, with ...kv.Op) error {
	act := args.Act
	args.User = act.On
	t, err := s.tasks.New(act.On.Shard(), taskModerated, args)
	if err != nil {
		return err
	}
	_, ok, err := s.st.Accounts.ModerateUser(ctx, act.On, t, change, with...)
	err = cmp.Or(err, s.facts.PermissionsChanged.Emit(ctx, event.PermissionsChanged{User: act.On})) // even after an error, because the change may have been written
	switch {
	case errors.Is(err, errSame):
		s.core.Emit(ctx, act.On, core.Event{Type: core.EventUser, To: act.On}) // an earlier attempt may have failed before this
		return nil
	case err != nil:
		return core.StoreError(err)
	case !ok:
		return core.ErrNoUser
	}
	s.tasks.Run(ctx, t)
	return nil
}

// DeleteAccount deletes an account permanently, like social.DeleteUser. Staff with the permission
// can delete suspended accounts only, and the operator all. Otherwise it returns Forbidden.
// https://docs.joinmastodon.org/methods/admin/accounts/#delete
func (s *Service) DeleteAccount(ctx context.Context, by linnet.Actor, on linnet.ID) error {
	acting, err := s.core.AuthorizeOn(ctx, by, linnet.DeleteUserData, on)
	if err != nil {
		return err
	}
	act := s.core.NewAct(by, linnet.Remove, on)
	return s.social.Deletion.RemoveUser(ctx, on, &act, func(u *linnet.User) error {
		if !acting.Role.Over(u.Role) || !u.Suspended && !by.IsOperator() {
			return core.ErrNotAllowed
		}
		return nil
	})
}

// apply applies an action to a user record. It returns errSame if nothing changes.
func apply(u *linnet.User, m linnet.Measure) error {
	flag, to := m.Act.Flag(u)
	switch {
	case m.Act == linnet.Warn, m.Act == linnet.Note:
		return nil
	case flag == nil:
		return linnet.FieldError("type", "ERR_INCLUSION", "%q is not a valid action", string(m.Act))
	case m.Act == linnet.Approve:
		if err := waits(u); err != nil {
			return err
		}
	}
	if *flag == to {
		return errSame
	}
	*flag = to
	return nil
}

// waits returns an error if an account does not wait for approval.
func waits(u *linnet.User) error {
	if !u.Unapproved {
		return linnet.Errorf(linnet.Forbidden, "This account isn't waiting for approval.")
	}
	return nil
}

// moderatedArgs have the account and the entry for the audit log.
type moderatedArgs struct {
	User   linnet.ID    `json:"user"`
	Act    core.ActArgs `json:"act"`
	Strike linnet.ID    `json:"strike,omitempty"`
	Email  bool         `json:"email,omitempty"`  // e-mail the strike to the owner
	Files  bool         `json:"files,omitempty"`  // only files and public timelines are left
	Relist bool         `json:"relist,omitempty"` // only public timelines are left
	Below  linnet.ID    `json:"below,omitempty"`  // only older statuses are left
}

// moderated applies the consequences of an action: the index of names, the list of staff, the audit
// log, sessions and streams on all servers, then files and public timelines. Each part can run more
// than once.
func (s *Service) moderated(ctx context.Context, a moderatedArgs) (*moderatedArgs, error) {
	if a.Files {
		var err error
		if a.Below, err = s.uploads.UpdateAccountFiles(ctx, a.User, a.Below); err != nil {
			return nil, err
		}
		a.Files, a.Relist = a.Below != 0, a.Below == 0
		return &a, nil
	}
	if a.Relist {
		var err error
		if a.Below, err = s.trends.Relist(ctx, a.User, a.Below); err != nil || a.Below == 0 {
			return nil, err
		}
		return &a, nil
	}
	if err := s.st.Accounts.IndexUser(ctx, a.User); err != nil {
		return nil, err
	}
	if err := s.st.Accounts.IndexDirectory(ctx, a.User); err != nil {
		return nil, err
	}
	s.core.Emit(ctx, a.User, core.Event{Type: core.EventUser, To: a.User})
	if a.Act.Act == linnet.Approve {
		if err := s.identity.Emails().NotifyApproved(ctx, a.User); err != nil {
			return nil, err
		}
	}
	if e := accessEvent(a.Act.Act); e != "" {
		s.identity.Security().NoteStaffAct(ctx, a.User, e, a.Act.By)
	}
	if err := s.st.Staff.LogAct(ctx, a.Act.Record()); err != nil {
		return nil, err
	}
	if a.Strike != 0 {
		if err := s.Strikes.notifyOwner(ctx, a.Strike, a.Email); err != nil {
			return nil, err
		}
	}
	switch a.Act.Act {
	case linnet.Suspend, linnet.Unsuspend:
		a.Files = true
		return &a, nil
	case linnet.Silence, linnet.Unsilence:
		a.Relist = true
		return &a, nil
	}
	return nil, nil
}

// accessEvent returns the event for the security log of the account, or "" for none.
func accessEvent(m linnet.Moderation) linnet.SecurityEvent {
	switch m {
	case linnet.Suspend:
		return linnet.AccountSuspended
	case linnet.Unsuspend:
		return linnet.AccountRestored
	case linnet.Disable:
		return linnet.AccountLocked
	case linnet.Enable:
		return linnet.AccountUnlocked
	case linnet.GiveRole:
		return linnet.RoleChanged
	}
	return ""
}

// AccountNamed returns the account with a login in any state, for staff who manage users. It
// returns NotFound for deleted accounts.
func (s *Service) AccountNamed(ctx context.Context, by linnet.Actor, login string) (*linnet.User, error) {
	if err := s.core.Authorize(ctx, by, linnet.ManageUsers); err != nil {
		return nil, err
	}
	return s.core.AccountNamed(ctx, login)
}

// AccountsQuery selects accounts for moderators: people, or groups.
type AccountsQuery struct {
	State  linnet.AccountState
	Role   linnet.Role // at least
	Named  string      // prefix of the login or of a word of the name; "" for all
	Email  string      // the whole address; "" for all
	Groups bool        // groups instead of people
}

// accountsMost is the maximum number of accounts on a page for moderators.
const accountsMost = 200

// Accounts returns accounts with private data, newest first, for staff who manage users.
func (s *Service) Accounts(ctx context.Context, by linnet.Actor, q AccountsQuery, p linnet.Page) (out linnet.Slice[linnet.AccountView], err error) {
	if err := s.core.Authorize(ctx, by, linnet.ManageUsers); err != nil {
		return out, err
	}
	if p.Limit == 0 {
		p.Limit = 100
	}
	return timeline.FillPage(ctx, s.core, p, timeline.List[linnet.AccountView]{Name: func() string { return fmt.Sprintf("accounts %+v", q) }, Most: accountsMost,
		Position: func(v *linnet.AccountView) timeline.Position { return timeline.Position{ID: v.ID} },
		Read: func(sp db.Span, _ int) (r timeline.Round[linnet.AccountView], err error) {
			var ids []linnet.ID
			if ids, r.Reached, r.End, err = s.accountIDs(ctx, q, sp); err != nil {
				return r, core.StoreError(err)
			}
			r.End = r.End || sp.Asc // only the accounts directly above the bound are read
			views, err := s.accountViews(ctx, ids)
			r.Items = slices.DeleteFunc(views, func(v linnet.AccountView) bool { return !q.fits(&v) })
			return r, err
		}})
}

func (q AccountsQuery) fits(v *linnet.AccountView) bool {
	return (v.Group != linnet.NoGroup) == q.Groups && v.Feed == "" && v.InState(q.State) && v.Role >= q.Role && (q.Email == "" || strings.EqualFold(v.Email, q.Email))
}

// within returns the distinct ids within a span, newest first.
func within(ids []linnet.ID, sp db.Span) []linnet.ID {
	ids = slices.DeleteFunc(ids, func(id linnet.ID) bool { return id <= sp.Above || sp.Below != 0 && id >= sp.Below })
	slices.Sort(ids)
	ids = slices.Compact(ids)
	slices.Reverse(ids)
	return ids
}

// accountIDs returns the candidates for a page, the id down to which they are complete, and whether
// there are no others.
func (s *Service) accountIDs(ctx context.Context, q AccountsQuery, sp db.Span) ([]linnet.ID, linnet.ID, bool, error) {
	switch {
	case q.Named != "": // the exact login in any state, and searchable accounts by prefix
		ids, err := s.st.Accounts.UsersByPrefix(ctx, q.Named, discovery.SearchMost)
		if err != nil {
			return nil, 0, true, err
		}
		u, err := s.core.AccountNamed(ctx, q.Named)
		if err == nil {
			ids = append(ids, u.ID)
		} else if linnet.KindOf(err) != linnet.NotFound {
			return nil, 0, true, err
		}
		return within(ids, sp), 0, true, nil
	case q.Role > linnet.Member: // all staff are read, because they are few
		ids, err := s.st.Accounts.Staff(ctx)
		return within(ids, sp), 0, true, err
	}
	return s.st.Accounts.Accounts(ctx, q.State, q.Groups, sp)
}

// accountViews makes views for moderators of accounts that exist, in order.
func (s *Service) accountViews(ctx context.Context, ids []linnet.ID) ([]linnet.AccountView, error) {
	b := s.st.Batch()
	refs := make([]*db.UserRef, len(ids))
	secrets := make([]*record.Secret, len(ids))
	for i, id := range ids {
		refs[i], secrets[i] = b.User(id), b.Secret(id)
	}
	if err := b.Run(ctx); err != nil {
		return nil, core.StoreError(err)
	}
	out := make([]linnet.AccountView, 0, len(ids))
	for i, ref := range refs {
		if ref.User != nil {
			out = append(out, linnet.AccountView{UserView: s.view.FullView(ref), Email: secrets[i].Email, EmailConfirmed: secrets[i].Mail.Confirmed != 0, Reason: secrets[i].Reason,
				InvitedBy: linnet.ID(secrets[i].InvitedBy)})
		}
	}
	return out, nil
}

// Account returns an account in any state, for staff who manage users.
func (s *Service) Account(ctx context.Context, by linnet.Actor, id linnet.ID) (linnet.AccountView, error) {
	if err := s.core.Authorize(ctx, by, linnet.ManageUsers); err != nil {
		return linnet.AccountView{}, err
	}
	vs, err := s.accountViews(ctx, []linnet.ID{id})
	if err != nil {
		return linnet.AccountView{}, err
	}
	if len(vs) == 0 {
		return linnet.AccountView{}, core.ErrNoUser
	}
	return vs[0], nil
}
