package social

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/task"
	"linnet/internal/text"
)

var (
	errNoUser = linnet.Errorf(linnet.NotFound, "Record not found")
	errLogin  = linnet.Errorf(linnet.Unauthenticated, "The user name or the password is wrong.")
)

// SignUp makes a user, whoever may register. Invalid and Conflict name the field.
func (s *Service) SignUp(ctx context.Context, in linnet.SignUp) (linnet.User, error) {
	return s.signUp(ctx, in, entry{})
}

// entry says how somebody comes to an account.
type entry struct {
	pending bool      // a moderator decides
	tell    bool      // moderators are told
	invite  string    // code of the invitation that they come by
	inviter linnet.ID // who made it
}

func (s *Service) signUp(ctx context.Context, in linnet.SignUp, by entry) (linnet.User, error) {
	if err := s.checkSignUp(ctx, in, by.pending); err != nil {
		return linnet.User{}, err
	}
	hash, err := s.hash(ctx, in.Password)
	if err != nil {
		return linnet.User{}, err
	}
	if !validLanguage(in.Language) {
		in.Language = "" // apps send what their system says: no reason to refuse anybody
	}
	u := linnet.User{Login: in.Login, Role: in.Role, Discoverable: true, Unapproved: by.pending, Posting: linnet.PostingDefaults{Language: in.Language}}
	u, t, err := s.st.CreateUser(ctx, store.RandomShard(), u, record.Secret{Hash: hash, Email: in.Email, Reason: in.Reason, Invite: by.invite, InvitedBy: record.JID(by.inviter)},
		func(id linnet.ID) (task.Task, error) {
			return s.tasks.New(id.Shard(), taskSettle, settleArgs{id, by.tell})
		})
	if t.ID != "" {
		s.tasks.Run(ctx, t)
	}
	if errors.Is(err, store.ErrInvite) {
		return u, linnet.FieldError("invite_code", "ERR_INVALID", "is no longer good")
	}
	if errors.Is(err, store.ErrTaken) {
		e := errTaken(in.Login)
		e.Kind = linnet.Conflict
		return u, e
	}
	return u, kvError(err)
}

func errTaken(login string) *linnet.Error {
	return linnet.FieldError("username", "ERR_TAKEN", "%q is taken; choose another", login)
}

// checkSignUp finds all faults of a sign-up, so that they are mended at once. That
// the name is taken is found out only beside others: who makes the user does so
// anyway.
func (s *Service) checkSignUp(ctx context.Context, in linnet.SignUp, pending bool) error {
	var all linnet.Error
	add := func(e *linnet.Error) {
		all.Fields = append(all.Fields, e.Fields...)
	}
	switch {
	case in.Login == "":
		add(linnet.FieldError("username", "ERR_BLANK", "can't be blank"))
	case len(in.Login) > linnet.MaxLogin:
		add(linnet.FieldError("username", "ERR_TOO_LONG", "is too long (maximum is %d characters)", linnet.MaxLogin))
	case !text.ValidLogin(in.Login):
		add(linnet.FieldError("username", "ERR_INVALID", "must contain only letters, numbers and underscores"))
	case reserved(in.Login):
		add(linnet.FieldError("username", "ERR_RESERVED", "is reserved"))
	}
	if e := s.checkPassword(in.Password, in.Login); e != nil {
		add(e)
	}
	if len(in.Email) > linnet.MaxEmail || in.Email != "" && !strings.Contains(in.Email, "@") {
		add(linnet.FieldError("email", "ERR_INVALID", "is not an e-mail address"))
	}
	if e := checkSignUpReason(in.Reason, pending); e != nil {
		add(e)
	}
	if !in.Agreed {
		add(linnet.FieldError("agreement", "ERR_ACCEPTED", "must be accepted"))
	}
	if len(all.Fields) == 0 {
		return nil
	}
	if all.Fields[0].Name != "username" {
		owner, err := s.st.UserByLogin(ctx, in.Login)
		if err != nil {
			return kvError(err)
		}
		if owner != 0 {
			all.Fields = append(errTaken(in.Login).Fields, all.Fields...)
		}
	}
	all.Kind = linnet.Invalid
	msgs := make([]string, len(all.Fields))
	for i, f := range all.Fields {
		msgs[i] = strings.ToUpper(f.Name[:1]) + f.Name[1:] + " " + f.Msg
	}
	all.Msg = "Validation failed: " + strings.Join(msgs, ", ")
	return &all
}

// reserved logins would be taken for the installation itself.
func reserved(login string) bool {
	switch strings.ToLower(login) {
	case "admin", "administrator", "root", "support", "moderator", "mod", "abuse", "security", "webmaster", "postmaster",
		"everyone", "here", "instance", "linnet", "system", "top":
		return true
	}
	return false
}

// Authenticate checks a password. An unknown login costs the same time and gives
// the same answer as a wrong password.
func (s *Service) Authenticate(ctx context.Context, login, password string) (linnet.User, error) {
	id, _, err := s.accountTried(ctx, login)
	if err != nil {
		return linnet.User{}, err
	}
	u, _, err := s.authenticate(ctx, id, password)
	return u, err
}

// authenticate is Authenticate of an account, 0 for one that does not exist, and
// tells of which version the secrets were that the password was held against.
func (s *Service) authenticate(ctx context.Context, id linnet.ID, password string) (linnet.User, uint64, error) {
	hash, known := s.decoy, false
	var u *linnet.User
	var version uint64
	if id != 0 {
		sec, err := s.st.Secret(ctx, id)
		if err != nil {
			return linnet.User{}, 0, kvError(err)
		}
		if u, err = s.user(ctx, id); err != nil {
			return linnet.User{}, 0, err
		}
		version = sec.Version
		if sec.Hash != "" { // imported users have none until somebody sets one
			hash, known = sec.Hash, true
		}
	}
	if len(password) > linnet.MaxPassword {
		password = password[:linnet.MaxPassword]
	}
	fits, err := s.verify(ctx, hash, password)
	if err != nil {
		return linnet.User{}, 0, err
	}
	if !fits || !known || u == nil {
		return linnet.User{}, 0, errLogin
	}
	return *u, version, mayEnter(u)
}

// mayEnter tells whoever has given the right password why they do not get in.
func mayEnter(u *linnet.User) error {
	switch {
	case u.Suspended:
		return linnet.Errorf(linnet.Forbidden, "This account is suspended. Ask the people who run this server.")
	case u.Disabled:
		return linnet.Errorf(linnet.Forbidden, "This account is locked by moderators. Ask the people who run this server.")
	case u.Unapproved:
		return linnet.Errorf(linnet.Forbidden, "Your account waits for approval. A moderator has to let you in first.")
	}
	return nil
}

// user reads one user's record; nil if there is none.
func (s *Service) user(ctx context.Context, id linnet.ID) (*linnet.User, error) {
	b := s.st.Batch()
	ref := b.User(id)
	if err := b.Run(ctx); err != nil {
		return nil, kvError(err)
	}
	return ref.User, nil
}

// lastPosted is when somebody has last posted something that is not direct; zero if
// there is nothing.
func lastPosted(ref *store.UserRef) time.Time {
	if ref.Last == 0 {
		return time.Time{}
	}
	return ref.Last.Time()
}

// User shows a user.
func (s *Service) User(ctx context.Context, viewer, id linnet.ID) (linnet.UserView, error) {
	b := s.st.Batch()
	ref := b.User(id)
	requests := new(int64)
	if viewer == id {
		requests = b.RequestsTo(id)
	}
	if err := b.Run(ctx); err != nil {
		return linnet.UserView{}, kvError(err)
	}
	if ref.User == nil || ref.User.Unapproved && viewer != id {
		return linnet.UserView{}, errNoUser
	}
	v := s.userView(ref)
	if seen, err := s.known(ctx, viewer, []linnet.UserView{v}, false); err != nil || len(seen) == 0 {
		return linnet.UserView{}, cmp.Or(err, error(errNoUser))
	}
	if v.Suspended {
		return v, nil
	}
	v.Requests = *requests
	inside, err := s.isInside(ctx, viewer, ref.User)
	if err != nil {
		return linnet.UserView{}, err
	}
	if inside {
		v.Statuses, v.LastStatusAt = max(ref.Statuses, 0), lastPosted(ref)
	}
	return v, nil
}

// Users shows those of ids that exist and are not suspended, in that order.
func (s *Service) Users(ctx context.Context, viewer linnet.ID, ids []linnet.ID) ([]linnet.UserView, error) {
	b := s.st.Batch()
	refs := make([]*store.UserRef, len(ids))
	for i, id := range ids {
		refs[i] = b.User(id)
	}
	if err := b.Run(ctx); err != nil {
		return nil, kvError(err)
	}
	out := make([]linnet.UserView, 0, len(ids))
	for _, ref := range refs {
		if ref.User != nil && !ref.User.Hidden() {
			out = append(out, s.userView(ref))
		}
	}
	return s.known(ctx, viewer, out, false)
}

// UserByLogin shows the user with a login, which may carry this installation's
// host: "ann", "@ann", "ann@example.com".
func (s *Service) UserByLogin(ctx context.Context, viewer linnet.ID, login string) (linnet.UserView, error) {
	login, ok := s.localLogin(login)
	if !ok {
		return linnet.UserView{}, errNoUser
	}
	id, err := s.st.UserByLogin(ctx, login)
	if err != nil {
		return linnet.UserView{}, kvError(err)
	}
	if id == 0 {
		return linnet.UserView{}, errNoUser
	}
	return s.User(ctx, viewer, id)
}

// localLogin strips what may stand around a login; ok is false for other hosts.
func (s *Service) localLogin(login string) (string, bool) {
	login = strings.TrimPrefix(strings.TrimSpace(login), "@")
	name, host, remote := strings.Cut(login, "@")
	if remote && !strings.EqualFold(host, s.host) {
		return "", false
	}
	return name, text.ValidLogin(name)
}

// SetPassword replaces a password and ends all sessions, by a command on the
// server. It is logged, and the owner is told.
func (s *Service) SetPassword(ctx context.Context, login, password string) error {
	u, err := s.accountNamed(ctx, login)
	if err != nil {
		return err
	}
	if u.Group != linnet.NoGroup {
		return linnet.Errorf(linnet.Invalid, "%s is a group: nobody logs in as it.", u.Login)
	}
	if err := notSystem(u.ID); err != nil {
		return err
	}
	if e := s.checkPassword(password, u.Login); e != nil {
		return e
	}
	if err := s.logAct(ctx, 0, actPassword, u.ID, "", ""); err != nil {
		return err
	}
	if err := s.replacePassword(ctx, u, password); err != nil {
		return err
	}
	return s.noteSecurity(ctx, u.ID, linnet.PasswordSet, 0)
}

// replacePassword replaces a password that was checked, and ends all sessions.
func (s *Service) replacePassword(ctx context.Context, u *linnet.User, password string) error {
	hash, err := s.hash(ctx, password)
	if err != nil {
		return err
	}
	if err := s.st.SetSecret(ctx, u.ID, hash); err != nil {
		return kvError(err)
	}
	return s.endSessions(ctx, u.ID)
}

// SetRole gives a user a role, by a command.
func (s *Service) SetRole(ctx context.Context, login string, r linnet.Role) error {
	u, err := s.accountNamed(ctx, login)
	if err != nil {
		return err
	}
	return s.Moderate(ctx, linnet.Measure{On: u.ID, Act: linnet.GiveRole, Role: r})
}
