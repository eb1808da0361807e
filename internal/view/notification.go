package view

import (
	"context"
	"slices"

	"linnet/internal/linnet"
	"linnet/internal/record"
)

// AskSilenced loads the viewer's relations to silenced senders. These reach only their followers
// and users with a policy that accepts them.
func (l *Loader) AskSilenced(ctx context.Context, ns []linnet.Notification) (in map[linnet.ID]bool, err error) {
	var who []linnet.ID
	for _, n := range ns {
		if ref := l.User(n.From); ref.User != nil && ref.User.Silenced && !slices.Contains(who, n.From) {
			who = append(who, n.From)
			l.Reader.AskPerson(n.From)
		}
	}
	if len(who) == 0 {
		return nil, nil
	}
	accepted, policy := l.B.InPrivateSet(record.Accepted, l.Viewer, who), l.B.Policy(l.Viewer)
	if err := l.Run(ctx); err != nil {
		return nil, err
	}
	in = map[linnet.ID]bool{}
	for _, id := range who {
		in[id] = policy.Limited == linnet.Accept || accepted.Has(id)
	}
	return in, nil
}
