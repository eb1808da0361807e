package web

import (
	"slices"

	"linnet/internal/linnet"
)

// talks are the rows of a timeline. A post stands above the newest answer to it that the page
// shows, joined by a line, as a conversation in one card; all else keeps its order.
func talks(all []linnet.StatusView, row func(linnet.StatusView) *postRow) []*postRow {
	at := make(map[linnet.ID]int, len(all))
	answers := false
	for i, s := range all {
		if s.Repost == nil {
			at[s.ID] = i
		}
	}
	rows := make([]*postRow, len(all))
	for i, s := range all {
		rows[i] = row(s)
		answers = answers || rows[i].S.InReplyTo != 0
	}
	if !answers {
		return rows
	}
	out, taken := make([]*postRow, 0, len(all)), make([]bool, len(all))
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
			r.On = k > 0
			r.Talk = true
			r.To = answered(r.S, rows, at)
			out = append(out, r)
		}
	}
	return out
}

// answered is the name of whom a status answers, as far as the page has it: who wrote what
// stands there too, or is named in the answer. Nobody is looked up for it.
func answered(s linnet.StatusView, rows []*postRow, at map[linnet.ID]int) *linnet.UserView {
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

// homeTalks are the rows of home: what has been read already stands apart from what has not,
// below a line.
func (c *call) homeTalks(all []linnet.StatusView, line linnet.ID) []*postRow {
	read := slices.IndexFunc(all, func(s linnet.StatusView) bool { return line != 0 && s.ID == line })
	if read < 0 {
		return talks(all, c.homeRow)
	}
	below := talks(all[read:], c.homeRow)
	below[0].Ruled = true
	return append(talks(all[:read], c.homeRow), below...)
}

// branch is an answer in a thread, with those to it.
type branch struct {
	Row    *postRow
	Kids   []*branch
	Quiet  []*branch // answers that nobody has reacted to, if they are many
	Deeper int64     // how many answers to it are on its own page alone
}

// deepest is how many levels of a thread a page shows side by side; deeper replies have their own
// page, except a chain of single replies, which continues at the deepest level. quietMost is how many answers stand side by side though nobody reacted to them.
const deepest, quietMost = 4, 2

// branches makes a tree of a thread's answers, which come each after what it answers. Where
// that is hidden, one begins anew.
func (c *call) branches(t statusPage) []*branch {
	at := make(map[linnet.ID]*branch, len(t.Below))
	level := make(map[linnet.ID]int, len(t.Below))
	list := make(map[linnet.ID]*branch, len(t.Below)) // in whose replies each is shown
	replies := map[linnet.ID]int{}
	for _, s := range t.Below {
		replies[s.InReplyTo]++
	}
	var top []*branch
	for _, s := range t.Below {
		b := &branch{Row: c.row(s)}
		if t.Cut[s.ID] {
			b.Deeper = max(1, s.Replies)
		}
		above := at[s.InReplyTo]
		switch {
		case above == nil:
			level[s.ID] = 1
			top = append(top, b)
		case level[s.InReplyTo] < deepest:
			level[s.ID], list[s.ID] = level[s.InReplyTo]+1, above
			above.Kids = append(above.Kids, b)
		case replies[s.InReplyTo] == 1 && above.Row.S.ID == s.InReplyTo:
			level[s.ID], list[s.ID] = deepest, list[s.InReplyTo]
			list[s.ID].Kids = append(list[s.ID].Kids, b)
		default:
			above.Deeper++
			at[s.ID], level[s.ID] = above, deepest
			continue
		}
		at[s.ID] = b
	}
	for _, b := range at {
		b.quieten(t.Status.Author, c.viewer())
	}
	return top
}

// quieten sets apart the answers that nobody has reacted to, where they are many. Those by
// the author of the thread, and by who reads it, are not among them.
func (b *branch) quieten(author, reader linnet.ID) {
	quiet := func(k *branch) bool {
		s := k.Row.S
		return len(k.Kids) == 0 && k.Deeper == 0 && s.Replies+s.Reposts+s.Favourites+s.Quotes == 0 && s.Author != author && s.Author != reader
	}
	var still, lively []*branch
	for _, k := range b.Kids {
		if quiet(k) {
			still = append(still, k)
		} else {
			lively = append(lively, k)
		}
	}
	if len(still) > quietMost {
		b.Kids, b.Quiet = lively, still
	}
	b.Row.On = len(b.Kids)+len(b.Quiet) > 0
}

// Faces are those of the people whose answers are folded away, each once and at most three.
func (b *branch) Faces() []linnet.UserView {
	var out []linnet.UserView
	for _, k := range b.Quiet {
		by := k.Row.S.By.UserView
		if len(out) < 3 && !slices.ContainsFunc(out, func(u linnet.UserView) bool { return u.ID == by.ID }) {
			out = append(out, by)
		}
	}
	return out
}
