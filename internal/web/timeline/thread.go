package timeline

import (
	"slices"

	"linnet/internal/linnet"
	"linnet/internal/web/page"
	"linnet/internal/web/post"
)

// homeThreads returns the rows of the home timeline. Read posts are below a line, separate from
// unread ones.
func homeThreads(c *page.Context, all []linnet.StatusView, line linnet.ID) []*post.Row {
	row := func(s linnet.StatusView) *post.Row { return post.NewRow(c, s) }
	read := slices.IndexFunc(all, func(s linnet.StatusView) bool { return line != 0 && s.ID == line })
	if read < 0 {
		return post.Threaded(all, row)
	}
	below := post.Threaded(all[read:], row)
	below[0].BelowReadLine = true
	return append(post.Threaded(all[:read], row), below...)
}

// branch is a reply in a thread, with the replies to it.
type branch struct {
	Row    *post.Row
	Kids   []*branch
	Quiet  []*branch // replies without reactions, if there are many
	Deeper int64     // number of replies that are only on its own page
}

// deepest is the number of levels of a thread on a page, and quietMost the maximum number of
// replies without reactions that aren't folded. Deeper replies have their own page, except a chain
// of single replies, which continues at the deepest level.
const deepest, quietMost = 4, 2

// branches returns the tree of a thread's replies, which come after their parents. A reply with a
// hidden parent starts a new branch.
func branches(c *page.Context, t statusPage) []*branch {
	at := make(map[linnet.ID]*branch, len(t.Below))
	level := make(map[linnet.ID]int, len(t.Below))
	list := make(map[linnet.ID]*branch, len(t.Below)) // branch in which each reply is shown
	replies := map[linnet.ID]int{}
	for _, s := range t.Below {
		replies[s.InReplyTo]++
	}
	var top []*branch
	for _, s := range t.Below {
		b := &branch{Row: post.NewRow(c, s)}
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
		b.quieten(t.Status.Author, c.Viewer())
	}
	return top
}

// quieten folds replies without reactions if there are many, except those by the author of the
// thread and the reader.
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
	b.Row.Connected = len(b.Kids)+len(b.Quiet) > 0
}

// Faces returns up to three distinct authors of folded replies.
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
