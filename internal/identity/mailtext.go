package identity

import (
	"cmp"
	"context"
	"encoding/json"
	"time"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/mail"
	"linnet/internal/mailing"
	"linnet/internal/push"
)

// The texts of mails that people turn on and off, or get once.

const emailSettings = "/settings/email"

// because ends a mail that its receiver can turn off.
func (s *Emails) because(what string) (why, stop string) {
	return "You get this mail because you have an account on " + s.opt.PublicURL + " and " + what + ". Choose which mails you get:", s.opt.PublicURL + emailSettings
}

// device is what a mail about a browser knows of it.
type device struct {
	Agent string `json:"agent,omitempty"` // in words, as sent in tasks of earlier releases
	Place string `json:"place,omitempty"` // part of the address
	At    int64  `json:"at"`              // Unix seconds
}

func aboutDevice(v visit, at time.Time) string {
	b, _ := json.Marshal(device{v.device, v.place, at.Unix()}) // texts always encode
	return string(b)
}

// deviceMail tells of a browser that has not logged in before.
func (s *Emails) deviceMail(ctx context.Context, a mailing.Args) (*mail.Message, error) {
	u, sec, err := s.mailed(ctx, a.User)
	if err != nil || u == nil || !wants(&sec, linnet.MailLogin) {
		return nil, err
	}
	var d device
	if err := json.Unmarshal([]byte(a.About), &d); err != nil {
		return nil, err
	}
	items := []string{"When: " + until(time.Unix(d.At, 0)), "Browser: " + cmp.Or(d.Agent, "it did not say")}
	if d.Place != "" {
		items = append(items, "Network: "+d.Place)
	}
	m := &mail.Message{To: sec.Email, Subject: "A new browser has logged in",
		Blocks: []mail.Block{{Text: "Hello @" + u.Login + ",\n\na browser has logged in to your account that had not done so before.",
			Items: items},
			{Text: "If that was you, all is well. If not, change your password: that logs everything else out."},
			{Text: "Change your password", Link: s.opt.PublicURL + "/settings/security"}}}
	m.Why, m.Stop = s.because("want to hear of new browsers")
	return m, nil
}

// approvedMail tells somebody that they are let in.
func (s *Emails) approvedMail(ctx context.Context, a mailing.Args) (*mail.Message, error) {
	u, sec, err := s.mailed(ctx, a.User)
	if err != nil || u == nil || u.Unapproved || sec.Mail.Confirmed == 0 {
		return nil, err
	}
	return &mail.Message{To: sec.Email, Subject: "Your account is approved",
		Blocks: []mail.Block{{Text: "Hello @" + u.Login + ",\n\na moderator has let you in. You can log in with your password now."}, {Text: "Log in", Link: s.opt.PublicURL + "/login"}},
		Why:    "You get this mail because you asked for the account @" + u.Login + " on " + s.opt.PublicURL + ". It is sent once."}, nil
}

// refusedMail tells somebody that there is no account for them.
func (s *Emails) refusedMail(ctx context.Context, a mailing.Args) (*mail.Message, error) {
	r, ok, err := s.st.Sessions.Refused(ctx, a.User)
	if err != nil || !ok {
		return nil, core.StoreError(err)
	}
	return &mail.Message{To: r.Email, Subject: "Your request for an account",
		Blocks: []mail.Block{{Text: "Hello @" + r.Login + ",\n\nthe moderators have decided not to let you in. What you gave with your request is deleted, this address too."}},
		Why:    "You get this mail because you asked for the account @" + r.Login + " on " + s.opt.PublicURL + ". It is the only one."}, nil
}

func (s *Emails) refusedSent(ctx context.Context, a mailing.Args) error {
	return core.StoreError(s.st.Sessions.ForgetRefused(ctx, a.User))
}

// staffMail tells a moderator that something waits. Whom it is about stands on its page.
func (s *Emails) staffMail(ctx context.Context, a mailing.Args) (*mail.Message, error) {
	u, sec, err := s.mailed(ctx, a.User)
	if err != nil || u == nil || u.Disabled || u.Suspended || !u.Role.Staff() || !wants(&sec, linnet.MailReports) {
		return nil, err
	}
	if may, err := s.core.May(ctx, u); err != nil || !may.Has(a.Needs) {
		return nil, err
	}
	m := &mail.Message{To: sec.Email, Subject: "Something waits for a moderator",
		Blocks: []mail.Block{{Text: "Hello @" + u.Login + ",\n\na report or a request for an account waits."}, {Text: "Look at it", Link: s.opt.PublicURL + a.About}}}
	m.Why, m.Stop = s.because("want to hear of reports and requests")
	return m, nil
}

// digestLines is how many notifications a digest tells of.
const digestLines = 10

// digestMail tells what is unread; nothing is sent if nothing is.
func (s *Emails) digestMail(ctx context.Context, a mailing.Args) (*mail.Message, error) {
	u, sec, err := s.mailed(ctx, a.User)
	if err != nil || u == nil || u.Suspended || u.Disabled || u.Unapproved || !wants(&sec, linnet.MailDigest) {
		return nil, err
	}
	n, err := s.notify.UnreadNotifications(ctx, u.ID, linnet.NotificationFilter{}, 0)
	if err != nil || n == 0 {
		return nil, err
	}
	page, err := s.notify.Notifications(ctx, u.ID, linnet.NotificationFilter{}, linnet.Page{Limit: min(n, digestLines)})
	if err != nil {
		return nil, err
	}
	list := mail.Block{Text: "Hello @" + u.Login + ",\n\nthis is what you have not seen yet:"}
	for _, x := range page.Items {
		list.Items = append(list.Items, push.Title(x))
	}
	if n > len(list.Items) {
		list.Items = append(list.Items, "and more")
	}
	m := &mail.Message{To: sec.Email, Subject: "What you have not seen yet", Blocks: []mail.Block{list, {Text: "See your notifications", Link: s.opt.PublicURL + "/notifications"}},
		Unsubscribe: s.opt.PublicURL + "/unsubscribe/" + stopToken(u.ID, &sec)}
	m.Why, m.Stop = "You get this mail because you have an account on "+s.opt.PublicURL+" and wished for one each week. No more of them:", m.Unsubscribe
	return m, nil
}
