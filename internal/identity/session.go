package identity

import (
	"cmp"
	"context"
	"net/netip"
	"time"

	"linnet/internal/core"
	"linnet/internal/event"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
	"linnet/internal/store/sessions"
)

// ErrToken is the error for an unknown token or an ended session.
var ErrToken = linnet.Errorf(linnet.Unauthenticated, "The access token is invalid")

// Session returns the session of a token or cookie. It returns Unauthenticated if the token is not
// valid or its user is deleted or suspended.
func (s *Service) Session(ctx context.Context, token string) (linnet.Session, error) {
	t, ok, err := s.st.Sessions.Token(ctx, token)
	if err != nil {
		return linnet.Session{}, core.StoreError(err)
	}
	if !ok {
		return linnet.Session{}, ErrToken
	}
	ses := linnet.Session{ID: t.Hash, User: t.User, App: t.App, Client: t.Client, Scopes: t.Scopes, Web: t.Web}
	if t.User == 0 {
		return ses, nil
	}
	u, err := s.core.LookupUser(ctx, t.User)
	if err != nil {
		return linnet.Session{}, err
	}
	if u == nil || u.Suspended || u.Disabled {
		return linnet.Session{}, ErrToken
	}
	if ses.Pending = u.Unapproved; ses.Pending {
		sec, err := s.st.Accounts.Secret(ctx, t.User)
		if err != nil {
			return linnet.Session{}, core.StoreError(err)
		}
		ses.Unconfirmed = sec.Mail.Enters
	}
	if !u.Unapproved { // pending users aren't active
		s.noteActive(ctx, t.User)
	}
	if s.st.Now().Sub(t.Used) >= usedAgain {
		if err := s.st.Sessions.NoteUse(ctx, t.User, t.Hash, usedAgain); err != nil {
			s.opt.Log.Debug("cannot update session", "err", err) // the request continues
		}
	}
	return ses, nil
}

// WebSessions returns the sessions of several tokens of browsers, as Session does for one. It
// returns the zero session for a token that is invalid or whose user can't log in. It doesn't count
// as a use.
func (s *Service) WebSessions(ctx context.Context, tokens []string) ([]linnet.Session, error) {
	found, err := sessions.Tokens(ctx, s.st.Sessions, tokens)
	if err != nil {
		return nil, core.StoreError(err)
	}
	b := s.st.Batch()
	refs := make([]*db.UserRef, len(found))
	for i, t := range found {
		if t != nil && t.Web && t.User != 0 {
			refs[i] = b.User(t.User)
		}
	}
	if err := b.Run(ctx); err != nil {
		return nil, core.StoreError(err)
	}
	out := make([]linnet.Session, len(tokens))
	for i, ref := range refs {
		if ref != nil && ref.User != nil && !ref.User.Hidden() && !ref.User.Disabled {
			out[i] = linnet.Session{ID: found[i].Hash, User: ref.User.ID, Web: true}
		}
	}
	return out, nil
}

// usedAgain is the time for which a session isn't marked as used again. It limits this to one write
// a day.
const usedAgain = 24 * time.Hour

// activeAgain is the time for which a user isn't counted as active again on the same day.
const activeAgain = 10 * time.Minute

// noteActive counts a user as active.
func (s *Service) noteActive(ctx context.Context, user linnet.ID) {
	today := s.st.Now().Unix() / 86400 // days are counted in UTC
	if noted, lately := s.active.Get(user); lately && noted == today {
		return
	}
	err := cmp.Or(s.facts.UserActive.Emit(ctx, event.UserActive{User: user}), s.st.Accounts.MarkActive(ctx, user))
	if err != nil {
		s.opt.Log.Debug("cannot mark user active", "err", err) // only a statistic; the request continues
		return
	}
	s.active.Set(user, today)
}

// ForgetSession removes a session from the cache, so that its next use reads it. The event of its
// end can arrive before the change of its record.
func (s *Service) ForgetSession(hash string) { s.st.Sessions.ForgetToken(hash) }

// ForgetAccount removes a user from the cache, for the same reason.
func (s *Service) ForgetAccount(user linnet.ID) { s.st.Accounts.Forget(user) }

// endSession ends a token and the streams that were opened with it.
func (s *Service) endSession(ctx context.Context, token string, user linnet.ID) error {
	if err := s.st.Sessions.RevokeToken(ctx, token, user); err != nil {
		return core.StoreError(err)
	}
	s.sessionEnded(ctx, user, record.Hash(token))
	return nil
}

// sessionEnded publishes the end of a session.
func (s *Service) sessionEnded(ctx context.Context, user linnet.ID, hash string) {
	s.ForgetSession(hash)
	s.core.Emit(ctx, user, core.Event{Type: core.EventEnd, Session: hash})
}

// EndSessions ends all tokens of a user.
func (s *Service) EndSessions(ctx context.Context, user linnet.ID) error {
	hashes, err := s.st.Sessions.RevokeAll(ctx, user)
	if err != nil {
		return core.StoreError(err)
	}
	for _, h := range hashes {
		s.sessionEnded(ctx, user, h)
	}
	return nil
}

// endOtherSessions ends all tokens of a user except the one of a session.
func (s *Service) endOtherSessions(ctx context.Context, me OwnSession) error {
	hashes, err := s.st.Sessions.RevokeOthers(ctx, me.User, me.ID)
	if err != nil {
		return core.StoreError(err)
	}
	for _, h := range hashes {
		s.sessionEnded(ctx, me.User, h)
	}
	return nil
}

// LogIn checks a password and starts a browser session. It returns TooMany after too many failures
// for the account or from the address. It returns a SecondFactorError if the password is correct
// and a code is required too.
func (s *Service) LogIn(ctx context.Context, login, password string, from netip.Addr) (token string, u linnet.User, err error) {
	u, version, err := s.tryPassword(ctx, login, password, from)
	if err != nil {
		return "", u, err
	}
	for range db.MaxRaces {
		token, err = s.openSession(ctx, &u, version)
		if err != nil {
			return "", linnet.User{}, err
		}
		if token != "" {
			s.security.noteLogIn(ctx, u.ID, linnet.LoggedIn, "")
			return token, u, nil
		}
		// The secrets changed while the password was checked: either the password, or only other
		// data, such as a link that is being sent.
		if u, version, err = s.authenticate(ctx, u.ID, password); err != nil {
			return "", linnet.User{}, err
		}
	}
	return "", linnet.User{}, core.StoreError(db.TooManyRaces("login of user", u.ID))
}

// openSession starts a browser session after the password was checked with a version of the
// secrets. The token is empty if they have changed. A SecondFactorError requires a code.
func (s *Service) openSession(ctx context.Context, u *linnet.User, version uint64) (token string, err error) {
	second, err := s.st.Sessions.TwoFactor(ctx, u.ID)
	if err != nil {
		return "", core.StoreError(err)
	}
	if second.On {
		ticket := sessions.NewSecret(u.ID.Shard())
		if err := s.st.Sessions.PutTicket(ctx, ticket, u.ID, version); err != nil {
			return "", core.StoreError(err)
		}
		return "", &SecondFactorError{Ticket: ticket}
	}
	if err := s.security.passkeyInstead(ctx, u); err != nil {
		return "", err
	}
	token = sessions.NewSecret(u.ID.Shard())
	fits, err := s.st.Sessions.IssueSession(ctx, token, newSession(ctx, u.ID, s.st.Now()), version)
	if err != nil || !fits {
		return "", core.StoreError(err)
	}
	return token, nil
}

// newSession returns a browser session of a user, with the origin of the request.
func newSession(ctx context.Context, user linnet.ID, now time.Time) record.TokenRecord {
	v := visitOf(ctx)
	return record.TokenRecord{User: user, Web: true, Created: now, Device: v.device, Place: v.network}
}

// CheckOwnPassword checks the password of a logged-in user before an action that can't be undone.
// An Invalid error names the field.
func (s *Service) CheckOwnPassword(ctx context.Context, me linnet.ID, password string, from netip.Addr) (linnet.User, uint64, error) {
	u, err := s.core.LookupUser(ctx, me)
	if err != nil {
		return linnet.User{}, 0, err
	}
	if u == nil {
		return linnet.User{}, 0, core.ErrNoUser
	}
	own, version, err := s.tryPassword(ctx, u.Login, password, from)
	if linnet.KindOf(err) == linnet.Unauthenticated {
		err = linnet.FieldError("password", "ERR_INVALID", "is incorrect")
	}
	return own, version, err
}

// Sessions returns me's latest logins and authorized apps.
func (s *Service) Sessions(ctx context.Context, me linnet.ID) ([]linnet.OpenSession, error) {
	records, err := s.st.Sessions.Sessions(ctx, me, linnet.MaxSessionsShown)
	if err != nil {
		return nil, core.StoreError(err)
	}
	out := make([]linnet.OpenSession, len(records))
	for i, r := range records {
		out[i] = linnet.OpenSession{Created: r.Created, Used: r.Used, Device: r.Device, Network: r.Place,
			Session: linnet.Session{ID: r.Hash, User: me, App: r.App, Client: r.Client, Scopes: r.Scopes, Web: r.Web}}
	}
	return out, nil
}

// EndSession ends one of me's sessions by its ID, with its streams. It returns NotFound if there is
// none.
func (s *Service) EndSession(ctx context.Context, me linnet.ID, id string) error {
	t, err := s.st.Sessions.TokenOf(ctx, me, id)
	if err != nil {
		return core.StoreError(err)
	}
	ended, err := s.st.Sessions.RevokeSession(ctx, me, id)
	if err != nil {
		return core.StoreError(err)
	}
	if !ended {
		return linnet.Errorf(linnet.NotFound, "This session doesn't exist. It may already have ended.")
	}
	s.sessionEnded(ctx, me, id)
	switch {
	case t == nil: // it had already ended
		return nil
	case t.Web:
		return s.security.note(ctx, me, linnet.SessionEnded, 0, t.Device)
	}
	return s.security.note(ctx, me, linnet.AppEnded, 0, t.Client.Name)
}

// ChangePassword replaces me's password, ends all sessions and starts a new one for the requesting
// browser.
func (s *Service) ChangePassword(ctx context.Context, me linnet.ID, old, password string, from netip.Addr) (token string, err error) {
	u, _, err := s.CheckOwnPassword(ctx, me, old, from)
	if err != nil {
		return "", err
	}
	if e := s.CheckPassword(password, u.Login); e != nil {
		e.Fields[0].Name = "new_password"
		return "", e
	}
	if err := s.replacePassword(ctx, &u, password, linnet.PasswordChanged, 0); err != nil {
		return "", err
	}
	sec, err := s.st.Accounts.Secret(ctx, me)
	if err != nil {
		return "", core.StoreError(err)
	}
	token = sessions.NewSecret(me.Shard())
	fits, err := s.st.Sessions.IssueSession(ctx, token, newSession(ctx, me, s.st.Now()), sec.Version)
	if err == nil && !fits { // another request has changed it in the meantime
		err = errLogin
	}
	return token, core.StoreError(err)
}

// LogOut ends a browser's session.
func (s *Service) LogOut(ctx context.Context, token string) error {
	t, ok, err := s.st.Sessions.Token(ctx, token)
	if err != nil || !ok {
		return core.StoreError(err)
	}
	return s.endSession(ctx, token, t.User)
}
