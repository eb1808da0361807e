package notify

import (
	"cmp"
	"context"

	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// Decision determines whether a notification is delivered.
type Decision uint8

const (
	delivered Decision = iota
	Held               // listed separately, as a request
	dropped
)

// Decided is the decision about a notification for one recipient.
type Decided struct {
	Decision Decision
	Pushed   bool // the recipient has a device to push to
}

// DecidedNotice is a notification with its decision.
type DecidedNotice struct {
	linnet.Notification
	Decided
}

// PushOf returns the push of a decided notification.
func (s *Service) PushOf(to linnet.ID, n DecidedNotice) (Push, error) {
	return s.NewPush(n.Pushed && n.Delivered(), to, n.ID)
}

// Made reports whether a notification is stored: it has a type, and the recipient's policy does not
// drop it.
func (n DecidedNotice) Made() bool { return n.Type != "" && n.Decision != dropped }

// Delivered reports whether the recipient is notified at once, and not only by a request.
func (n DecidedNotice) Delivered() bool { return n.Type != "" && n.Decision == delivered }

// deciding has the data for the decision about one recipient.
type deciding struct {
	to       linnet.ID
	muted    *bool // the recipient mutes the sender or the thread
	pushed   *bool
	policy   *linnet.NotificationPolicy
	accepted *db.Membership // nil if it does not matter, like follows and followed
	follows  *db.Membership // the recipient follows the sender
	followed *db.Membership // the sender follows the recipient
}

// Decide decides for each recipient whether to deliver a notification. It makes one round trip, or
// two if a policy depends on the relation to the sender. about is the status concerned, or nil.
func (s *Service) Decide(ctx context.Context, about *linnet.Status, n linnet.Notification, to []linnet.ID) ([]Decided, error) {
	decisions, filtered := make([]Decided, len(to)), n.Type.Kind().Filtered
	if len(to) == 0 || about == nil && !filtered {
		return decisions, nil
	}
	b := s.st.Batch()
	js := make([]deciding, len(to))
	from := []linnet.ID{n.From}
	for i, id := range to {
		js[i] = deciding{to: id, muted: b.NoticesMuted(id, n.From, ThreadOf(about)), pushed: b.Pushed(id)}
		if filtered {
			js[i].policy = b.Policy(id)
		}
	}
	sender, asked, root := s.st.CachedUser(n.From), &db.UserRef{}, &db.StatusRef{}
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
			j.accepted, j.follows, j.followed = b.InPrivateSet(record.Accepted, j.to, from), b.Related(record.Follows(), j.to, from), b.RelatedOwners(record.Follows(), j.to, from)
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

// strict reports whether a recipient's policy may filter a notification, and needs the relation to
// the sender for that. Most policies filter almost nothing.
func (s *Service) strict(j *deciding, n linnet.Notification, about *linnet.Status, sender *linnet.User) bool {
	return j.policy != nil && !*j.muted && sender != nil && sender.Role == linnet.Member &&
		s.treatment(j.policy, n, about, sender, senderRelation{}) != linnet.Accept
}

// ThreadOf returns the thread that recipients may have muted, or 0.
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
	if about != nil && about.ForMembers() { // both are members of the group
		return delivered
	}
	if j.accepted == nil || j.accepted.Has(n.From) {
		return delivered
	}
	answers := about != nil && (about.InReplyAuthor == j.to || root != nil && root.Author == j.to)
	how := senderRelation{follows: j.follows.Has(n.From), followed: j.followed.Has(n.From), answers: answers}
	switch s.treatment(j.policy, n, about, sender, how) {
	case linnet.Drop:
		return dropped
	case linnet.Hold:
		return Held
	}
	return delivered
}

// senderRelation is the relation of a recipient to the sender. The zero value means strangers.
type senderRelation struct {
	follows  bool // the recipient follows the sender
	followed bool // the sender follows the recipient
	answers  bool // the sender replies to the recipient
}

// treatment returns the treatment of a notification by a policy.
func (s *Service) treatment(p *linnet.NotificationPolicy, n linnet.Notification, about *linnet.Status, sender *linnet.User, how senderRelation) linnet.Treatment {
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

// Chosen returns the ids for whose index wanted returns true.
func Chosen(ids []linnet.ID, wanted func(i int) bool) []linnet.ID {
	out := make([]linnet.ID, 0, len(ids))
	for i, id := range ids {
		if wanted(i) {
			out = append(out, id)
		}
	}
	return out
}
