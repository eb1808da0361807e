package post

import (
	"slices"

	"linnet/internal/linnet"
)

// Threaded returns the rows of a timeline. A post is shown above the newest reply to it on the
// page, connected by a line. The other rows keep their order.
func Threaded(all []linnet.StatusView, row func(linnet.StatusView) *Row) []*Row {
	at := make(map[linnet.ID]int, len(all))
	answers := false
	for i, s := range all {
		if s.Repost == nil {
			at[s.ID] = i
		}
	}
	rows := make([]*Row, len(all))
	for i, s := range all {
		rows[i] = row(s)
		answers = answers || rows[i].S.InReplyTo != 0
	}
	if !answers {
		return rows
	}
	out, taken := make([]*Row, 0, len(all)), make([]bool, len(all))
	for i := range all {
		chain := []int{}
		for j, ok := i, !taken[i]; ok && !taken[j]; {
			taken[j] = true
			chain = append(chain, j)
			if all[j].Repost != nil || all[j].InReplyTo == 0 {
				break
			}
			j, ok = at[all[j].InReplyTo]
		}
		for k, j := range slices.Backward(chain) {
			r := rows[j]
			r.Connected = k > 0
			r.MarksReply = true
			r.To = parentAuthor(r.S, rows, at)
			out = append(out, r)
		}
	}
	return out
}

// parentAuthor returns the parent's author if the page has it, as the author of a row or as a
// mention. It reads nothing from the store.
func parentAuthor(s linnet.StatusView, rows []*Row, at map[linnet.ID]int) *linnet.UserView {
	_, author := s.Parent()
	if author == 0 {
		return nil
	}
	if author == s.Author {
		return &s.By.UserView
	}
	if i, ok := at[s.InReplyTo]; ok {
		return &rows[i].S.By.UserView
	}
	for i := range s.MentionsOf {
		if s.MentionsOf[i].ID == author {
			return &s.MentionsOf[i]
		}
	}
	return nil
}
