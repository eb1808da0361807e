package identity

import (
	"context"
	"net/netip"
	"time"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/sessions"
)

// Recovery of lost passwords and devices. Staff never see a password. They give the owner a link
// that works once. The security log, the audit log and the owner's notifications record every step.

const (
	// ResetTTL is the lifetime of a reset link.
	ResetTTL = 24 * time.Hour
	// ConfirmTTL is how long a confirmed password counts as proof that the owner uses the session.
	ConfirmTTL = 15 * time.Minute
)

var (
	errReset   = linnet.Errorf(linnet.Gone, "This link is no longer valid. Links work once, for a limited time. They also stop working when you request a newer link or change your password or e-mail address. Request another link.")
	errConfirm = linnet.Errorf(linnet.Forbidden, "Confirm your own password first.")
)

// ResetLink is a link for the owner of an account.
type ResetLink struct {
	Login     string
	TwoFactor bool // it turns off two-factor login instead of setting a password
	Expires   time.Time
}

// OwnSession is a user with one of their sessions, identified by its ID.
type OwnSession struct {
	User linnet.ID
	ID   string
}

// ConfirmPassword records that the user of a session has entered the password again. An Invalid
// error names the field of a wrong password.
func (s *Service) ConfirmPassword(ctx context.Context, me OwnSession, password string, from netip.Addr) error {
	if _, _, err := s.CheckOwnPassword(ctx, me.User, password, from); err != nil {
		return err
	}
	return core.StoreError(s.st.Sessions.Confirm(ctx, me.User, me.ID, ConfirmTTL))
}

// Confirmed reports whether the password was entered in a session within ConfirmTTL.
func (s *Service) Confirmed(ctx context.Context, me OwnSession) (bool, error) {
	ok, err := s.st.Sessions.Confirmed(ctx, me.User, me.ID)
	return ok, core.StoreError(err)
}

// OfferReset creates a link that lets the owner of an account set a new password or turn off
// two-factor login. It returns the address. The link works once and replaces earlier ones. by must
// have confirmed the password in the current session and have a higher role than the account.
// Otherwise it returns Forbidden. The operator can do it for all accounts.
func (s *Service) OfferReset(ctx context.Context, by linnet.Actor, on linnet.ID, twoFactor bool, reason string) (address string, link ResetLink, err error) {
	u, err := s.resettable(ctx, by, on)
	if err != nil {
		return "", link, err
	}
	act, event := core.ActResetLink, linnet.ResetOffered
	if twoFactor {
		act, event = core.ActTwoFactorLink, linnet.TwoFactorOffered
	}
	if err := s.core.LogAct(ctx, by, act, on, "", reason); err != nil {
		return "", link, err
	}
	if err := s.noteSecurity(ctx, on, event, by.ID()); err != nil {
		return "", link, err
	}
	r := record.Reset{User: on, TwoFactor: twoFactor, Expires: s.st.Now().Add(ResetTTL)}
	token := sessions.NewReset(on)
	ok, err := s.st.Sessions.PutReset(ctx, token, r)
	if err != nil {
		return "", link, core.StoreError(err)
	}
	if !ok {
		return "", link, core.ErrNoUser
	}
	return s.opt.PublicURL + "/reset/" + token, ResetLink{u.Login, twoFactor, r.Expires}, nil
}

// resettable returns the account, or an error if by can't create a link for it.
func (s *Service) resettable(ctx context.Context, by linnet.Actor, on linnet.ID) (*linnet.User, error) {
	u, err := s.core.Above(ctx, by, linnet.ManageUserAccess, on)
	if err != nil || by.IsOperator() {
		return u, err
	}
	if u.Role >= linnet.Admin { // administrators can help each other, but no one can become an administrator this way
		return nil, core.ErrNotAllowed
	}
	ok, err := s.Confirmed(ctx, OwnSession{by.ID(), by.Session()})
	if err == nil && !ok {
		err = errConfirm
	}
	return u, err
}

// Reset returns the purpose of a link. It returns Gone if the link is invalid.
func (s *Service) Reset(ctx context.Context, token string) (ResetLink, error) {
	_, link, err := s.reset(ctx, token)
	return link, err
}

func (s *Service) reset(ctx context.Context, token string) (record.Reset, ResetLink, error) {
	r, ok, err := s.st.Sessions.Reset(ctx, token)
	if err != nil {
		return r, ResetLink{}, core.StoreError(err)
	}
	if !ok {
		return r, ResetLink{}, errReset
	}
	u, err := s.core.LookupUser(ctx, r.User)
	if err != nil {
		return r, ResetLink{}, err
	}
	if u == nil {
		return r, ResetLink{}, errReset
	}
	return r, ResetLink{u.Login, r.TwoFactor, r.Expires}, nil
}

// UseReset consumes a link. It sets the password and ends all sessions, or turns off two-factor
// login. The latter requires the account's current password, and attempts count like logins. If the
// password is refused, an Invalid error names the field and the link stays valid.
func (s *Service) UseReset(ctx context.Context, token, password string, from netip.Addr) error {
	r, link, err := s.reset(ctx, token)
	if err != nil {
		return err
	}
	hash, event := "", linnet.TwoFactorReset
	if r.TwoFactor {
		if _, _, err := s.CheckOwnPassword(ctx, r.User, password, from); err != nil {
			return err
		}
	} else {
		event = linnet.ResetUsed
		if e := s.CheckPassword(password, link.Login); e != nil {
			return e
		}
		if hash, err = s.Hash(ctx, password); err != nil {
			return err
		}
	}
	notice, err := s.emails.access(ctx, r.User, event)
	if err != nil {
		return err
	}
	ok, err := s.st.Sessions.UseReset(ctx, r, hash, notice.Ops()...)
	if err != nil {
		return core.StoreError(err)
	}
	if !ok {
		return errReset
	}
	s.emails.mailing.Begin(ctx, notice)
	if err := s.EndSessions(ctx, r.User); err != nil {
		return err
	}
	return s.noteSecurity(ctx, r.User, event, 0)
}

// noteSecurity adds an event to the security log of an account and notifies the owner of important
// ones.
func (s *Service) noteSecurity(ctx context.Context, of linnet.ID, e linnet.SecurityEvent, by linnet.ID) error {
	return s.security.note(ctx, of, e, by, "")
}
