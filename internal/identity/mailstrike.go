package identity

import (
	"context"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/mail"
	"linnet/internal/mailing"
	"linnet/internal/store/db"
)

// NotifyStrike e-mails a user about a strike, or about the decision on the appeal against it.
func (s *Emails) NotifyStrike(ctx context.Context, user, strike linnet.ID) error {
	if !s.On() {
		return nil
	}
	return s.mailing.Send(ctx, mailing.Args{Kind: mailStrike, User: user, About: strike.String()})
}

// strikeMail is the e-mail about a strike. Its link works without a login, because the account may
// be closed.
func (s *Emails) strikeMail(ctx context.Context, a mailing.Args) (*mail.Message, error) {
	u, sec, err := s.mailed(ctx, a.User)
	if err != nil || u == nil || sec.Mail.Confirmed == 0 {
		return nil, err
	}
	id, _ := linnet.ParseID(a.About)
	found, err := s.st.Staff.Strikes(ctx, []linnet.ID{id})
	if err != nil || len(found) == 0 {
		return nil, core.StoreError(err)
	}
	st, in := found[0], core.LanguageOf(u)
	about := in.Text(st.Sentence())
	switch {
	case st.Appeal != nil && st.Appeal.State == linnet.AppealApproved:
		about = in.Text("The moderators approved your appeal.")
	case st.Appeal != nil && st.Appeal.State == linnet.AppealRejected:
		about = in.Text("The moderators rejected your appeal.")
	}
	m := newEmail(in, sec.Email, in.Text("A decision by the moderators"), u.Login, about)
	if st.Text != "" {
		m.Blocks = append(m.Blocks, mail.Block{Text: in.Text("Reason: %s", st.Text)})
	}
	if len(st.Rules) > 0 {
		rules := mail.Block{Text: in.Text("Broken rules:")}
		for _, r := range st.Rules {
			rules.Items = append(rules.Items, r.Text)
		}
		m.Blocks = append(m.Blocks, rules)
	}
	m.Blocks = append(m.Blocks, mail.Block{Text: in.Text("Read the decision or appeal it"), Link: s.opt.PublicURL + StrikePath(&st)})
	m.Why = in.Text("You're getting this e-mail because this is the address of the account %s on %s.", "@"+u.Login, s.opt.PublicURL)
	return m, nil
}

// StrikePath returns the path of the page that shows a strike without a login.
func StrikePath(st *linnet.Strike) string { return "/strike/" + st.Token() }

// ClosedError reports that an account is suspended or disabled. Path is the page with the strike,
// where the owner can appeal.
type ClosedError struct {
	Path    string
	refused *linnet.Error
}

func (e *ClosedError) Error() string { return e.refused.Error() }

// Unwrap returns the error for users.
func (e *ClosedError) Unwrap() error { return e.refused }

// closed returns the error of a login to a closed account, with the strike that closed it. The
// caller has checked the password.
func (s *Emails) closed(ctx context.Context, u *linnet.User, by linnet.Moderation, refused *linnet.Error) error {
	all, err := s.st.Staff.StrikesOf(ctx, u.ID, db.Span{Limit: linnet.MaxStrikes})
	if err != nil {
		return core.StoreError(err)
	}
	for _, st := range all { // newest first
		if st.Act == by {
			return &ClosedError{StrikePath(&st), refused}
		}
	}
	return refused
}
