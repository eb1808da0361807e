package identity

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"slices"
	"time"

	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/mailing"
	"linnet/internal/record"
	"linnet/internal/store/sessions"
	"linnet/internal/task"
)

// E-mail preferences, and the task that creates a weekly digest. The task exists while the digest
// is turned on. It writes the next one.

// digestEvery is the interval between digests.
const digestEvery = 7 * 24 * time.Hour

var errStop = linnet.Errorf(linnet.Gone, "This link is no longer valid. Log in to see which e-mails you get.")

// wants reports whether a user wants e-mails of a kind.
func wants(sec *record.Secret, k linnet.MailKind) bool {
	if sec.Mail.Confirmed == 0 {
		return false
	}
	return chosen(sec, k)
}

func chosen(sec *record.Secret, k linnet.MailKind) bool {
	if k.Usual() {
		return !slices.Contains(sec.Mail.Unwanted, string(k))
	}
	return slices.Contains(sec.Mail.Wished, string(k))
}

// Choose sets the kinds of e-mail that me wants.
func (s *Emails) Choose(ctx context.Context, me linnet.ID, wanted []linnet.MailKind) error {
	if !s.On() {
		return errNoMail
	}
	_, ok, err := s.st.Sessions.ChangeMail(ctx, me, func(sec *record.Secret) ([]kv.Op, error) {
		sec.Mail.Unwanted, sec.Mail.Wished = nil, nil
		for _, k := range linnet.MailKinds() {
			switch on := slices.Contains(wanted, k); {
			case on && !k.Usual():
				sec.Mail.Wished = append(sec.Mail.Wished, string(k))
			case !on && k.Usual():
				sec.Mail.Unwanted = append(sec.Mail.Unwanted, string(k))
			}
		}
		return s.schedule(me, sec)
	})
	if err == nil && !ok {
		err = core.ErrNoUser
	}
	if err == nil {
		s.tasks.Left(ctx, me.Shard())
	}
	return core.StoreError(err)
}

// schedule returns the operations that create or cancel the task for the next digest, according to
// the user's choice.
func (s *Emails) schedule(me linnet.ID, sec *record.Secret) (ops []kv.Op, err error) {
	on := chosen(sec, linnet.MailDigest)
	switch {
	case on && sec.Mail.Digest == "":
		return s.nextDigest(me, sec)
	case !on && sec.Mail.Digest != "":
		ops = task.Recall(me.Shard(), sec.Mail.Digest)
		sec.Mail.Digest = ""
	}
	return ops, nil
}

func (s *Emails) nextDigest(me linnet.ID, sec *record.Secret) ([]kv.Op, error) {
	sec.Mail.Digest = rand.Text()
	if sec.Mail.Stop == "" {
		sec.Mail.Stop = rand.Text()
	}
	t, err := task.NewLater(me.Shard(), sec.Mail.Digest, TaskDigest, digestArgs{User: me, ID: sec.Mail.Digest}, s.st.Now().Add(digestEvery))
	if err != nil {
		return nil, err
	}
	return t.Ops(), nil
}

// digestArgs identify a due digest.
type digestArgs struct {
	User linnet.ID `json:"user"`
	ID   string    `json:"id"` // id of its task
}

// digest enqueues a due digest and schedules the next one, in one transaction. So a repetition does
// nothing.
func (s *Emails) digest(ctx context.Context, a digestArgs) (*digestArgs, error) {
	var m mailing.Mail
	_, _, err := s.st.Sessions.ChangeMail(ctx, a.User, func(sec *record.Secret) (ops []kv.Op, err error) {
		m = mailing.Mail{}
		if sec.Mail.Digest != a.ID {
			return nil, nil
		}
		if m, err = s.mailing.New(mailing.Args{Kind: mailDigest, User: a.User}); err != nil {
			return nil, err
		}
		next, err := s.nextDigest(a.User, sec)
		return append(m.Ops(), next...), err
	})
	if err != nil {
		return nil, err
	}
	s.mailing.Begin(ctx, m)
	s.tasks.Left(ctx, a.User.Shard())
	return nil, nil
}

// stopToken returns the token of unsubscribe links.
func stopToken(user linnet.ID, sec *record.Secret) string { return user.String() + "-" + sec.Mail.Stop }

// Unsubscribed returns the login of the user whose digests a link ends. It returns Gone if the link
// is invalid.
func (s *Emails) Unsubscribed(ctx context.Context, token string) (login string, err error) {
	u, sec, err := s.mailed(ctx, sessions.TokenOwner(token))
	if err != nil {
		return "", err
	}
	if u == nil || sec.Mail.Stop == "" || record.Hash(token) != record.Hash(stopToken(u.ID, &sec)) {
		return "", errStop
	}
	return u.Login, nil
}

// Unsubscribe turns off the digest of a user by the token of its link. It can run more than once.
// https://www.rfc-editor.org/rfc/rfc8058
func (s *Emails) Unsubscribe(ctx context.Context, token string) error {
	if _, err := s.Unsubscribed(ctx, token); err != nil {
		return err
	}
	user := sessions.TokenOwner(token)
	_, _, err := s.st.Sessions.ChangeMail(ctx, user, func(sec *record.Secret) ([]kv.Op, error) {
		sec.Mail.Wished = slices.DeleteFunc(sec.Mail.Wished, func(k string) bool { return k == string(linnet.MailDigest) })
		return s.schedule(user, sec)
	})
	return core.StoreError(err)
}

// NoteDevice records the browser with a cookie as one that has logged in to me's account. It
// returns the cookie to set, a new one if there was none. If it is the first login of this browser
// but not of the account, me gets an e-mail with the browser and network of the Visitor.
func (s *Emails) NoteDevice(ctx context.Context, me linnet.ID, cookie string) (string, error) {
	if !s.On() {
		return cookie, nil
	}
	if len(cookie) != deviceLength {
		cookie = rand.Text()
	}
	known, others, err := s.st.Sessions.NoteDevice(ctx, me, record.Hash(me.String()+" "+cookie))
	if err != nil || known || !others {
		return cookie, core.StoreError(err)
	}
	v := visitOf(ctx)
	b, _ := json.Marshal(device{v.device, v.network, s.st.Now().Unix()}) // texts always encode
	return cookie, s.mailing.Send(ctx, mailing.Args{Kind: mailDevice, User: me, About: string(b)})
}

// deviceLength is the length of rand.Text.
const deviceLength = 26

// NotifyStaff e-mails staff with a permission who want it, except for the user concerned, that
// something needs attention on a page.
func (s *Emails) NotifyStaff(ctx context.Context, may linnet.Permission, from linnet.ID, page string) error {
	if !s.On() {
		return nil
	}
	staff, err := s.core.StaffWho(ctx, may)
	if err != nil {
		return err
	}
	b := s.st.Batch()
	secrets := make([]*record.Secret, len(staff))
	for i, id := range staff {
		secrets[i] = b.Secret(id)
	}
	if err := b.Run(ctx); err != nil {
		return err
	}
	for i, id := range staff {
		if id == from || !wants(secrets[i], linnet.MailReports) {
			continue
		}
		if err := s.mailing.Send(ctx, mailing.Args{Kind: mailStaff, User: id, Needs: may, About: page}); err != nil {
			return err
		}
	}
	return nil
}

// NotifyApproved e-mails a user that a moderator has approved the account.
func (s *Emails) NotifyApproved(ctx context.Context, id linnet.ID) error {
	return s.mailing.Send(ctx, mailing.Args{Kind: mailApproved, User: id})
}

// Refusal returns the e-mail about a rejected sign-up, and the operations to write it with the
// deletion of the account. There is none for an unconfirmed address.
func (s *Emails) Refusal(u *linnet.User, sec *record.Secret) (mailing.Mail, []kv.Op) {
	if !s.On() || sec.Mail.Confirmed == 0 {
		return mailing.Mail{}, nil
	}
	m, err := s.mailing.New(mailing.Args{Kind: mailRefused, User: u.ID, About: core.LanguageOf(u).Code})
	if err != nil {
		return mailing.Mail{}, nil
	}
	return m, append(m.Ops(), kv.Put{Key: record.RefusedKey(u.ID), Version: 1, TTL: rejectedTTL, Data: record.Encode(record.Refused{Email: sec.Email, Login: u.Login})})
}

// rejectedTTL is how long the address of a rejected sign-up is stored for the e-mail.
const rejectedTTL = 48 * time.Hour

// Begin starts sending an e-mail that was written together with another change.
func (s *Emails) Begin(ctx context.Context, m mailing.Mail) { s.mailing.Begin(ctx, m) }
