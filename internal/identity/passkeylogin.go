package identity

import (
	"context"
	"encoding/json"
	"net/netip"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
	"linnet/internal/store/sessions"
)

func seconds(unix int64) time.Time {
	if unix == 0 {
		return time.Time{}
	}
	return time.Unix(unix, 0)
}

// BeginPasskeyLogIn returns the options for a login with any passkey, as JSON of WebAuthn. browser
// is a secret of the browser. Only that browser can answer.
func (s *Security) BeginPasskeyLogIn(ctx context.Context, browser string) ([]byte, error) {
	if s.party == nil {
		return nil, errNoPasskeys
	}
	assertion, session, err := s.party.BeginDiscoverableLogin()
	if err != nil {
		return nil, err
	}
	if err := s.st.Sessions.PutChallenge(ctx, session.Challenge, record.Challenge{For: forLogIn, Holder: record.Hash(browser)}); err != nil {
		return nil, core.StoreError(err)
	}
	return json.Marshal(assertion.Response)
}

// FinishPasskeyLogIn starts a session with the browser's answer to BeginPasskeyLogIn. It refuses a
// passkey whose counter decreases, since it may be a copy. Attempts count like password attempts of
// the address.
func (s *Security) FinishPasskeyLogIn(ctx context.Context, browser string, answer []byte, from netip.Addr) (token string, u linnet.User, err error) {
	if s.party == nil {
		return "", u, errNoPasskeys
	}
	guarded, err := s.identity.guarded(ctx)
	if err != nil {
		return "", u, err
	}
	forgive, err := s.identity.countTry(ctx, addressLimits(from, guarded))
	if err != nil {
		return "", u, err
	}
	if len(answer) > maxAnswer {
		return "", u, errPasskey
	}
	parsed, err := protocol.ParseCredentialRequestResponseBytes(answer)
	if err != nil {
		return "", u, s.notTaken(errPasskey, err)
	}
	r, ok, err := s.st.Sessions.TakeChallenge(ctx, parsed.Response.CollectedClientData.Challenge)
	if err != nil {
		return "", u, core.StoreError(err)
	}
	if !ok || r.For != forLogIn || r.Holder != record.Hash(browser) {
		return "", u, errPasskey
	}
	for range db.MaxRaces {
		var again bool
		if token, u, again, err = s.usePasskey(ctx, parsed); !again {
			break
		}
	}
	if err == nil && token == "" {
		err = errPasskey
	}
	if err != nil {
		return "", linnet.User{}, err
	}
	forgive()
	return token, u, nil
}

// usePasskey finds the owner of a passkey, checks the answer and starts a session. again reports
// that the passkeys have changed in the meantime.
func (s *Security) usePasskey(ctx context.Context, parsed *protocol.ParsedCredentialAssertionData) (token string, u linnet.User, again bool, err error) {
	var owner passkeyUser
	var version uint64
	find := func(_, handle []byte) (webauthn.User, error) {
		id, ok := linnet.ParseID(string(handle))
		if !ok {
			return nil, errPasskey
		}
		found, all, v, err := s.ownPasskeys(ctx, id)
		if err != nil {
			return nil, err
		}
		owner, version = passkeyUser{*found, all}, v
		return owner, nil
	}
	session := webauthn.SessionData{Challenge: parsed.Response.CollectedClientData.Challenge, RelyingPartyID: s.party.Config.RPID, UserVerification: protocol.VerificationRequired}
	_, used, err := s.party.ValidatePasskeyLogin(find, session, parsed)
	if err != nil {
		if linnet.KindOf(err) == linnet.Unavailable {
			return "", u, false, err
		}
		s.opt.Observe.NoteLoginFailed()
		return "", u, false, s.notTaken(errPasskey, err)
	}
	i := 0
	for i < len(owner.keys) && string(owner.keys[i].ID) != string(used.ID) {
		i++
	}
	if i == len(owner.keys) {
		return "", u, false, errPasskey
	}
	k := &owner.keys[i]
	if used.Authenticator.CloneWarning {
		if err := s.note(ctx, owner.user.ID, linnet.PasskeyCopied, 0, k.Name); err != nil {
			return "", u, false, err
		}
		return "", u, false, errPasskey
	}
	if err := s.identity.emails.mayEnter(ctx, &owner.user, &record.Secret{}); err != nil {
		return "", u, false, err
	}
	k.Count, k.Used = used.Authenticator.SignCount, s.st.Now().Unix()
	token = sessions.NewSecret(owner.user.ID.Shard())
	ok, err := s.st.Sessions.UsePasskeys(ctx, token, newSession(ctx, owner.user.ID, s.st.Now()), owner.keys, version)
	if err != nil || !ok {
		return "", u, !ok && err == nil, core.StoreError(err)
	}
	s.claimUsed(ctx, owner.user.ID, k)
	s.noteLogIn(ctx, owner.user.ID, linnet.PasskeyLoggedIn, k.Name)
	return token, owner.user, false, nil
}

// passkeyInstead returns an error for staff who log in with only a password but have a passkey, if
// the server requires a second factor of staff. Staff without either can log in to set one up.
func (s *Security) passkeyInstead(ctx context.Context, u *linnet.User) error {
	if !u.Role.Staff() {
		return nil
	}
	if wanted, err := s.core.StaffSecured(ctx); err != nil || !wanted {
		return err
	}
	keys, _, err := s.st.Sessions.Passkeys(ctx, u.ID)
	if err == nil && len(keys) > 0 {
		err = errPasskeyInstead
	}
	return core.StoreError(err)
}

var errPasskeyInstead = linnet.Errorf(linnet.Forbidden, "Moderators and administrators need more than a password on this server. Log in with your passkey.")
