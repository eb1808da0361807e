package notify

import (
	"context"

	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// Decision is what becomes of a notification about to be made.
type Decision uint8

const (
	told Decision = iota
	Held          // apart, as a request
	dropped
)

// DecidedNotice is a notification with its decision.
type DecidedNotice struct {
	linnet.Notification
	Decision Decision
}

// Made says whether a notification is to be made: it has a type, and its
// recipient wants it, be it apart. told says whether it is told at once too.
func (n DecidedNotice) Made() bool { return n.Type != "" && n.Decision != dropped }

// Told: the person hears of it at once.
func (n DecidedNotice) Told() bool { return n.Type != "" && n.Decision == told }

// deciding is what the decision on one recipient's notification depends on.
type deciding struct {
	to       linnet.ID
	muted    *bool // to the sender, or to the thread
	policy   *linnet.NotificationPolicy
	accepted *db.Membership
	follows  *db.Membership // the sender
	followed *db.Membership // by the sender
}

// filterable says whether a policy judges notifications of a type: not those that
// were asked for, nor those about moderation.
func filterable(t linnet.NotificationType) bool {
	switch t {
	case linnet.NotifyMention, linnet.NotifyFavourite, linnet.NotifyRepost, linnet.NotifyFollow, linnet.NotifyRequest:
		return true
	}
	return false
}

// Decide decides for each recipient whether they want a notification, in one round
// trip. about is the status that it concerns, or nil.
func (s *Service) Decide(ctx context.Context, about *linnet.Status, n linnet.Notification, to []linnet.ID) ([]Decision, error) {
	decisions := make([]Decision, len(to))
	if len(to) == 0 || about == nil && !filterable(n.Type) {
		return decisions, nil
	}
	b := s.st.Batch()
	js := make([]deciding, len(to))
	from := []linnet.ID{n.From}
	for i, id := range to {
		js[i] = deciding{to: id, muted: b.NoticesMuted(id, n.From, ThreadOf(about))}
		if filterable(n.Type) {
			js[i].policy, js[i].accepted = b.Policy(id), b.Kept(record.Accepted, id, from)
			js[i].follows, js[i].followed = b.EdgeHas(record.Follows(), id, from), b.EdgeHasOwner(record.Follows(), id, from)
		}
	}
	sender := b.User(n.From)
	root := &db.StatusRef{}
	if about != nil && about.Visibility == linnet.Direct {
		root = b.Status(about.Conversation)
	}
	if err := b.Run(ctx); err != nil {
		return nil, err
	}
	for i := range js {
		decisions[i] = s.decisionOf(&js[i], n, about, sender.User, root.Status)
	}
	return decisions, nil
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
		return told
	}
	if j.policy == nil || sender == nil || sender.Role != linnet.Member || j.accepted.Has(n.From) {
		return told
	}
	follows := j.follows.Has(n.From)
	treat := linnet.Accept
	rule := func(applies bool, t linnet.Treatment) {
		if applies {
			treat = linnet.Stricter(treat, t)
		}
	}
	rule(!follows, j.policy.NotFollowing)
	rule(!j.followed.Has(n.From) && n.Type != linnet.NotifyFollow, j.policy.NotFollowers)
	rule(!follows && s.st.Now().Sub(n.From.Time()) < linnet.NewAccountAge, j.policy.NewAccounts)
	rule(!follows && sender.Silenced, j.policy.Limited)
	if n.Type == linnet.NotifyMention && about.Visibility == linnet.Direct {
		answers := about.InReplyAuthor == j.to || root != nil && root.Author == j.to
		rule(!follows && !answers, j.policy.PrivateMentions)
	}
	switch treat {
	case linnet.Drop:
		return dropped
	case linnet.Hold:
		return Held
	}
	return told
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
