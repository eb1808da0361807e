package identity

import (
	"context"
	"crypto/rand"
	"strings"
	"time"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// Invites manages invitations. It is safe for concurrent use.
type Invites struct {
	st       *store.Store
	core     *core.Service
	settings *Settings
}

// NewInvites returns the Invites of a store.
func NewInvites(b core.Base, c *core.Service, s *Settings) *Invites {
	return &Invites{st: b.Store, core: c, settings: s}
}

// inviteMost is the maximum lifetime of an invitation.
const inviteMost = 10 * 365 * 24 * time.Hour

// Create creates an invitation. by must be allowed to invite. Users with the link can sign up
// without approval. If sign-up is closed, this opens it to invited people, if by can change
// settings. Otherwise it fails, because the invitation would be useless.
func (s *Invites) Create(ctx context.Context, by linnet.Actor, d linnet.InviteDraft) (v linnet.InviteView, err error) {
	if err := s.core.Authorize(ctx, by, linnet.InviteUsers); err != nil {
		return v, err
	}
	if err := checkInviteDraft(d, linnet.MaxInviteUses, 0); err != nil {
		return v, err
	}
	maker, host := by.ID(), linnet.ID(0)
	if d.By != "" && by.IsOperator() {
		u, err := s.core.AccountNamed(ctx, d.By)
		if err != nil {
			return v, err
		}
		maker, host = u.ID, u.ID
	}
	if err := s.checkCarried(ctx, maker, d.Collection); err != nil {
		return v, err
	}
	opened, err := s.openToInvited(ctx, by)
	if err != nil {
		return v, err
	}
	if v, err = s.makeInvite(ctx, maker, d); err != nil {
		return v, err
	}
	v.Opened = opened
	return v, s.core.LogAct(ctx, by, core.ActInvite, host, shortCode(v.Code), "")
}

// checkInviteDraft checks an invitation with a lifetime of at most longest; 0 for no limit.
func checkInviteDraft(d linnet.InviteDraft, uses int64, longest time.Duration) error {
	var all linnet.Faults
	if d.Uses < 0 || d.Uses > uses {
		all.Add(linnet.FieldError("uses", "ERR_INCLUSION", "must be from 1 to %d", uses))
	}
	switch {
	case d.For < 0 || d.For > inviteMost:
		all.Add(linnet.FieldError("expires", "ERR_INCLUSION", "must be within ten years"))
	case longest > 0 && (d.For == 0 || d.For > longest):
		all.Add(linnet.FieldError("expires", "ERR_INCLUSION", "must be within %d days", int(longest.Hours()/24)))
	}
	return all.Err()
}

// checkCarried returns an error if a collection doesn't belong to the inviter.
func (s *Invites) checkCarried(ctx context.Context, maker, collection linnet.ID) error {
	if collection == 0 {
		return nil
	}
	c, err := s.st.Relations.Collection(ctx, collection)
	if err != nil {
		return core.StoreError(err)
	}
	if c == nil || c.Owner != maker {
		return linnet.FieldError("collection", "ERR_INVALID", "isn't one of your collections")
	}
	return nil
}

// openToInvited opens sign-up to invited people if it is closed. It returns an error if by can't
// change settings.
func (s *Invites) openToInvited(ctx context.Context, by linnet.Actor) (opened bool, err error) {
	about, err := s.settings.instance(ctx)
	if err != nil || about.Registrations.Invites() {
		return false, err
	}
	invited := linnet.RegisterInvite
	_, err = s.settings.ChangeInstance(ctx, by, linnet.InstanceChange{Registrations: &invited})
	if linnet.KindOf(err) == linnet.Forbidden {
		err = errInvitesClosed
	}
	return err == nil, err
}

var errInvitesClosed = linnet.Errorf(linnet.Forbidden, "Sign-up is closed, so invitations can't be used. An administrator can open it to invited people.")

// makeInvite stores a checked invitation.
func (s *Invites) makeInvite(ctx context.Context, maker linnet.ID, d linnet.InviteDraft) (linnet.InviteView, error) {
	i := linnet.Invite{By: maker, Most: max(d.Uses, 1), Created: s.st.Now(), Collection: d.Collection}
	if d.For > 0 {
		i.Expires = i.Created.Add(d.For)
	}
	for range 2 {
		i.Code = strings.ToLower(rand.Text()[:16])
		made, err := s.st.Accounts.CreateInvite(ctx, i)
		if err != nil {
			return linnet.InviteView{}, core.StoreError(err)
		}
		if made {
			return s.inviteView(ctx, i)
		}
		if err := s.dropInvites(ctx); err != nil {
			return linnet.InviteView{}, err
		}
	}
	return linnet.InviteView{}, linnet.Errorf(linnet.TooMany, "There can be at most %d invitations. Revoke some first.", linnet.MaxInvites)
}

// dropInvites deletes invitations that can no longer be used.
func (s *Invites) dropInvites(ctx context.Context) error {
	all, err := s.st.Accounts.Invites(ctx)
	if err != nil {
		return core.StoreError(err)
	}
	for _, i := range all {
		if i.State(s.st.Now()) == "good" {
			continue
		}
		if err := s.st.Accounts.DropInvite(ctx, i.Code); err != nil {
			return core.StoreError(err)
		}
	}
	return nil
}

func (s *Invites) inviteView(ctx context.Context, i linnet.Invite) (linnet.InviteView, error) {
	v := linnet.InviteView{Invite: i, State: i.State(s.st.Now()), URL: s.core.PublicURL() + "/invite/" + i.Code}
	if i.By == 0 {
		return v, nil
	}
	u, err := s.core.LookupUser(ctx, i.By)
	if err == nil && u != nil {
		v.Maker = u.Login
	}
	return v, err
}

// All returns all stored invitations, newest first. by must be allowed to manage invitations.
func (s *Invites) All(ctx context.Context, by linnet.Actor) ([]linnet.InviteView, error) {
	if err := s.core.Authorize(ctx, by, linnet.ManageInvites); err != nil {
		return nil, err
	}
	all, err := s.st.Accounts.Invites(ctx)
	if err != nil {
		return nil, core.StoreError(err)
	}
	out := make([]linnet.InviteView, len(all))
	for n, i := range all {
		if out[n], err = s.inviteView(ctx, i); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Revoke revokes an invitation. Accounts created with it stay. by must be allowed to manage
// invitations.
func (s *Invites) Revoke(ctx context.Context, by linnet.Actor, code string) error {
	if err := s.core.Authorize(ctx, by, linnet.ManageInvites); err != nil {
		return err
	}
	if !validCode(code) {
		return errNoInvite()
	}
	if err := s.core.LogAct(ctx, by, core.ActRevoke, 0, shortCode(code), ""); err != nil {
		return err
	}
	ok, err := s.st.Accounts.RevokeInvite(ctx, cleanCode(code))
	if err == nil && !ok {
		return errNoInvite()
	}
	return core.StoreError(err)
}

// Check returns a valid invitation. It returns NotFound if there is none with the code, Gone
// if it is revoked, expired or used up, and Forbidden if sign-up is closed.
func (s *Invites) Check(ctx context.Context, code string) (linnet.Invite, error) {
	about, err := s.settings.instance(ctx)
	if err != nil {
		return linnet.Invite{}, err
	}
	if about.Registrations == linnet.RegisterClosed {
		return linnet.Invite{}, errClosed
	}
	if !validCode(code) {
		return linnet.Invite{}, errNoInvite()
	}
	i, ok, err := s.st.Accounts.Invite(ctx, cleanCode(code))
	switch {
	case err != nil:
		return i, core.StoreError(err)
	case !ok:
		return i, errNoInvite()
	}
	switch state := i.State(s.st.Now()); state {
	case "good":
		if i.By == 0 {
			return i, nil
		}
		u, err := s.core.LookupUser(ctx, i.By)
		if err == nil && (u == nil || u.Hidden() || u.Disabled) {
			err = linnet.Errorf(linnet.Gone, "The account that created this invitation is no longer active.")
		}
		return i, err
	case "revoked":
		return i, linnet.Errorf(linnet.Gone, "This invitation was revoked.")
	case "expired":
		return i, linnet.Errorf(linnet.Gone, "This invitation has expired.")
	}
	return i, linnet.Errorf(linnet.Gone, "This invitation has already been used the maximum number of times.")
}

// Used returns the invitation with which a user signed up; ok is false if there was none. Of a deleted
// invitation only the creator is known.
func (s *Invites) Used(ctx context.Context, who linnet.ID) (i linnet.Invite, ok bool, err error) {
	secret, err := s.st.Accounts.Secret(ctx, who)
	if err != nil || secret.Invite == "" {
		return i, false, core.StoreError(err)
	}
	i, _, err = s.st.Accounts.Invite(ctx, secret.Invite)
	i.By = linnet.ID(secret.InvitedBy)
	return i, true, core.StoreError(err)
}

// shortCode returns the part of a code that the audit log can contain.
func shortCode(code string) string { return cleanCode(code)[:4] + "..." }

func errNoInvite() error { return linnet.Errorf(linnet.NotFound, "This invitation doesn't exist.") }

func cleanCode(code string) string { return strings.ToLower(strings.TrimSpace(code)) }

// validCode reports whether a text can be a code. Other texts must not be used in keys.
func validCode(code string) bool {
	code = cleanCode(code)
	return len(code) == 16 && strings.Trim(code, "abcdefghijklmnopqrstuvwxyz234567") == ""
}
