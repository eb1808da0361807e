package identity

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base32"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/pquerna/otp/hotp"
	"github.com/pquerna/otp/totp"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/sessions"
)

// SecondFactorError reports that the password was correct and a code is required too. FinishLogIn
// accepts the code, with the ticket, within TicketTTL.
type SecondFactorError struct{ Ticket string }

func (e *SecondFactorError) Error() string { return "a two-factor code is required" }

// Codes have six digits and change every 30 seconds, as apps expect (RFC 6238 section 5.2). The
// codes of the previous and next step are also accepted, because clocks differ.
const (
	totpPeriod = 30 * time.Second
	totpSkew   = 1

	recoveryCodes = 10
)

var errCode = linnet.FieldError("code", "ERR_INVALID", "is incorrect or has already been used")

// TwoFactor returns the state of me's two-factor login.
func (s *Service) TwoFactor(ctx context.Context, me linnet.ID) (linnet.TwoFactor, error) {
	t, err := s.st.Sessions.TwoFactor(ctx, me)
	return linnet.TwoFactor{On: t.On, Recovery: len(t.Recovery)}, core.StoreError(err)
}

// BeginTwoFactor creates a secret for two-factor login. ConfirmTwoFactor turns it on. Until then
// it returns the same secret again, so that the page can be reloaded. It returns Conflict if
// two-factor login is on.
func (s *Service) BeginTwoFactor(ctx context.Context, me linnet.ID) (linnet.TwoFactor, error) {
	u, err := s.core.LookupUser(ctx, me)
	if err != nil {
		return linnet.TwoFactor{}, err
	}
	t, err := readTwoFactor(ctx, s, me)
	if err != nil {
		return linnet.TwoFactor{}, core.StoreError(err)
	}
	if u == nil {
		return linnet.TwoFactor{}, core.ErrNoUser
	}
	if t.On {
		return linnet.TwoFactor{}, linnet.Errorf(linnet.Conflict, "Two-factor authentication is already on. Turn it off first to set it up with another app.")
	}
	opt := totp.GenerateOpts{Issuer: s.core.Hostname, AccountName: u.Login}
	if t.Secret != "" {
		opt.Secret, err = base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(t.Secret)
	}
	if err != nil {
		return linnet.TwoFactor{}, err
	}
	key, err := totp.Generate(opt)
	if err != nil {
		return linnet.TwoFactor{}, err
	}
	if t.Secret == "" {
		t.Secret = key.Secret()
		if ok, err := storeTwoFactor(ctx, s, me, t); err != nil || !ok {
			return linnet.TwoFactor{}, againIf(!ok, err)
		}
	}
	return linnet.TwoFactor{Secret: key.Secret(), URL: key.URL()}, nil
}

// againIf returns an error that asks to try again if another request was faster.
func againIf(raced bool, err error) error {
	if err == nil && raced {
		return linnet.Errorf(linnet.Conflict, "Your login methods were just changed elsewhere. Please try again.")
	}
	return core.StoreError(err)
}

// ConfirmTwoFactor turns on two-factor login if the code matches the secret. It returns recovery
// codes, each valid once, which are shown only now. It requires the password. An Invalid error
// names the field. It ends all other sessions, because they may be stolen.
func (s *Service) ConfirmTwoFactor(ctx context.Context, me OwnSession, code, password string, from netip.Addr) ([]string, error) {
	if _, _, err := s.CheckOwnPassword(ctx, me.User, password, from); err != nil {
		return nil, err
	}
	forgive, err := s.countTry(ctx, codeLimits(me.User))
	if err != nil {
		return nil, err
	}
	t, err := readTwoFactor(ctx, s, me.User)
	switch {
	case err != nil:
		return nil, core.StoreError(err)
	case t.On:
		return nil, linnet.Errorf(linnet.Conflict, "Two-factor authentication is already on.")
	case t.Secret == "" || !s.useCode(&t, code):
		return nil, errCode
	}
	forgive()
	codes := renewRecovery(&t)
	t.On = true
	if ok, err := storeTwoFactor(ctx, s, me.User, t); err != nil || !ok {
		return nil, againIf(!ok, err)
	}
	if err := s.endOtherSessions(ctx, me); err != nil {
		return nil, err
	}
	return codes, s.noteSecurity(ctx, me.User, linnet.TwoFactorOn, 0)
}

// renewRecovery replaces the recovery codes and returns the new ones.
func renewRecovery(t *record.TwoFactor) []string {
	codes := make([]string, recoveryCodes)
	t.Recovery = make([]string, recoveryCodes)
	for i := range codes {
		codes[i] = strings.ToLower(rand.Text()[:16])
		t.Recovery[i] = record.Hash(codes[i])
	}
	return codes
}

// EndTwoFactor turns off two-factor login if the password is correct.
func (s *Service) EndTwoFactor(ctx context.Context, me linnet.ID, password string, from netip.Addr) error {
	if _, _, err := s.CheckOwnPassword(ctx, me, password, from); err != nil {
		return err
	}
	if err := s.st.Sessions.EndTwoFactor(ctx, me); err != nil {
		return core.StoreError(err)
	}
	return s.noteSecurity(ctx, me, linnet.TwoFactorOff, 0)
}

// ResetTwoFactor turns off a user's two-factor login and deletes the passkeys. It is for the
// operator. It adds to the audit log and notifies the owner.
func (s *Service) ResetTwoFactor(ctx context.Context, by linnet.Actor, login string) error {
	if err := core.AuthorizeOperator(by); err != nil {
		return err
	}
	u, err := s.core.AccountNamed(ctx, login)
	if err != nil {
		return err
	}
	if err := s.core.LogAct(ctx, by, core.ActTwoFactor, u.ID, "", ""); err != nil {
		return err
	}
	if err := s.st.Sessions.EndTwoFactor(ctx, u.ID); err != nil {
		return core.StoreError(err)
	}
	keys, version, err := s.st.Sessions.Passkeys(ctx, u.ID)
	if err != nil {
		return core.StoreError(err)
	}
	if len(keys) > 0 {
		if err := s.security.setPasskeys(ctx, u.ID, keys, nil, version); err != nil {
			return err
		}
	}
	return s.noteSecurity(ctx, u.ID, linnet.TwoFactorTakenOff, by.ID())
}

// codeLimits returns the limits of wrong codes from any address, since the password was already
// correct.
func codeLimits(user linnet.ID) []loginLimit {
	return []loginLimit{{"code", user.String(), loginTries}}
}

// FinishLogIn starts the session for a ticket of LogIn if the code is correct: one of the app's, or
// a recovery code. It returns Unauthenticated if the ticket is invalid, and TooMany after too many
// wrong codes.
func (s *Service) FinishLogIn(ctx context.Context, ticket, code string) (token string, u linnet.User, err error) {
	user, ok, err := s.st.Sessions.Ticket(ctx, ticket)
	if err != nil {
		return "", u, core.StoreError(err)
	}
	if !ok {
		return "", u, linnet.Errorf(linnet.Unauthenticated, "The login took too long. Please log in again.")
	}
	forgive, err := s.countTry(ctx, codeLimits(user))
	if err != nil {
		return "", u, err
	}
	t, err := readTwoFactor(ctx, s, user)
	if err != nil {
		return "", u, core.StoreError(err)
	}
	if !t.On {
		return "", u, linnet.Errorf(linnet.Unauthenticated, "You've started another login in the meantime. Please log in again.")
	}
	left := len(t.Recovery)
	if !s.useCode(&t, code) {
		s.opt.Observe.NoteLoginFailed()
		s.security.noteFailure(ctx, user, linnet.CodeFailed)
		return "", u, errCode
	}
	forgive()
	found, err := s.core.LookupUser(ctx, user)
	if err != nil {
		return "", u, err
	}
	if found == nil || found.Suspended {
		return "", u, errLogin
	}
	token = sessions.NewSecret(user.Shard())
	sealed, err := sealTwoFactor(ctx, s, user, t)
	if err != nil {
		return "", u, err
	}
	ok, err = s.st.Sessions.UseTicket(ctx, ticket, token, sealed, newSession(ctx, user, s.st.Now()))
	if err == nil && !ok {
		err = linnet.Errorf(linnet.Unauthenticated, "You've started another login in the meantime. Please log in again.")
	}
	if err != nil {
		return "", u, core.StoreError(err)
	}
	event := linnet.LoggedIn
	if len(t.Recovery) < left {
		event = linnet.RecoveryUsed
	}
	s.security.noteLogIn(ctx, user, event, "")
	if event == linnet.RecoveryUsed && len(t.Recovery) <= linnet.FewRecoveryCodes {
		s.security.noteLogIn(ctx, user, linnet.RecoveryFew, "")
	}
	return token, *found, nil
}

// useCode marks a code as used. It returns false if the code is wrong.
func (s *Service) useCode(t *record.TwoFactor, code string) bool {
	code = strings.ToLower(strings.Map(dropBlanks, code))
	if i := slices.Index(t.Recovery, record.Hash(code)); i >= 0 && code != "" {
		t.Recovery = slices.Delete(t.Recovery, i, i+1)
		return true
	}
	now := uint64(s.st.Now().Unix()) / uint64(totpPeriod/time.Second)
	for step := now - totpSkew; step <= now+totpSkew; step++ {
		want, err := hotp.GenerateCode(t.Secret, step)
		if err == nil && step > t.Step && subtle.ConstantTimeCompare([]byte(want), []byte(code)) == 1 {
			t.Step = step
			return true
		}
	}
	return false
}

// dropBlanks removes spaces and separators between groups of a code.
func dropBlanks(r rune) rune {
	if r == ' ' || r == '-' {
		return -1
	}
	return r
}
