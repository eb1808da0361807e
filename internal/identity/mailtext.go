package identity

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"
	"time"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/locale"
	"linnet/internal/mail"
	"linnet/internal/mailing"
)

// The texts of optional and one-time e-mails.

const emailSettings = "/settings/email"

// choosable adds the closing text of an e-mail that its recipient can turn off.
func (s *Emails) choosable(in *locale.Language, m *mail.Message, why string) {
	m.Why, m.Stop = why+" "+in.Text("Choose which e-mails you get:"), s.opt.PublicURL+emailSettings
}

// device has the data for an e-mail about a browser.
type device struct {
	Agent   string `json:"agent,omitempty"` // in words, as sent in tasks of earlier releases
	Network string `json:"place,omitempty"` // part of the address
	At      int64  `json:"at"`              // Unix seconds
}

// items returns the browser, network and time as text.
func (d *device) items(in *locale.Language) []string {
	items := []string{in.Text("When: %s", moment(in, time.Unix(d.At, 0))), in.Text("Browser: %s", cmp.Or(DeviceIn(in, d.Agent), in.Text("unknown")))}
	if d.Network != "" {
		items = append(items, in.Text("Network: %s", NetworkIn(in, d.Network)))
	}
	return items
}

// wasYou returns instructions for the case that the recipient didn't do it.
func (s *Emails) wasYou(in *locale.Language) []mail.Block {
	return []mail.Block{{Text: in.Text("If this was you, there's nothing to do. If not, change your password. That logs out all other browsers and apps.")},
		{Text: in.Text("Change your password"), Link: s.opt.PublicURL + "/settings/security"}}
}

// accessChanged has the data for an e-mail about access to an account.
type accessChanged struct {
	Event  linnet.SecurityEvent `json:"event"`
	Detail string               `json:"detail,omitempty"`
	device
}

// accessArgs returns the arguments of an e-mail about access to an account.
func accessArgs(of linnet.ID, e *linnet.SecurityEntry) mailing.Args {
	about, _ := json.Marshal(accessChanged{e.Event, e.Detail, device{e.Device, e.Network, e.At.Unix()}}) // texts always encode
	return mailing.Args{Kind: mailAccess, User: of, About: string(about)}
}

// access returns an e-mail about access to an account, to be written with the change. It returns
// none if e-mail is off.
func (s *Emails) access(ctx context.Context, of linnet.ID, e linnet.SecurityEvent) (mailing.Mail, error) {
	if !s.On() {
		return mailing.Mail{}, nil
	}
	entry := happened(ctx, s.st.Now(), e)
	return s.mailing.New(accessArgs(of, &entry))
}

// accessMail is sent to the confirmed address, or to the one that was just removed without a
// notice, because an attacker could remove the address first.
func (s *Emails) accessMail(ctx context.Context, a mailing.Args) (*mail.Message, error) {
	u, sec, err := s.mailed(ctx, a.User)
	if err != nil || u == nil {
		return nil, err
	}
	to := sec.Mail.Former
	if sec.Mail.Confirmed != 0 {
		to = sec.Email
	}
	if to == "" {
		return nil, nil
	}
	var c accessChanged
	if err := json.Unmarshal([]byte(a.About), &c); err != nil {
		return nil, err
	}
	in := core.LanguageOf(u)
	m := newEmail(in, to, in.Text("Your security settings were changed"), u.Login, SecuritySentence(in, linnet.SecurityEntry{Event: c.Event, Detail: c.Detail}))
	if c.Event.ByStaff() {
		m.Blocks[0].Items = []string{in.Text("When: %s", moment(in, time.Unix(c.At, 0)))}
		m.Blocks = append(m.Blocks, mail.Block{Text: in.Text("If you didn't ask for this, contact the server's administrators.")},
			mail.Block{Text: in.Text("About this server"), Link: s.opt.PublicURL + "/about"})
	} else {
		m.Blocks[0].Items = c.items(in)
		m.Blocks = append(append(m.Blocks, s.wasYou(in)...), mail.Block{Text: in.Text("Forgot your password?"), Link: s.opt.PublicURL + forgotPath})
	}
	m.Why = in.Text("You're getting this e-mail because this is the address of the account %s on %s.", "@"+u.Login, s.opt.PublicURL)
	return m, nil
}

// SecuritySentence returns a sentence about an event and its object for the owner, in a language.
func SecuritySentence(in *locale.Language, e linnet.SecurityEntry) string {
	s := in.Text(e.Event.Sentence())
	if e.Detail == "" {
		return s
	}
	about := e.Detail
	if e.Event == linnet.SessionEnded { // of a browser
		about = DeviceIn(in, about)
	}
	return in.Text("%s: “%s”.", strings.TrimRight(s, ".。"), about)
}

// deviceMail is the e-mail about a login from a new browser.
func (s *Emails) deviceMail(ctx context.Context, a mailing.Args) (*mail.Message, error) {
	u, sec, err := s.mailed(ctx, a.User)
	if err != nil || u == nil || !wants(&sec, linnet.MailLogin) {
		return nil, err
	}
	var d device
	if err := json.Unmarshal([]byte(a.About), &d); err != nil {
		return nil, err
	}
	in := core.LanguageOf(u)
	m := newEmail(in, sec.Email, in.Text("New login to your account"), u.Login, in.Text("Someone logged in to your account from a new browser."), s.wasYou(in)...)
	m.Blocks[0].Items = d.items(in)
	s.choosable(in, m, in.Text("You're getting this e-mail because you have an account on %s and e-mails about logins from new browsers are turned on.", s.opt.PublicURL))
	return m, nil
}

// approvedMail is the e-mail about an approved account.
func (s *Emails) approvedMail(ctx context.Context, a mailing.Args) (*mail.Message, error) {
	u, sec, err := s.mailed(ctx, a.User)
	if err != nil || u == nil || u.Unapproved || sec.Mail.Confirmed == 0 {
		return nil, err
	}
	in := core.LanguageOf(u)
	m := newEmail(in, sec.Email, in.Text("Your account is approved"), u.Login, in.Text("A moderator has approved your account. You can now log in with your password."),
		mail.Block{Text: in.Text("Log in"), Link: s.opt.PublicURL + "/login"})
	m.Why = in.Text("You're getting this e-mail because you signed up for the account %s on %s. We won't send it again.", "@"+u.Login, s.opt.PublicURL)
	return m, nil
}

// refusedMail is the e-mail about a rejected sign-up. Its language is in the task, because the
// account is deleted.
func (s *Emails) refusedMail(ctx context.Context, a mailing.Args) (*mail.Message, error) {
	r, ok, err := s.st.Sessions.Refused(ctx, a.User)
	if err != nil || !ok {
		return nil, core.StoreError(err)
	}
	in := locale.Chosen(a.About)
	m := newEmail(in, r.Email, in.Text("Your sign-up request"), r.Login,
		in.Text("The moderators decided not to approve your account. We've deleted the data you entered, including this address."))
	m.Why = in.Text("You're getting this e-mail because you signed up for the account %s on %s. We won't send you any more e-mails.", "@"+r.Login, s.opt.PublicURL)
	return m, nil
}

func (s *Emails) refusedSent(ctx context.Context, a mailing.Args) error {
	return core.StoreError(s.st.Sessions.ForgetRefused(ctx, a.User))
}

// staffMail is the e-mail to a moderator. It doesn't name the user concerned.
func (s *Emails) staffMail(ctx context.Context, a mailing.Args) (*mail.Message, error) {
	u, sec, err := s.mailed(ctx, a.User)
	if err != nil || u == nil || u.Disabled || u.Suspended || !u.Role.Staff() || !wants(&sec, linnet.MailReports) {
		return nil, err
	}
	if may, err := s.core.May(ctx, u); err != nil || !may.Has(a.Needs) {
		return nil, err
	}
	in := core.LanguageOf(u)
	m := newEmail(in, sec.Email, in.Text("A report or sign-up needs review"), u.Login, in.Text("There's a new report or sign-up to review."),
		mail.Block{Text: in.Text("Review it"), Link: s.opt.PublicURL + a.About})
	s.choosable(in, m, in.Text("You're getting this e-mail because you have an account on %s and turned on e-mails about reports and sign-ups.", s.opt.PublicURL))
	return m, nil
}

// digestLines is the maximum number of notifications in a digest.
const digestLines = 10

// Unseen returns the titles of the newest notifications that a user hasn't seen, at most limit, and
// the number of all unseen ones. notify.Service.Unseen is the implementation.
type Unseen = func(ctx context.Context, u *linnet.User, limit int) (titles []string, all int, err error)

// digestMail is the digest of unread notifications. It returns nil if there are none.
func (s *Emails) digestMail(ctx context.Context, a mailing.Args) (*mail.Message, error) {
	u, sec, err := s.mailed(ctx, a.User)
	if err != nil || u == nil || u.Suspended || u.Disabled || u.Unapproved || !wants(&sec, linnet.MailDigest) {
		return nil, err
	}
	titles, n, err := s.unseen(ctx, u, digestLines)
	if err != nil || n == 0 {
		return nil, err
	}
	in := core.LanguageOf(u)
	m := newEmail(in, sec.Email, in.Text("Notifications you haven't seen yet"), u.Login, in.Text("Here's what you haven't seen yet:"),
		mail.Block{Text: in.Text("See your notifications"), Link: s.opt.PublicURL + "/notifications"})
	list := &m.Blocks[0]
	list.Items = titles
	if n > len(list.Items) {
		list.Items = append(list.Items, in.Text("and more"))
	}
	m.Unsubscribe = s.opt.PublicURL + "/unsubscribe/" + stopToken(u.ID, &sec)
	m.Why, m.Stop = in.Text("You're getting this e-mail because you have an account on %s and turned on the weekly summary. Unsubscribe:", s.opt.PublicURL), m.Unsubscribe
	return m, nil
}
