package identity

import (
	"context"
	"fmt"
	"net/netip"
	"time"

	"linnet/internal/event"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/task"
)

// UnconfirmedAge is the age at which a sign-up with an unconfirmed address is deleted, as in
// Mastodon. Its login becomes available again, because other users have never seen the account. The
// logins of other deleted accounts do not.
const UnconfirmedAge = 7 * 24 * time.Hour

// unconfirmedArgs identify a sign-up whose address isn't confirmed, in the task that deletes it.
// When is the time of the task, unless it is the first one of the account. Ids of tasks are used
// only once.
type unconfirmedArgs struct {
	User linnet.ID `json:"user"`
	When int64     `json:"when,omitempty"` // Unix milliseconds
}

func (a unconfirmedArgs) id() string { return fmt.Sprintf("unconfirmed-%s-%d", a.User, a.When) }

// awaitConfirmation schedules the task that ends the sign-up.
func (s *Emails) awaitConfirmation(ctx context.Context, a unconfirmedArgs, at time.Time) error {
	t, err := task.NewLater(a.User.Shard(), a.id(), taskUnconfirmed, a, at)
	if err != nil {
		return err
	}
	if err := s.st.Sessions.Leave(ctx, t); err != nil {
		return err
	}
	s.tasks.Left(ctx, a.User.Shard())
	return nil
}

// endUnconfirmed reports a sign-up whose address is not confirmed as expired. If a link was sent
// again and is still valid, the account lasts as long as the link.
func (s *Emails) endUnconfirmed(ctx context.Context, a unconfirmedArgs) (*unconfirmedArgs, error) {
	u, sec, err := s.mailed(ctx, a.User)
	if err != nil || u == nil || !u.Unapproved || !sec.Mail.Enters {
		return nil, err
	}
	if until := time.UnixMilli(sec.Mail.Expires); sec.Mail.Expires != 0 && until.After(s.st.Now()) {
		return nil, s.awaitConfirmation(ctx, unconfirmedArgs{a.User, sec.Mail.Expires}, until)
	}
	return nil, s.facts.SignUpExpired.Emit(ctx, event.SignUpExpired{User: a.User})
}

// Correct changes the address of an account that waits for its first confirmation, and sends the
// link there. The password identifies the user, who can't log in yet. It returns Unauthenticated if
// the password is wrong and Forbidden if the account doesn't wait for confirmation. An Invalid
// error names the field.
func (s *Emails) Correct(ctx context.Context, login, password, address string, from netip.Addr) error {
	if !s.On() {
		return errNoMail
	}
	address, err := normalEmail(address)
	if err != nil {
		return err
	}
	var u *linnet.User
	var sec record.Secret
	err = limitedTry(ctx, s.identity, login, from, func(id linnet.ID) (err error) {
		u, sec, err = proven(ctx, s.identity, id, password)
		return err
	})
	if err != nil {
		return err
	}
	if u.Suspended || u.Disabled || !u.Unapproved || !sec.Mail.Enters {
		return errNotWaiting
	}
	return s.Resend(ctx, u.ID, address, from)
}
