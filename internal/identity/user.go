package identity

import (
	"context"
	"errors"
	"strings"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/mail"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/store/accounts"
	"linnet/internal/task"
	"linnet/internal/text"
)

var errLogin = linnet.Errorf(linnet.Unauthenticated, "Incorrect username or password.")

// SignUp creates a user, regardless of the settings for sign-up. Invalid and Conflict errors name
// the field.
func (s *Service) SignUp(ctx context.Context, in linnet.SignUp) (linnet.User, error) {
	return s.signUp(ctx, in, entry{})
}

// entry describes how an account is created.
type entry struct {
	pending bool      // a moderator decides
	ruled   bool      // because of a rule, so no reason was required
	email   bool      // requires an address, which has to be confirmed before the login
	notify  bool      // notify moderators
	invite  string    // code of the used invitation
	inviter linnet.ID // the creator of the invitation
}

func (s *Service) signUp(ctx context.Context, in linnet.SignUp, by entry) (linnet.User, error) {
	if err := s.checkSignUp(ctx, &in, by); err != nil {
		return linnet.User{}, err
	}
	hash, err := s.hashForSignUp(ctx, &in)
	if err != nil {
		return linnet.User{}, err
	}
	if !core.ValidLanguage(in.Language) {
		in.Language = "" // apps send the language of their system, which is no reason to refuse a sign-up
	}
	u := linnet.User{Login: in.Login, Role: in.Role, Discoverable: in.Listed, Unapproved: by.pending || by.email, Posting: linnet.PostingDefaults{Language: in.Language}}
	u, t, err := s.st.Accounts.CreateUser(ctx, store.RandomShard(), u, record.Secret{Hash: hash, Email: in.Email, Reason: in.Reason, Invite: by.invite, InvitedBy: record.JID(by.inviter),
		Mail: record.Mail{Enters: by.email && !by.pending}},
		func(id linnet.ID) (task.Task, error) {
			return s.tasks.New(id.Shard(), TaskFinishSignUp, finishArgs{id, by.notify})
		})
	if t.ID != "" {
		s.tasks.Run(ctx, t)
	}
	if errors.Is(err, accounts.ErrInvite) {
		return u, linnet.FieldError("invite_code", "ERR_INVALID", "is no longer valid")
	}
	if errors.Is(err, accounts.ErrTaken) {
		return u, errTakenMeanwhile(in.Login)
	}
	return u, core.StoreError(err)
}

func errTaken(login string) *linnet.Error {
	return linnet.FieldError("username", "ERR_TAKEN", "%q is taken. Choose another name", login)
}

// errTakenMeanwhile is the error for a login that another account has claimed in the meantime.
func errTakenMeanwhile(login string) *linnet.Error {
	e := errTaken(login)
	e.Kind = linnet.Conflict
	return e
}

// checkSignUp returns all faults of a sign-up in one error, and normalizes the address. It checks
// whether the login is taken only if there are other faults, because creating the user checks that
// too.
func (s *Service) checkSignUp(ctx context.Context, in *linnet.SignUp, by entry) error {
	all := in.Faults
	switch {
	case in.Login == "":
		all.Add(linnet.FieldError("username", "ERR_BLANK", "can't be blank"))
	case len(in.Login) > linnet.MaxLogin:
		all.Add(linnet.FieldError("username", "ERR_TOO_LONG", "is too long (maximum is %d characters)", linnet.MaxLogin))
	case !text.ValidLogin(in.Login):
		all.Add(linnet.FieldError("username", "ERR_INVALID", "must contain only letters, numbers and underscores"))
	case Reserved(in.Login):
		all.Add(linnet.FieldError("username", "ERR_RESERVED", "is reserved"))
	}
	all.Add(s.CheckPassword(in.Password, in.Login))
	all.Add(checkSignUpEmail(in, by.email))
	all.Add(checkSignUpReason(in.Reason, by.pending && !by.ruled))
	if !in.Agreed {
		all.Add(linnet.FieldError("agreement", "ERR_ACCEPTED", "must be accepted"))
	}
	if all.Err() != nil && !all.Has("username") {
		owner, err := s.st.Accounts.UserByLogin(ctx, in.Login)
		if err != nil {
			return core.StoreError(err)
		}
		if owner != 0 {
			all.Add(errTaken(in.Login))
		}
	}
	return all.Err()
}

// checkSignUpEmail checks and normalizes an address.
func checkSignUpEmail(in *linnet.SignUp, required bool) *linnet.Error {
	if in.Email == "" {
		if required {
			return linnet.FieldError("email", "ERR_BLANK", "can't be blank")
		}
		return nil
	}
	a, err := mail.Normalize(in.Email)
	if err != nil {
		return linnet.FieldError("email", "ERR_INVALID", "%s", err)
	}
	in.Email = a
	return nil
}

// Reserved reports whether users could mistake a login for the server itself.
func Reserved(login string) bool {
	switch strings.ToLower(login) {
	case "admin", "administrator", "root", "support", "moderator", "mod", "abuse", "security", "webmaster", "postmaster",
		"everyone", "here", "instance", "linnet", "system", "top":
		return true
	}
	return false
}

// Authenticate checks a password. An unknown login takes the same time and returns the same error
// as a wrong password.
func (s *Service) Authenticate(ctx context.Context, login, password string) (linnet.User, error) {
	id, _, err := s.accountTried(ctx, login)
	if err != nil {
		return linnet.User{}, err
	}
	u, _, err := s.authenticate(ctx, id, password)
	return u, err
}

// authenticate is like Authenticate for an account, 0 for none. It also returns the version of the
// secrets that the password was checked with.
func (s *Service) authenticate(ctx context.Context, id linnet.ID, password string) (linnet.User, uint64, error) {
	u, sec, err := proven(ctx, s, id, password)
	if err != nil {
		return linnet.User{}, 0, err
	}
	return *u, sec.Version, s.emails.mayEnter(ctx, u, &sec)
}

// proven returns an account and its secrets if the password is correct, even if the account isn't
// active.
func proven(ctx context.Context, s *Service, id linnet.ID, password string) (u *linnet.User, sec record.Secret, err error) {
	hash, known := s.decoy, false
	if id != 0 {
		if sec, err = s.st.Accounts.Secret(ctx, id); err != nil {
			return nil, sec, core.StoreError(err)
		}
		if u, err = s.core.LookupUser(ctx, id); err != nil {
			return nil, sec, err
		}
		if sec.Hash != "" { // imported users have no password until one is set
			hash, known = sec.Hash, true
		}
	}
	if len(password) > linnet.MaxPassword {
		password = password[:linnet.MaxPassword]
	}
	fits, err := s.hasher.verify(ctx, hash, password)
	if err == nil && (!fits || !known || u == nil) {
		err = errLogin
	}
	return u, sec, err
}

// SetPassword sets a password and ends all sessions. It is for the operator only, because staff
// never see a password. It adds to the audit log and notifies the owner.
func (s *Service) SetPassword(ctx context.Context, by linnet.Actor, login, password string) error {
	if err := core.AuthorizeOperator(by); err != nil {
		return err
	}
	u, err := s.core.AccountNamed(ctx, login)
	if err != nil {
		return err
	}
	if !u.Person() {
		return linnet.Errorf(linnet.Invalid, "%s is a group or an external feed. You can't log in to it.", u.Login)
	}
	if err := core.NotSystem(u.ID); err != nil {
		return err
	}
	if e := s.CheckPassword(password, u.Login); e != nil {
		return e
	}
	if err := s.core.LogAct(ctx, by, core.ActPassword, u.ID, "", ""); err != nil {
		return err
	}
	return s.replacePassword(ctx, u, password, linnet.PasswordSet, by.ID())
}

// replacePassword sets a checked password, ends all sessions and logs the event. by is the staff
// member who caused it, if any.
func (s *Service) replacePassword(ctx context.Context, u *linnet.User, password string, event linnet.SecurityEvent, by linnet.ID) error {
	hash, err := s.Hash(ctx, password)
	if err != nil {
		return err
	}
	notice, err := s.emails.access(ctx, u.ID, event)
	if err != nil {
		return err
	}
	if err := s.st.Accounts.SetSecret(ctx, u.ID, hash, notice.Ops()...); err != nil {
		return core.StoreError(err)
	}
	s.emails.mailing.Begin(ctx, notice)
	if err := s.EndSessions(ctx, u.ID); err != nil {
		return err
	}
	return s.noteSecurity(ctx, u.ID, event, by)
}
