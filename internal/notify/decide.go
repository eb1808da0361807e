package notify

import (
	"cmp"
	"context"

	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// Decision is what becomes of a notification about to be made.
type Decision uint8

const (
	delivered Decision = iota
	Held               // apart, as a request
	dropped
)

// Decided is what becomes of a notification for one of those whom it is for.
type Decided struct {
	Decision Decision
	Pushed   bool // they have a device to which notifications are pushed
}

// DecidedNotice is a notification with its decision.
type DecidedNotice struct {
	linnet.Notification
	Decided
}

// PushOf is the push that goes with a decided notification of somebody.
func (s *Service) PushOf(to linnet.ID, n DecidedNotice) (Push, error) {
	return s.NewPush(n.Pushed && n.Delivered(), to, n.ID)
}

// Made says whether a notification is to be made: it has a type, and its
// recipient wants it, be it apart.
func (n DecidedNotice) Made() bool { return n.Type != "" && n.Decision != dropped }

// Delivered says whether the person hears of it at once, and not only among requests.
func (n DecidedNotice) Delivered() bool { return n.Type != "" && n.Decision == delivered }

// deciding is what the decision on one recipient's notification depends on.
type deciding struct {
	to       linnet.ID
	muted    *bool // to the sender, or to the thread
	pushed   *bool
	policy   *linnet.NotificationPolicy
	accepted *db.Membership // nil: it does not matter, as the two below
	follows  *db.Membership // the sender
	followed *db.Membership // by the sender
}

// filterable says whether a policy judges notifications of a type: not those that
// were asked for, nor those about moderation.
func filterable(t linnet.NotificationType) bool {
	switch t {
	case linnet.NotifyMention, linnet.NotifyFavourite, linnet.NotifyRepost, linnet.NotifyFollow, linnet.NotifyRequest, linnet.NotifyQuote:
		return true
	}
	return false
}

// Decide decides for each recipient whether they want a notification, in one round trip,
// or two if a policy goes by how they stand to the sender. about is the status that it
// concerns, or nil.
func (s *Service) Decide(ctx context.Context, about *linnet.Status, n linnet.Notification, to []linnet.ID) ([]Decided, error) {
	decisions := make([]Decided, len(to))
	if len(to) == 0 || about == nil && !filterable(n.Type) {
		return decisions, nil
	}
	b := s.st.Batch()
	js := make([]deciding, len(to))
	from := []linnet.ID{n.From}
	for i, id := range to {
		js[i] = deciding{to: id, muted: b.NoticesMuted(id, n.From, ThreadOf(about)), pushed: b.Pushed(id)}
		if filterable(n.Type) {
			js[i].policy = b.Policy(id)
		}
	}
	sender, asked, root := s.st.KeptUser(n.From), &db.UserRef{}, &db.StatusRef{}
	if sender == nil {
		asked = b.User(n.From)
	}
	if about != nil && about.Visibility == linnet.Direct {
		root = b.Status(about.Conversation)
	}
	if err := b.Run(ctx); err != nil {
		return nil, err
	}
	sender = cmp.Or(sender, asked.User)
	for i := range js {
		if j := &js[i]; s.strict(j, n, about, sender) {
			j.accepted, j.follows, j.followed = b.Kept(record.Accepted, j.to, from), b.EdgeHas(record.Follows(), j.to, from), b.EdgeHasOwner(record.Follows(), j.to, from)
		}
	}
	if err := b.Run(ctx); err != nil {
		return nil, err
	}
	for i := range js {
		decisions[i] = Decided{s.decisionOf(&js[i], n, about, sender, root.Status), *js[i].pushed}
	}
	return decisions, nil
}

// strict says whether somebody's policy might hold a notification back, so that it has to
// be asked how the two stand to each other. Most policies hold back next to nothing.
func (s *Service) strict(j *deciding, n linnet.Notification, about *linnet.Status, sender *linnet.User) bool {
	return j.policy != nil && !*j.muted && sender != nil && sender.Role == linnet.Member &&
		s.treatment(j.policy, n, about, sender, standing{}) != linnet.Accept
}

// ThreadOf is the thread of which those may be tired who are told of a status, 0
// without one.
func ThreadOf(about *linnet.Status) linnet.ID {
	if about == nil {
		return 0
	}
	return about.Conversation
}

func (s *Service) decisionOf(j *deciding, n linnet.Notification, about *linnet.Status, sender *linnet.User, root *linnet.Status) Decision {
	if *j.muted {
		return dropped
	}
	if about != nil && about.ForMembers() { // both have come into the same group
		return delivered
	}
	if j.accepted == nil || j.accepted.Has(n.From) {
		return delivered
	}
	answers := about != nil && (about.InReplyAuthor == j.to || root != nil && root.Author == j.to)
	how := standing{follows: j.follows.Has(n.From), followed: j.followed.Has(n.From), answers: answers}
	switch s.treatment(j.policy, n, about, sender, how) {
	case linnet.Drop:
		return dropped
	case linnet.Hold:
		return Held
	}
	return delivered
}

// standing is how somebody stands to the sender of a notification. The zero standing is
// that of strangers, whom a policy treats as strictly as anybody.
type standing struct {
	follows  bool // the sender
	followed bool // by the sender
	answers  bool // the sender answers them
}

// treatment is what a policy makes of a notification.
func (s *Service) treatment(p *linnet.NotificationPolicy, n linnet.Notification, about *linnet.Status, sender *linnet.User, how standing) linnet.Treatment {
	treat := linnet.Accept
	rule := func(applies bool, t linnet.Treatment) {
		if applies {
			treat = linnet.Stricter(treat, t)
		}
	}
	rule(!how.follows, p.NotFollowing)
	rule(!how.followed && n.Type != linnet.NotifyFollow, p.NotFollowers)
	rule(!how.follows && s.st.Now().Sub(n.From.Time()) < linnet.NewAccountAge, p.NewAccounts)
	rule(!how.follows && sender.Silenced, p.Limited)
	rule(!how.follows && sender.Bot, p.Bots)
	if n.Type == linnet.NotifyMention && about.Visibility == linnet.Direct {
		rule(!how.follows && !how.answers, p.PrivateMentions)
	}
	return treat
}

// Chosen are those of a list whose position is wanted.
func Chosen(ids []linnet.ID, wanted func(i int) bool) []linnet.ID {
	out := make([]linnet.ID, 0, len(ids))
	for i, id := range ids {
		if wanted(i) {
			out = append(out, id)
		}
	}
	return out
}
