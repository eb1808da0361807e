package identity

import (
	"cmp"
	"context"
	"net/netip"
	"slices"
	"time"

	"linnet/internal/core"
	"linnet/internal/event"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/mail"
	"linnet/internal/mailing"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/store/sessions"
	"linnet/internal/task"
)

// E-mail addresses are stored with the secrets of an account. An address is confirmed by a link in
// an e-mail. Then no other account can have it. Responses to strangers never reveal whether an
// address has an account. Only e-mails do.

const (
	// EmailTTL is the lifetime of a confirmation link, as in Mastodon.
	EmailTTL = 48 * time.Hour
	// MailedResetTTL is the lifetime of a link for a new password that was sent by e-mail.
	MailedResetTTL = time.Hour
)

var (
	errNoMail     = linnet.Errorf(linnet.Forbidden, "This server doesn't send e-mail. Contact the administrators.")
	errConfirmed  = linnet.Errorf(linnet.Forbidden, "This method is only available while the e-mail is awaiting confirmation")
	errEmailLink  = linnet.Errorf(linnet.Gone, "This link is no longer valid. A confirmation link works once and expires after two days. It also stops working when you request a newer link or set a new password. If you've already confirmed the address, there's nothing to do. Otherwise log in and request another link.")
	errEmailTaken = linnet.Errorf(linnet.Conflict, "This address now belongs to another account. Choose another address.")
	errNotWaiting = linnet.Errorf(linnet.Forbidden, "This account has no e-mail address to confirm. To change your address, log in and go to the settings.")
)

// Errors for a correct password of an account whose e-mail address isn't confirmed. Emails.Correct
// can change the address.
var (
	ErrEmailUnconfirmed = linnet.Errorf(linnet.Forbidden, "Confirm your e-mail address first: open the link in the e-mail we sent you. We've just sent it again.")
	ErrEmailSent        = linnet.Errorf(linnet.Forbidden, "Confirm your e-mail address first: open the link in the e-mail we sent you recently.")
)

// Emails is the part of Service for e-mail addresses. It is safe for concurrent use.
type Emails struct {
	st    *store.Store
	opt   core.Options
	tasks *task.Queue
	facts *event.Facts

	core     *core.Service
	mailing  *mailing.Service
	unseen   Unseen
	identity *Service
}

// On reports whether this instance sends e-mails.
func (s *Emails) On() bool { return s.mailing.On() }

// Required reports whether sign-up requires a confirmed address.
func (s *Emails) Required(about *linnet.Instance) bool { return s.On() && about.EmailRequired }

// normalEmail returns the stored form of an address. An Invalid error names the field.
func normalEmail(address string) (string, error) {
	a, err := mail.Normalize(address)
	if err != nil {
		return "", linnet.FieldError("email", "ERR_INVALID", "%s", err)
	}
	return a, nil
}

// State returns the state of me's e-mail address.
func (s *Emails) State(ctx context.Context, me linnet.ID) (linnet.EmailState, error) {
	sec, err := s.st.Accounts.Secret(ctx, me)
	if err != nil {
		return linnet.EmailState{}, core.StoreError(err)
	}
	e := linnet.EmailState{Address: mail.Shown(sec.Email), Confirmed: sec.Mail.Confirmed != 0, Pending: mail.Shown(sec.Pending()), Held: sec.Mail.Held}
	for _, k := range linnet.MailKinds() {
		if chosen(&sec, k) {
			e.Mails = append(e.Mails, k)
		}
	}
	return e, nil
}

// allowMail counts an e-mail against the limits of the requesting network and of the address.
func (s *Emails) allowMail(ctx context.Context, address string, from netip.Addr) error {
	if err := s.core.AllowClass(ctx, core.Caller{From: from}, core.RateMail); err != nil {
		return err
	}
	return s.mailing.Allow(ctx, address)
}

// Set changes me's e-mail address, or removes it for "", if the password is correct. It sends a
// link to a new address, which replaces the current one after it is confirmed. An Invalid error
// names the field.
func (s *Emails) Set(ctx context.Context, me linnet.ID, address, password string, from netip.Addr) error {
	if !s.On() {
		return errNoMail
	}
	if address == "" {
		return s.remove(ctx, me, password, from)
	}
	address, err := normalEmail(address)
	if err != nil {
		return err
	}
	if _, _, err := s.identity.CheckOwnPassword(ctx, me, password, from); err != nil {
		return err
	}
	if err := heldAddress(ctx, s.identity, address, true); err != nil {
		return err
	}
	if err := s.allowMail(ctx, address, from); err != nil {
		return err
	}
	return s.want(ctx, me, address)
}

// want stores the pending address of an account and sends a link to it.
func (s *Emails) want(ctx context.Context, me linnet.ID, address string) error {
	m, err := s.mailing.New(mailing.Args{Kind: mailConfirm, User: me})
	if err != nil {
		return err
	}
	notice, err := s.access(ctx, me, linnet.EmailAsked)
	if err != nil {
		return err
	}
	var asked bool
	sec, ok, err := s.st.Sessions.ChangeMail(ctx, me, func(sec *record.Secret) ([]kv.Op, error) {
		before := sec.Pending()
		sec.Mail.Wanted, sec.Mail.Held = "", false
		switch {
		case sec.Mail.Confirmed == 0:
			sec.Email = address
		case sec.Email != address:
			sec.Mail.Wanted = address
		}
		if now := sec.Pending(); now != before {
			sec.Mail.Hash, sec.Mail.Expires = "", 0 // the link was for another address
		}
		asked = sec.Mail.Wanted != "" && sec.Mail.Wanted != before
		if sec.Pending() == "" {
			return nil, nil
		}
		if asked {
			return slices.Concat(m.Ops(), notice.Ops()), nil
		}
		return m.Ops(), nil
	})
	if err != nil {
		return core.StoreError(err)
	}
	if !ok {
		return core.ErrNoUser
	}
	if sec.Pending() != "" {
		s.mailing.Begin(ctx, m)
	}
	if asked {
		s.mailing.Begin(ctx, notice)
		return s.identity.noteSecurity(ctx, me, linnet.EmailAsked, 0)
	}
	return nil
}

// remove removes me's address.
func (s *Emails) remove(ctx context.Context, me linnet.ID, password string, from netip.Addr) error {
	about, err := s.identity.settings.instance(ctx)
	if err != nil {
		return err
	}
	if about.EmailRequired {
		return linnet.FieldError("email", "ERR_BLANK", "can't be blank: this server requires an e-mail address")
	}
	if _, _, err := s.identity.CheckOwnPassword(ctx, me, password, from); err != nil {
		return err
	}
	notice, err := s.mailing.New(mailing.Args{Kind: mailChanged, User: me})
	if err != nil {
		return err
	}
	var t task.Task
	var former string
	_, ok, err := s.st.Sessions.ChangeMail(ctx, me, func(sec *record.Secret) (ops []kv.Op, err error) {
		t, former = task.Task{}, sec.Mail.Former
		if sec.Mail.Confirmed != 0 {
			if t, err = s.tasks.New(me.Shard(), TaskEmail, emailArgs{Hash: record.Hash(sec.Email)}); err != nil {
				return nil, err
			}
			former = sec.Email
			ops = slices.Concat(t.Ops(), notice.Ops(), []kv.Op{noResetOf(me)})
		}
		if sec.Mail.Digest != "" {
			ops = append(ops, task.Recall(me.Shard(), sec.Mail.Digest)...)
		}
		sec.Email, sec.Mail = "", record.Mail{Unwanted: sec.Mail.Unwanted, Former: former}
		return ops, nil
	})
	switch {
	case err != nil:
		return core.StoreError(err)
	case !ok:
		return core.ErrNoUser
	}
	if t.ID != "" {
		s.mailing.Begin(ctx, notice)
		s.tasks.Run(ctx, t)
	}
	return s.identity.noteSecurity(ctx, me, linnet.EmailRemoved, 0)
}

// noResetOf revokes a reset link that may have been sent to a previous address of the account.
func noResetOf(user linnet.ID) kv.Op { return kv.Delete{Key: record.ResetKey(user)} }

// Resend sends the confirmation link of me's pending address again. It first changes the pending
// address if another one is given and none was ever confirmed. It returns Forbidden if no address
// is pending. https://docs.joinmastodon.org/methods/emails/#confirmation
func (s *Emails) Resend(ctx context.Context, me linnet.ID, address string, from netip.Addr) error {
	if !s.On() {
		return errNoMail
	}
	sec, err := s.st.Accounts.Secret(ctx, me)
	if err != nil {
		return core.StoreError(err)
	}
	pending := sec.Pending()
	if pending == "" {
		return errConfirmed
	}
	if address != "" && sec.Mail.Confirmed == 0 {
		if pending, err = normalEmail(address); err != nil {
			return err
		}
		if err := heldAddress(ctx, s.identity, pending, false); err != nil {
			return err
		}
	}
	if err := s.allowMail(ctx, pending, from); err != nil {
		return err
	}
	return s.want(ctx, me, pending)
}

// EmailLink is a link that confirms an address.
type EmailLink struct {
	Login   string
	Address string // as shown to users
}

// Link returns the address that a link confirms. It returns Gone if the link is invalid.
func (s *Emails) Link(ctx context.Context, token string) (EmailLink, error) {
	id, sec, err := s.link(ctx, token)
	if err != nil {
		return EmailLink{}, err
	}
	u, err := s.core.LookupUser(ctx, id)
	if err == nil && u == nil {
		err = errEmailLink
	}
	if err != nil {
		return EmailLink{}, err
	}
	return EmailLink{u.Login, mail.Shown(sec.Pending())}, nil
}

func (s *Emails) link(ctx context.Context, token string) (linnet.ID, record.Secret, error) {
	id := sessions.TokenOwner(token)
	if id == 0 {
		return 0, record.Secret{}, errEmailLink
	}
	sec, err := s.st.Accounts.Secret(ctx, id)
	if err != nil {
		return 0, sec, core.StoreError(err)
	}
	if !s.inForce(&sec, token) {
		return 0, sec, errEmailLink
	}
	return id, sec, nil
}

func (s *Emails) inForce(sec *record.Secret, token string) bool {
	return sec.Mail.Hash != "" && sec.Mail.Hash == record.Hash(token) && sec.Pending() != "" && s.st.Now().UnixMilli() < sec.Mail.Expires
}

// Confirm uses a link. The address then belongs to the account, and the account is activated if it
// meets all other requirements. The previous address is notified. It returns Gone if the link is
// invalid, and Conflict if another account has the address.
func (s *Emails) Confirm(ctx context.Context, token string) error {
	id, sec, err := s.link(ctx, token)
	if err != nil {
		return err
	}
	address := sec.Pending()
	hash := record.Hash(address)
	took, err := s.tasks.New(record.HashShard(hash), TaskEmail, emailArgs{Hash: hash})
	if err != nil {
		return err
	}
	began := s.st.Now()
	taken, anew, err := s.st.Sessions.TakeEmail(ctx, hash, id, took)
	if err != nil {
		return core.StoreError(err)
	}
	if !taken {
		return errEmailTaken
	}
	err = s.confirm(ctx, id, token, address, began)
	if anew {
		s.tasks.Run(ctx, took)
	}
	return err
}

// confirmWithin is the maximum time between claiming an address and storing its confirmation. It is
// less than half of the delay of the task that would release the claim.
const confirmWithin = 2 * time.Minute

func (s *Emails) confirm(ctx context.Context, id linnet.ID, token, address string, began time.Time) error {
	notice, err := s.mailing.New(mailing.Args{Kind: mailChanged, User: id})
	if err != nil {
		return err
	}
	var t task.Task
	var changed bool
	_, ok, err := s.st.Sessions.ChangeMail(ctx, id, func(sec *record.Secret) (ops []kv.Op, err error) {
		now := s.st.Now()
		if !s.inForce(sec, token) || sec.Pending() != address || now.Sub(began) > confirmWithin {
			return nil, errEmailLink
		}
		a := emailArgs{User: id, Enters: sec.Mail.Enters}
		if changed = sec.Mail.Confirmed != 0; changed {
			a.Hash, sec.Mail.Former = record.Hash(sec.Email), sec.Email
			ops = append(notice.Ops(), noResetOf(id))
		}
		if sec.Mail.Enters {
			ops = append(ops, task.Recall(id.Shard(), unconfirmedArgs{User: id}.id())...)
		}
		if t, err = s.tasks.New(id.Shard(), TaskEmail, a); err != nil {
			return nil, err
		}
		sec.Email, sec.Mail.Confirmed = address, now.UnixMilli()
		sec.Mail.Wanted, sec.Mail.Hash, sec.Mail.Expires, sec.Mail.Enters = "", "", 0, false
		return append(ops, t.Ops()...), nil
	})
	switch {
	case err != nil:
		return core.StoreError(err)
	case !ok:
		return errEmailLink
	}
	event := linnet.EmailConfirmed
	if changed {
		event = linnet.EmailChanged
		s.mailing.Begin(ctx, notice)
	}
	s.tasks.Run(ctx, t)
	return s.identity.noteSecurity(ctx, id, event, 0)
}

// emailArgs are the arguments of the task after a change of address: a claim that may have to be
// released, and the user who may be activated.
type emailArgs struct {
	Hash   string    `json:"hash,omitempty"`
	User   linnet.ID `json:"user,omitempty"`
	Enters bool      `json:"enters,omitempty"`
}

// applyAddress applies the consequences of an address that was claimed, confirmed, changed or
// removed. Each part can run more than once.
func (s *Emails) applyAddress(ctx context.Context, a emailArgs) (*emailArgs, error) {
	if a.Hash != "" {
		if err := s.st.Sessions.ReleaseEmail(ctx, a.Hash); err != nil {
			return nil, err
		}
	}
	if !a.Enters {
		return nil, nil
	}
	u, err := s.core.LookupUser(ctx, a.User)
	if err != nil || u == nil {
		return nil, err
	}
	if u.Unapproved {
		_, _, err = s.st.Accounts.ModerateUser(ctx, a.User, task.Task{}, func(u *linnet.User) error { u.Unapproved = false; return nil })
		if err != nil {
			return nil, err
		}
	}
	if err := s.st.Accounts.IndexUser(ctx, a.User); err != nil {
		return nil, err
	}
	if err := s.st.Accounts.IndexDirectory(ctx, a.User); err != nil {
		return nil, err
	}
	s.core.Emit(ctx, a.User, core.Event{Type: core.EventUser, To: a.User})
	return nil, nil
}

// Forgot sends a link for a new password to an address, if it is the confirmed address of an
// account. Neither the response nor its duration reveals whether an e-mail is sent. The account is
// looked up when the e-mail is written, and e-mails beyond the limit of the address are dropped
// silently. Only the limit of the caller's network returns TooMany.
func (s *Emails) Forgot(ctx context.Context, address string, from netip.Addr) error {
	if !s.On() {
		return errNoMail
	}
	address, err := normalEmail(address)
	if err != nil {
		return err
	}
	if err := s.core.AllowClass(ctx, core.Caller{From: from}, core.RateMail); err != nil {
		return err
	}
	if err := s.mailing.Allow(ctx, address); linnet.KindOf(err) == linnet.TooMany {
		return nil // an error would reveal that e-mails were sent to the address
	} else if err != nil {
		return err
	}
	return s.mailing.Send(ctx, mailing.Args{Kind: mailForgot, Address: record.Hash(address)})
}

// mayEnter returns the reason why a user with the correct password can't log in. If an address must
// be confirmed, it sends the link again.
func (s *Emails) mayEnter(ctx context.Context, u *linnet.User, sec *record.Secret) error {
	switch email := sec.Pending(); {
	case u.Suspended:
		return s.closed(ctx, u, linnet.Suspend, linnet.Errorf(linnet.Forbidden, "This account is suspended. Contact the administrators."))
	case u.Disabled:
		return s.closed(ctx, u, linnet.Disable, linnet.Errorf(linnet.Forbidden, "This account was disabled by a moderator. Contact the administrators."))
	case u.Unapproved && sec.Mail.Enters && email != "" && s.On():
		err := s.mailing.Allow(ctx, email)
		switch {
		case linnet.KindOf(err) == linnet.TooMany && !sec.Mail.Held: // the link that was sent is still valid
			return ErrEmailSent
		case err == nil:
			err = s.want(ctx, u.ID, email)
		}
		return cmp.Or(err, error(ErrEmailUnconfirmed))
	case u.Unapproved:
		return linnet.Errorf(linnet.Forbidden, "Your account is waiting for approval by a moderator.")
	}
	return nil
}
