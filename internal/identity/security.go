package identity

import (
	"context"
	"net/netip"
	"slices"
	"time"

	"github.com/go-webauthn/webauthn/webauthn"

	"linnet/internal/core"
	"linnet/internal/event"
	"linnet/internal/linnet"
	"linnet/internal/store"
	"linnet/internal/store/db"
	"linnet/internal/task"
)

// Security is the part of Service for the security log, passkeys and recovery codes. It is safe for
// concurrent use.
type Security struct {
	st    *store.Store
	opt   core.Options
	tasks *task.Queue
	facts *event.Facts

	core     *core.Service
	identity *Service

	failures failures           // recent failed logins
	party    *webauthn.WebAuthn // for passkeys; nil if unsupported here
}

// noteLogIn records a successful login in the security log.
func (s *Security) noteLogIn(ctx context.Context, user linnet.ID, e linnet.SecurityEvent, detail string) {
	if err := s.note(ctx, user, e, 0, detail); err != nil {
		s.opt.Log.Warn("cannot record login", "err", err)
	}
}

// EndOtherSessions ends all sessions of a user except the current one, with their streams.
func (s *Security) EndOtherSessions(ctx context.Context, me OwnSession) error {
	if err := s.identity.endOtherSessions(ctx, me); err != nil {
		return err
	}
	return s.note(ctx, me.User, linnet.SessionsEnded, 0, "")
}

// RenewRecovery replaces the recovery codes if the password is correct. The codes are shown only
// this once. It returns Conflict if there is no second factor.
func (s *Security) RenewRecovery(ctx context.Context, me linnet.ID, password string, from netip.Addr) ([]string, error) {
	if _, _, err := s.identity.CheckOwnPassword(ctx, me, password, from); err != nil {
		return nil, err
	}
	t, err := s.st.Sessions.TwoFactor(ctx, me)
	if err != nil {
		return nil, core.StoreError(err)
	}
	if !t.On {
		return nil, linnet.Errorf(linnet.Conflict, "Two-factor authentication is off. You get recovery codes when you turn it on.")
	}
	codes := renewRecovery(&t)
	if ok, err := s.st.Sessions.SetTwoFactor(ctx, me, t); err != nil || !ok {
		return nil, againIf(!ok, err)
	}
	return codes, s.note(ctx, me, linnet.RecoveryRenewed, 0, "")
}

// happened returns the log entry of an event. It includes the origin of the request, except for
// actions of staff.
func happened(ctx context.Context, at time.Time, e linnet.SecurityEvent) linnet.SecurityEntry {
	entry := linnet.SecurityEntry{At: at, Event: e}
	if !e.ByStaff() {
		v := visitOf(ctx)
		entry.Device, entry.Network = v.device, v.network
	}
	return entry
}

// note adds an event to the security log of an account. detail names the object, if it has a name.
// It notifies the owner of important events by e-mail.
func (s *Security) note(ctx context.Context, of linnet.ID, e linnet.SecurityEvent, by linnet.ID, detail string) error {
	entry := happened(ctx, s.st.Now(), e)
	entry.By, entry.Detail = by, detail
	if err := s.st.Sessions.LogSecurity(ctx, of, entry); err != nil {
		return core.StoreError(err)
	}
	if e.Mailed() && s.identity.emails.On() {
		if err := s.identity.emails.mailing.Send(ctx, accessArgs(of, &entry)); err != nil {
			return core.StoreError(err)
		}
	}
	return core.StoreError(s.facts.SecurityLogged.Emit(ctx, event.SecurityLogged{User: of, Event: e}))
}

// NoteStaffAct adds an action of staff or the operator to the security log of an account. If that
// fails, the action is still in the audit log.
func (s *Security) NoteStaffAct(ctx context.Context, of linnet.ID, e linnet.SecurityEvent, by linnet.ID) {
	if err := s.note(ctx, of, e, by, ""); err != nil {
		s.opt.Log.Warn("cannot write to the security log", "err", err)
	}
}

// SecurityLog returns the security log of me's account, newest first. It has at most 100 events,
// and further ones that this server has counted in the last minute.
func (s *Security) SecurityLog(ctx context.Context, me linnet.ID) ([]linnet.SecurityEntry, error) {
	log, err := s.st.Sessions.SecurityLog(ctx, me)
	if err != nil {
		return nil, core.StoreError(err)
	}
	for _, e := range s.failures.of(me) { // not yet written by this server
		log = slices.Insert(log, 0, e)
	}
	slices.SortStableFunc(log, func(a, b linnet.SecurityEntry) int { return b.At.Compare(a.At) })
	b := s.st.Batch()
	refs := make([]*db.UserRef, len(log))
	for i, e := range log {
		refs[i] = b.User(e.By)
	}
	if err := b.Run(ctx); err != nil {
		return nil, core.StoreError(err)
	}
	for i := range log {
		log[i].Staff = refs[i].User
	}
	return log, nil
}
