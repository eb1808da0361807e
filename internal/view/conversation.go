package view

import (
	"context"

	"linnet/internal/linnet"
	"linnet/internal/store/db"
)

// olderMost is in how many of a conversation's newest statuses one is looked for
// that its owner may see, when that is not so of the last.
const olderMost = 20

// LastShown finds of each conversation the newest status that its owner may see;
// nil if there is none.
func (l *Loader) LastShown(ctx context.Context, cs []linnet.Conversation) ([]*linnet.StatusView, error) {
	out := make([]*linnet.StatusView, len(cs))
	older := make([]db.MessagesRef, len(cs))
	for i, c := range cs {
		if v, ok := l.View(c.Last); ok {
			out[i] = &v
		} else {
			older[i] = l.B.Messages(l.Viewer, c.ID, olderMost)
		}
	}
	if err := l.Run(ctx); err != nil {
		return nil, err
	}
	for i := range cs {
		for _, id := range older[i].IDs() {
			l.Want(id, 0)
		}
	}
	if err := l.Run(ctx); err != nil {
		return nil, err
	}
	for i := range cs {
		for _, id := range older[i].IDs() {
			if v, ok := l.View(id); ok && out[i] == nil {
				out[i] = &v
			}
		}
	}
	return out, nil
}

// Others are those of some people who are not the viewer, as far as they are
// still there; the viewer, if nobody is left.
func (l *Loader) Others(people []linnet.ID) []*linnet.SharedUser {
	var out []*linnet.SharedUser
	for _, id := range people {
		if ref := l.User(id); id != l.Viewer && ref.User != nil && !ref.User.Suspended {
			out = append(out, l.SharedUser(ref.Whole))
		}
	}
	if len(out) == 0 {
		if ref := l.User(l.Viewer); ref.User != nil {
			out = append(out, l.s.SharedUser(ref.Whole))
		}
	}
	return out
}
