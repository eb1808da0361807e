package view

import (
	"context"

	"linnet/internal/linnet"
	"linnet/internal/store/db"
)

// olderMost is the number of newest statuses of a conversation that are searched for a visible one.
const olderMost = 20

// LastShown returns the newest visible status of each conversation, or nil.
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

// Others returns the existing users among people except the viewer, or the viewer if there are
// none.
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
