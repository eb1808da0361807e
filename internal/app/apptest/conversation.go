package apptest

import (
	"fmt"
	"linnet/internal/linnet"
	"strings"
)

func (w *World) Direct(by linnet.ID, format string, args ...any) linnet.StatusView {
	w.Helper()
	return w.Draft(by, linnet.Draft{Text: fmt.Sprintf(format, args...), Visibility: new(linnet.Direct)})
}

// Conversations reads all of a user's conversations, page by page.
func (w *World) Conversations(me linnet.ID, limit int) []linnet.ConversationView {
	w.Helper()
	var all []linnet.ConversationView
	for p := (linnet.Page{Limit: limit}); ; {
		s := Must(w.Posting.Conversations.List(w.Ctx, me, p))(w)
		all = append(all, s.Items...)
		if s.Last == "" {
			return all
		}
		p.Max = s.Last
	}
}

// Talks describes a user's conversations: the other users, the newest status, and whether it is
// unread.
func (w *World) Talks(me linnet.ID) string {
	w.Helper()
	w.Drain()
	var out []string
	for _, c := range w.Conversations(me, 2) {
		out = append(out, ConversationText(c))
	}
	return strings.Join(out, "; ")
}

func ConversationText(c linnet.ConversationView) string {
	var with []string
	for _, u := range c.People {
		with = append(with, u.Login)
	}
	s := strings.Join(Sorted(with), "+") + ": " + c.Status.Text
	if c.Unread {
		s += " (unread)"
	}
	return s
}
