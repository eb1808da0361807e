package identity

import (
	"context"
	"fmt"
	"time"

	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/locale"
	"linnet/internal/mail"
	"linnet/internal/mailing"
	"linnet/internal/record"
	"linnet/internal/store/sessions"
)

// Kinds of e-mails about access to an account. E-mails that a user has requested can't be turned
// off. The names are stored.
const (
	mailConfirm = "confirm-email"
	mailChanged = "email-changed"
	mailForgot  = "forgot-password"

	mailAccess   = "access-changed"
	mailDevice   = "new-device"
	mailApproved = "approved"
	mailRefused  = "refused"
	mailStaff    = "for-staff"
	mailDigest   = "digest"
	mailStrike   = "strike"
)

// Kinds returns how e-mails of each kind are made.
func (s *Emails) Kinds() map[string]mailing.Kind {
	return map[string]mailing.Kind{
		mailConfirm:  {Compose: s.confirmMail},
		mailChanged:  {Compose: s.changedMail, Sent: s.changedSent},
		mailForgot:   {Compose: s.forgotMail},
		mailAccess:   {Compose: s.accessMail},
		mailDevice:   {Compose: s.deviceMail},
		mailApproved: {Compose: s.approvedMail},
		mailRefused:  {Compose: s.refusedMail, Sent: s.refusedSent},
		mailStaff:    {Compose: s.staffMail},
		mailDigest:   {Compose: s.digestMail},
		mailStrike:   {Compose: s.strikeMail},
	}
}

// mailed returns the recipient of an e-mail, or nil if the account is deleted.
func (s *Emails) mailed(ctx context.Context, id linnet.ID) (*linnet.User, record.Secret, error) {
	u, err := s.core.LookupUser(ctx, id)
	if err != nil || u == nil {
		return nil, record.Secret{}, err
	}
	sec, err := s.st.Accounts.Secret(ctx, id)
	return u, sec, core.StoreError(err)
}

// newEmail returns an e-mail in a language, starting with the greeting and the subject.
func newEmail(in *locale.Language, to, subject, login, about string, rest ...mail.Block) *mail.Message {
	return &mail.Message{To: to, Subject: subject, In: in.Code, RTL: in.RTL,
		Blocks: append([]mail.Block{{Text: in.Text("Hello %s,", "@"+login) + "\n\n" + about}}, rest...)}
}

// ignore returns the closing text of an e-mail about access to an account.
func ignore(in *locale.Language, why string) string {
	return why + " " + in.Text("If this wasn't you, you can ignore this e-mail.")
}

// moment returns a time as text.
func moment(in *locale.Language, t time.Time) string {
	return in.Time(t.UTC(), locale.Mark("15:04 on 2 January 2006 (UTC)"))
}

// lasts returns a text with the expiry of a link.
func lasts(in *locale.Language, until time.Time) mail.Block {
	return mail.Block{Text: in.Text("The link works once and expires at %s.", moment(in, until))}
}

// confirmMail is the e-mail with the confirmation link. If another account has the address, its
// owner gets an e-mail without a link.
func (s *Emails) confirmMail(ctx context.Context, a mailing.Args) (*mail.Message, error) {
	u, sec, err := s.mailed(ctx, a.User)
	if err != nil || u == nil || sec.Pending() == "" || sec.Mail.Held {
		return nil, err
	}
	address := sec.Pending()
	owner, err := s.st.Sessions.EmailOwner(ctx, record.Hash(address))
	if err != nil {
		return nil, core.StoreError(err)
	}
	if owner != 0 && owner != u.ID {
		taker, sec, err := s.mailed(ctx, owner)
		if err != nil || taker == nil || sec.Email != address || sec.Mail.Confirmed == 0 {
			return nil, err
		}
		in := core.LanguageOf(taker)
		m := newEmail(in, address, in.Text("You already have an account"), taker.Login,
			in.Text("This address was also entered for the account %s. An address can belong to only one account, so it wasn't confirmed for that account.", "@"+u.Login),
			mail.Block{Text: in.Text("Log in"), Link: s.opt.PublicURL + "/login"}, mail.Block{Text: in.Text("Forgot your password?"), Link: s.opt.PublicURL + forgotPath})
		m.Why = ignore(in, in.Text("You're getting this e-mail because this is the address of the account %s on %s.", "@"+taker.Login, s.opt.PublicURL))
		return m, nil
	}
	token, expires := sessions.NewReset(u.ID), s.st.Now().Add(EmailTTL)
	ours := false
	_, ok, err := s.st.Sessions.ChangeMail(ctx, u.ID, func(sec *record.Secret) ([]kv.Op, error) {
		if ours = sec.Pending() == address && !sec.Mail.Held; ours {
			sec.Mail.Hash, sec.Mail.Expires = record.Hash(token), expires.UnixMilli()
		}
		return nil, nil
	})
	if err != nil || !ok || !ours {
		return nil, core.StoreError(err)
	}
	in := core.LanguageOf(u)
	m := newEmail(in, address, in.Text("Confirm your e-mail address"), u.Login, in.Text("Please confirm that this is your e-mail address."),
		mail.Block{Text: in.Text("Confirm e-mail address"), Link: s.opt.PublicURL + "/confirm/" + token}, lasts(in, expires))
	m.Why = ignore(in, in.Text("You're getting this e-mail because this address was entered for the account %s on %s.", "@"+u.Login, s.opt.PublicURL))
	return m, nil
}

const forgotPath = "/forgot"

// changedMail is the e-mail to the previous address of an account after a change or removal.
func (s *Emails) changedMail(ctx context.Context, a mailing.Args) (*mail.Message, error) {
	u, sec, err := s.mailed(ctx, a.User)
	if err != nil || u == nil || sec.Mail.Former == "" {
		return nil, err
	}
	in := core.LanguageOf(u)
	subject, about := in.Text("Your e-mail address was changed"), in.Text("The e-mail address of your account was changed. We no longer send e-mail to this address.")
	if sec.Email == "" {
		subject, about = in.Text("Your e-mail address was removed"), in.Text("The e-mail address of your account was removed. We no longer send e-mail to this address.")
	}
	m := newEmail(in, sec.Mail.Former, subject, u.Login, about,
		mail.Block{Text: in.Text("If you didn't do this, someone may know your password. Contact the server's administrators and forward this e-mail to them.")},
		mail.Block{Text: in.Text("About this server"), Link: s.opt.PublicURL + "/about"})
	m.Why = in.Text("You're getting this e-mail because this was the address of %s on %s. We won't send any more e-mails to this address.", "@"+u.Login, s.opt.PublicURL)
	return m, nil
}

// changedSent deletes the previous address.
func (s *Emails) changedSent(ctx context.Context, a mailing.Args) error {
	_, _, err := s.st.Sessions.ChangeMail(ctx, a.User, func(sec *record.Secret) ([]kv.Op, error) {
		sec.Mail.Former = ""
		return nil, nil
	})
	return core.StoreError(err)
}

// forgotten returns the account with the confirmed address of an e-mail, or nil.
func (s *Emails) forgotten(ctx context.Context, a mailing.Args) (*linnet.User, record.Secret, error) {
	owner, err := s.st.Sessions.EmailOwner(ctx, a.Address)
	if err != nil || owner == 0 {
		return nil, record.Secret{}, core.StoreError(err)
	}
	u, sec, err := s.mailed(ctx, owner)
	if u != nil && (sec.Mail.Confirmed == 0 || record.Hash(sec.Email) != a.Address) {
		u = nil
	}
	return u, sec, err
}

// forgotMail is the e-mail with a link for a new password, which replaces an earlier link.
func (s *Emails) forgotMail(ctx context.Context, a mailing.Args) (*mail.Message, error) {
	u, sec, err := s.forgotten(ctx, a)
	if err != nil || u == nil {
		return nil, err
	}
	r := record.Reset{User: u.ID, Expires: s.st.Now().Add(MailedResetTTL)}
	token := sessions.NewReset(u.ID)
	ok, err := s.st.Sessions.PutReset(ctx, token, r, kv.VersionIs{Key: record.SecretKey(u.ID), Version: sec.Version})
	if err == nil && !ok { // the address may have changed in the meantime
		err = fmt.Errorf("create a reset link: user %v changed at the same time", u.ID)
	}
	if err != nil {
		return nil, core.StoreError(err)
	}
	if a.Try+a.Found == 0 { // only on the first attempt to send it
		if err := s.identity.noteSecurity(ctx, u.ID, linnet.ResetMailed, 0); err != nil {
			return nil, err
		}
	}
	in := core.LanguageOf(u)
	m := newEmail(in, sec.Email, in.Text("Set a new password"), u.Login,
		in.Text("Someone requested a link to set a new password for your account. Setting a new password logs out all browsers and apps. It doesn't change two-factor authentication."),
		mail.Block{Text: in.Text("Set a new password"), Link: s.opt.PublicURL + "/reset/" + token}, lasts(in, r.Expires))
	m.Why = ignore(in, in.Text("You're getting this e-mail because a new password was requested for the account %s on %s.", "@"+u.Login, s.opt.PublicURL))
	return m, nil
}
