package identity

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/sessions"
	"linnet/internal/text"
)

// Passkeys log users in without a name and a password. They are discoverable credentials of
// https://www.w3.org/TR/webauthn-3/ with user verification, so one counts as both factors.
// Passwords and two-factor login remain available. The server creates a challenge and stores it
// for five minutes. It is valid for one answer from the requesting browser.

const (
	// maxAnswer is the maximum size of a browser's answer in bytes.
	maxAnswer = 32 << 10
	// Purposes of challenges.
	forAdding, forLogIn = "add", "login"
)

var (
	errPasskey    = linnet.Errorf(linnet.Unauthenticated, "This passkey wasn't accepted. Try again, or log in with your password.")
	errNoPasskeys = linnet.Errorf(linnet.Forbidden, "Passkeys need an HTTPS address with a domain, which this server doesn't have.")
	errNoPasskey  = linnet.Errorf(linnet.NotFound, "This passkey doesn't exist. It may already have been removed.")
	errNotAdded   = linnet.Errorf(linnet.Invalid, "The passkey couldn't be added. Please try again.")
)

// relyingParty returns this instance as a WebAuthn relying party, identified by the host of its
// public URL. It returns nil if browsers wouldn't accept passkeys for that host.
func relyingParty(publicURL string) *webauthn.WebAuthn {
	u, err := url.Parse(publicURL)
	if err != nil {
		return nil
	}
	host := u.Hostname()
	if _, err := netip.ParseAddr(host); err == nil || u.Scheme != "https" && host != "localhost" {
		return nil
	}
	w, err := webauthn.New(&webauthn.Config{RPID: host, RPDisplayName: host, RPOrigins: []string{u.Scheme + "://" + u.Host},
		AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{ResidentKey: protocol.ResidentKeyRequirementRequired,
			RequireResidentKey: protocol.ResidentKeyRequired(), UserVerification: protocol.VerificationRequired},
		ExtensionsUnsolicitedOutputPolicy: protocol.UnsolicitedOutputPolicyIgnore, // some password managers send unrequested extensions
		Timeouts:                          webauthn.TimeoutsConfig{Login: webauthn.TimeoutConfig{Timeout: sessions.ChallengeTTL}, Registration: webauthn.TimeoutConfig{Timeout: sessions.ChallengeTTL}}})
	if err != nil {
		return nil
	}
	return w
}

// PasskeysOn reports whether browsers accept passkeys for the public URL of this instance.
func (s *Security) PasskeysOn() bool { return s.party != nil }

// passkeyUser implements the user interface of the WebAuthn library.
type passkeyUser struct {
	user linnet.User
	keys []record.Passkey
}

func (u passkeyUser) WebAuthnID() []byte          { return []byte(u.user.ID.String()) }
func (u passkeyUser) WebAuthnName() string        { return u.user.Login }
func (u passkeyUser) WebAuthnDisplayName() string { return cmp.Or(u.user.Name, u.user.Login) }
func (u passkeyUser) WebAuthnCredentials() []webauthn.Credential {
	out := make([]webauthn.Credential, len(u.keys))
	for i, k := range u.keys {
		out[i] = webauthn.Credential{ID: k.ID, PublicKey: k.Key, AttestationFormat: "none",
			Flags:         webauthn.CredentialFlags{UserPresent: true, UserVerified: true, BackupEligible: k.Synced, BackupState: k.Synced},
			Authenticator: webauthn.Authenticator{SignCount: k.Count}}
		for _, t := range k.Transports {
			out[i].Transport = append(out[i].Transport, protocol.AuthenticatorTransport(t))
		}
	}
	return out
}

// Passkeys returns the passkeys of me, newest first.
func (s *Security) Passkeys(ctx context.Context, me linnet.ID) ([]linnet.Passkey, error) {
	all, _, err := s.st.Sessions.Passkeys(ctx, me)
	if err != nil {
		return nil, core.StoreError(err)
	}
	out := make([]linnet.Passkey, len(all))
	for i, k := range all {
		out[len(all)-1-i] = linnet.Passkey{ID: passkeyID(k), Name: k.Name, Added: seconds(k.Added), Used: seconds(k.Used)}
	}
	return out, nil
}

// passkeyID returns the name of a passkey on pages.
func passkeyID(k record.Passkey) string { return base64.RawURLEncoding.EncodeToString(k.ID) }

// BeginPasskey returns the options for creating a passkey, as JSON of WebAuthn. It returns
// Forbidden unless the password was confirmed in this session within ConfirmTTL.
func (s *Security) BeginPasskey(ctx context.Context, me OwnSession) ([]byte, error) {
	u, all, _, err := s.ownPasskeys(ctx, me.User)
	if err != nil {
		return nil, err
	}
	ok, err := s.identity.Confirmed(ctx, me)
	switch {
	case err != nil:
		return nil, err
	case !ok:
		return nil, errConfirm
	case len(all) >= linnet.MaxPasskeys:
		return nil, tooManyPasskeys()
	}
	user := passkeyUser{*u, all}
	var known []protocol.CredentialDescriptor
	for _, c := range user.WebAuthnCredentials() {
		known = append(known, c.Descriptor())
	}
	creation, session, err := s.party.BeginRegistration(user, webauthn.WithExclusions(known))
	if err != nil {
		return nil, err
	}
	if err := s.st.Sessions.PutChallenge(ctx, session.Challenge, record.Challenge{For: forAdding, Holder: record.Hash(me.ID), User: record.JID(me.User)}); err != nil {
		return nil, core.StoreError(err)
	}
	return json.Marshal(creation.Response)
}

func tooManyPasskeys() error {
	return linnet.Errorf(linnet.Invalid, "You can have at most %d passkeys. Remove one first.", linnet.MaxPasskeys)
}

// ownPasskeys reads a user and the user's passkeys.
func (s *Security) ownPasskeys(ctx context.Context, me linnet.ID) (u *linnet.User, all []record.Passkey, version uint64, err error) {
	if s.party == nil {
		return nil, nil, 0, errNoPasskeys
	}
	if u, err = s.core.LookupUser(ctx, me); err != nil {
		return nil, nil, 0, err
	}
	if u == nil || !u.Person() {
		return nil, nil, 0, core.ErrNoUser
	}
	all, version, err = s.st.Sessions.Passkeys(ctx, me)
	return u, all, version, core.StoreError(err)
}

// AddPasskey stores the passkey that a browser created after BeginPasskey. An empty name means the
// name of the device. An Invalid error names the field or reports a wrong answer.
func (s *Security) AddPasskey(ctx context.Context, me OwnSession, name string, answer []byte) error {
	name, err := passkeyName(ctx, name)
	if err != nil {
		return err
	}
	u, all, version, err := s.ownPasskeys(ctx, me.User)
	if err != nil {
		return err
	}
	if len(all) >= linnet.MaxPasskeys {
		return tooManyPasskeys()
	}
	made, err := s.madePasskey(ctx, me, passkeyUser{*u, all}, answer)
	if err != nil {
		return err
	}
	k := record.Passkey{ID: made.ID, Key: made.PublicKey, Name: name, Added: s.st.Now().Unix(), Count: made.Authenticator.SignCount, Synced: made.Flags.BackupEligible}
	for _, t := range made.Transport {
		if len(k.Transports) < 8 && len(t) <= 20 {
			k.Transports = append(k.Transports, string(t))
		}
	}
	if err := s.addClaimed(ctx, me.User, all, k, version); err != nil {
		return err
	}
	return s.note(ctx, me.User, linnet.PasskeyAdded, 0, name)
}

// madePasskey checks the answer of a browser that has created a passkey.
func (s *Security) madePasskey(ctx context.Context, me OwnSession, user passkeyUser, answer []byte) (*webauthn.Credential, error) {
	if len(answer) > maxAnswer {
		return nil, errNotAdded
	}
	parsed, err := protocol.ParseCredentialCreationResponseBytes(answer)
	if err != nil {
		return nil, s.notTaken(errNotAdded, err)
	}
	challenge := parsed.Response.CollectedClientData.Challenge
	r, ok, err := s.st.Sessions.TakeChallenge(ctx, challenge)
	if err != nil {
		return nil, core.StoreError(err)
	}
	if !ok || r.For != forAdding || linnet.ID(r.User) != me.User || r.Holder != record.Hash(me.ID) {
		return nil, errNotAdded
	}
	made, err := s.party.CreateCredential(user, webauthn.SessionData{Challenge: challenge, RelyingPartyID: s.party.Config.RPID, UserID: user.WebAuthnID(),
		UserVerification: protocol.VerificationRequired, CredParams: webauthn.CredentialParametersDefault()}, parsed)
	if err != nil {
		return nil, s.notTaken(errNotAdded, err)
	}
	if slices.ContainsFunc(user.keys, func(k record.Passkey) bool { return string(k.ID) == string(made.ID) }) {
		return nil, linnet.Errorf(linnet.Invalid, "You've already added this passkey.")
	}
	if len(made.ID) > 1023 || len(made.PublicKey) > 4096 { // section 4 limits the ID
		return nil, errNotAdded
	}
	return made, nil
}

// notTaken returns the error for users about a wrong answer. why is logged.
func (s *Security) notTaken(shown, why error) error {
	var p *protocol.Error
	if errors.As(why, &p) {
		why = errors.New(p.Details + ": " + p.DevInfo)
	}
	s.opt.Log.Debug("passkey refused", "err", why)
	return shown
}

// passkeyName returns the stored form of a name.
func passkeyName(ctx context.Context, name string) (string, error) {
	name = cmp.Or(text.Line(name), visitOf(ctx).device, "Passkey")
	switch {
	case utf8.RuneCountInString(name) > linnet.MaxPasskeyName:
		return "", linnet.FieldError("name", "ERR_TOO_LONG", "is too long (maximum is %d characters)", linnet.MaxPasskeyName)
	case text.Overmarked(name):
		return "", core.Overmarked("name")
	}
	return name, nil
}

// RenamePasskey renames a passkey of me. It returns NotFound if there is none with the id.
func (s *Security) RenamePasskey(ctx context.Context, me linnet.ID, id, name string) error {
	name, err := passkeyName(ctx, name)
	if err != nil {
		return err
	}
	return s.changePasskey(ctx, me, id, func(all []record.Passkey, i int) []record.Passkey {
		all[i].Name = name
		return all
	})
}

// RemovePasskey deletes a passkey of me, if the password is correct. Sessions that it started stay.
// It returns NotFound if there is none with the id.
func (s *Security) RemovePasskey(ctx context.Context, me linnet.ID, id, password string, from netip.Addr) error {
	if _, _, err := s.identity.CheckOwnPassword(ctx, me, password, from); err != nil {
		return err
	}
	name := ""
	err := s.changePasskey(ctx, me, id, func(all []record.Passkey, i int) []record.Passkey {
		name = all[i].Name
		return slices.Delete(all, i, i+1)
	})
	if err != nil {
		return err
	}
	return s.note(ctx, me, linnet.PasskeyRemoved, 0, name)
}

func (s *Security) changePasskey(ctx context.Context, me linnet.ID, id string, f func(all []record.Passkey, i int) []record.Passkey) error {
	all, version, err := s.st.Sessions.Passkeys(ctx, me)
	if err != nil {
		return core.StoreError(err)
	}
	i := slices.IndexFunc(all, func(k record.Passkey) bool { return passkeyID(k) == strings.TrimSpace(id) })
	if i < 0 {
		return errNoPasskey
	}
	return s.setPasskeys(ctx, me, all, f(slices.Clone(all), i), version)
}
