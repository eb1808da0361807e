package identity

import (
	"context"
	"slices"
	"time"

	"linnet/internal/core"
	"linnet/internal/linnet"
)

// Invitations by users. Staff with the permission can create any, and members as many as the
// settings allow.

const (
	// invitesForStaff is the number of stored invitations that is reserved for staff.
	invitesForStaff = 100
)

// Right returns whether and how a user can invite people.
func (s *Invites) Right(ctx context.Context, me linnet.ID) (r linnet.InviteRight, err error) {
	u, err := s.core.LookupUser(ctx, me)
	if err != nil || u == nil || u.Hidden() || u.Disabled {
		return r, err
	}
	about, err := s.settings.instance(ctx)
	if err != nil {
		return r, err
	}
	r.Closed = !about.Registrations.Invites()
	may, err := s.core.May(ctx, u)
	if err != nil {
		return r, err
	}
	if may.Has(linnet.InviteUsers) {
		r.May, r.Uses = !r.Closed || may.Has(linnet.ManageSettings), linnet.MaxInviteUses
		return r, nil
	}
	r.Most, r.Uses, r.For = about.Invites, int64(about.InviteUses), time.Duration(about.InviteDays)*24*time.Hour
	if r.Closed || r.Most == 0 || u.Silenced {
		return r, nil
	}
	if r.From, err = s.core.LimitedUntil(ctx, u); err != nil || !r.From.IsZero() {
		return r, err
	}
	own, err := s.Own(ctx, me)
	for _, i := range own {
		if i.State == "good" {
			r.Open++
		}
	}
	r.May = err == nil
	return r, err
}

// Own returns a user's own invitations, newest first.
func (s *Invites) Own(ctx context.Context, me linnet.ID) ([]linnet.InviteView, error) {
	all, err := s.st.Accounts.Invites(ctx)
	if err != nil {
		return nil, core.StoreError(err)
	}
	out := []linnet.InviteView{}
	for _, i := range all {
		if i.By != me {
			continue
		}
		v, err := s.inviteView(ctx, i)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// CreateAs creates an invitation by a member, or like Create for staff. It returns Forbidden if me
// can't invite, or if sign-up is closed and me can't open it.
func (s *Invites) CreateAs(ctx context.Context, me linnet.ID, d linnet.InviteDraft) (v linnet.InviteView, err error) {
	right, err := s.Right(ctx, me)
	if err != nil {
		return v, err
	}
	if err := mayInvite(right); err != nil {
		return v, err
	}
	if right.Most == 0 {
		return s.Create(ctx, linnet.By(me), d)
	}
	if err := checkInviteDraft(d, right.Uses, right.For); err != nil {
		return v, err
	}
	if err := s.checkCarried(ctx, me, d.Collection); err != nil {
		return v, err
	}
	all, err := s.st.Accounts.Invites(ctx)
	if err != nil {
		return v, core.StoreError(err)
	}
	if len(all) >= linnet.MaxInvites-invitesForStaff {
		return v, linnet.Errorf(linnet.TooMany, "This server has too many invitations at the moment. Please try again later.")
	}
	if _, _, err := s.core.Allow(ctx, "invite", me.String(), linnet.MemberInvitesADay, 24*time.Hour); err != nil {
		return v, err
	}
	if v, err = s.makeInvite(ctx, me, d); err != nil {
		return v, err
	}
	// Concurrent new invitations count each other: deleting too many is better than too few.
	own, err := s.Own(ctx, me)
	if err != nil {
		return v, err
	}
	own = slices.DeleteFunc(own, func(i linnet.InviteView) bool { return i.State != "good" })
	if len(own) > right.Most {
		if err := s.st.Accounts.DropInvite(ctx, v.Code); err != nil {
			return v, core.StoreError(err)
		}
		return v, errInvitesOpen(right.Most)
	}
	return v, nil
}

func mayInvite(r linnet.InviteRight) error {
	switch {
	case r.May && r.Most > 0 && r.Open >= r.Most:
		return errInvitesOpen(r.Most)
	case r.May:
		return nil
	case r.Closed:
		return errInvitesClosed
	}
	return core.ErrNotAllowed
}

func errInvitesOpen(most int) error {
	if most == 1 {
		return linnet.Errorf(linnet.Conflict, "You can have 1 open invitation at a time. Revoke it, or wait until it's used.")
	}
	return linnet.Errorf(linnet.Conflict, "You can have %d open invitations at a time. Revoke one, or wait until one is used.", most)
}

// RevokeAs revokes an invitation that the user has created. For staff who can manage invitations it
// is like Revoke.
func (s *Invites) RevokeAs(ctx context.Context, me linnet.ID, code string) error {
	if err := s.Revoke(ctx, linnet.By(me), code); linnet.KindOf(err) != linnet.Forbidden {
		return err
	}
	if !validCode(code) {
		return errNoInvite()
	}
	i, ok, err := s.st.Accounts.Invite(ctx, cleanCode(code))
	if err != nil {
		return core.StoreError(err)
	}
	if !ok || i.By != me {
		return errNoInvite()
	}
	_, err = s.st.Accounts.RevokeInvite(ctx, i.Code)
	return core.StoreError(err)
}
