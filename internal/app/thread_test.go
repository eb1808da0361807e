package app_test

import (
	"fmt"
	"slices"
	"testing"

	"linnet/internal/linnet"
)

func (w *world) reply(by, to linnet.ID, v linnet.Visibility, format string, args ...any) linnet.ID {
	w.Helper()
	return w.draft(by, linnet.Draft{Text: fmt.Sprintf(format, args...), InReplyTo: to, Visibility: &v}).ID
}

func (w *world) thread(viewer, id linnet.ID) linnet.Thread {
	w.Helper()
	return must(w.Reading.Thread(w.ctx, viewer, id, linnet.ThreadQuery{}))(w)
}

// TestThreadCannotBeSilenced checks that invisible replies neither hide visible ones nor count, for
// strangers and for the author.
func TestThreadCannotBeSilenced(t *testing.T) {
	onEngines(t, func(w *world) {
		ann, bob, eve := w.person("ann"), w.person("bob"), w.person("eve")
		root := w.post(ann, "root").ID
		for i := range 70 {
			w.reply(eve, root, linnet.Visibility(2+i%2), "noise %d", i)
		}
		for i := range 70 {
			w.reply(bob, root, linnet.Visibility(i%2), "answer %d", i)
		}
		w.drain()
		for name, viewer := range map[string]linnet.ID{"nobody": 0, "the author": ann, "who answered": bob} {
			th := w.thread(viewer, root)
			if n := len(th.Descendants); n != 70 || th.After != "" || len(th.Cut) != 0 {
				w.Errorf("%s sees %d of 70 answers; more after %v, %d cut", name, n, th.After, len(th.Cut))
			}
			if v := must(w.View.Status(w.ctx, viewer, root))(w); v.Replies != 70 {
				w.Errorf("%s sees %d answers counted", name, v.Replies)
			}
		}
		if n := len(w.thread(eve, root).Descendants); n != 140 {
			w.Errorf("eve sees %d of her and bob's 140 answers", n)
		}
		w.check()
	})
}

// TestThreadRoomIsForWhatIsSeen checks that visible replies of blocked public authors do not use up
// the limit of a thread.
func TestThreadRoomIsForWhatIsSeen(t *testing.T) {
	w := memWorld(t)
	ann, bob, eve := w.person("ann"), w.person("bob"), w.person("eve")
	root := w.post(ann, "root").ID
	for i := range 300 {
		w.reply(eve, root, linnet.Public, "noise %d", i)
	}
	w.reply(bob, root, linnet.Public, "answer")
	must(w.Social.Block(w.ctx, ann, eve))(w)
	w.drain()
	if got := fmt.Sprint(texts(must(w.Reading.Thread(w.ctx, ann, root, linnet.ThreadQuery{Most: 5}))(w).Descendants)); got != "[answer]" {
		w.Errorf("ann sees %s", got)
	}
}

// TestThreadChain checks that a long chain of replies is shown completely, in both directions, to
// logged-in users.
func TestThreadChain(t *testing.T) {
	w := memWorld(t)
	ann := w.person("ann")
	chain := []linnet.ID{w.post(ann, "0").ID}
	for i := range 60 {
		chain = append(chain, w.reply(ann, chain[i], linnet.Public, "%d", i+1))
	}
	w.drain()
	last := chain[60]
	equal(t, "down", ids(w.thread(ann, chain[0]).Descendants), chain[1:])
	equal(t, "down for nobody", ids(w.thread(0, chain[0]).Descendants), chain[1:])
	equal(t, "up", ids(w.thread(ann, last).Ancestors), chain[:60])
	equal(t, "up for nobody", ids(w.thread(0, last).Ancestors), chain[60-linnet.MaxThreadAncestors:60])
}

// TestThreadPages checks that pages of a thread continue without gaps or duplicates, and indicate
// replies that have more replies.
func TestThreadPages(t *testing.T) {
	onEngines(t, func(w *world) {
		ann, bob := w.person("ann"), w.person("bob")
		root := w.post(ann, "root").ID
		want := map[linnet.ID]bool{}
		var deep linnet.ID
		for i := range 45 {
			id := w.reply(bob, root, linnet.Visibility(i%3), "%d", i)
			want[id] = true
			if i == 3 {
				for range 30 {
					w.reply(ann, id, linnet.Public, "below")
				}
				deep = id
			}
		}
		w.follow(ann, bob)
		w.drain()
		seen := map[linnet.ID]bool{}
		pages, cut := 0, false
		for after := linnet.Cursor(""); ; pages++ {
			th := must(w.Reading.Thread(w.ctx, ann, root, linnet.ThreadQuery{After: after, Most: 15}))(w)
			bound := must(after.ID())(w)
			if len(th.Descendants) > 15 {
				w.Fatalf("a page of %d", len(th.Descendants))
			}
			for _, v := range th.Descendants {
				if v.InReplyTo != root {
					continue
				}
				if seen[v.ID] || !want[v.ID] || v.ID <= bound {
					w.Errorf("%v comes again, or does not belong here", v.Text)
				}
				seen[v.ID] = true
			}
			cut = cut || th.Cut[deep]
			if after = th.After; after == "" {
				break
			}
		}
		if len(seen) != 45 || pages < 3 || !cut {
			w.Errorf("%d of 45 answers on %d pages; that a branch is cut is said: %v", len(seen), pages, cut)
		}
	})
}

// TestThreadLimits checks that threads are limited for all viewers.
func TestThreadLimits(t *testing.T) {
	w := memWorld(t)
	ann := w.person("ann")
	root := w.post(ann, "root").ID
	for range linnet.MaxThreadStatuses + 50 {
		w.draft(ann, linnet.Draft{Text: "wide", InReplyTo: root})
	}
	w.drain()
	if th := w.thread(0, root); len(th.Descendants) != linnet.MaxThreadStatuses || th.After == "" {
		t.Errorf("nobody sees %d descendants, more after %v", len(th.Descendants), th.After)
	}
	if th := w.thread(ann, root); len(th.Descendants) != linnet.MaxThreadStatuses+50 || th.After != "" {
		t.Errorf("ann sees %d descendants, more after %v", len(th.Descendants), th.After)
	}
}

// Replies to a deleted status stay in the thread, below the nearest status above it, whatever order
// statuses are deleted in.
func TestThreadKeepsRepliesToDeleted(t *testing.T) {
	for name, order := range map[string][]int{"one": {2}, "downwards": {1, 2, 3}, "upwards": {3, 2, 1}, "scattered": {3, 1}} {
		t.Run(name, func(t *testing.T) {
			onEngines(t, func(w *world) {
				ann := w.person("ann")
				chain := []linnet.ID{w.post(ann, "0").ID}
				for i := range 5 {
					chain = append(chain, w.reply(ann, chain[i], linnet.Visibility(i%3), "%d", i+1))
				}
				w.drain()
				left := slices.Clone(chain)
				for _, i := range order {
					must(w.Posting.Delete(w.ctx, ann, chain[i]))(w)
					w.drain()
					left = slices.DeleteFunc(left, func(id linnet.ID) bool { return id == chain[i] })
				}
				equal(w, "below the first", ids(w.thread(ann, chain[0]).Descendants), left[1:])
				equal(w, "above the last", ids(w.thread(ann, chain[5]).Ancestors), left[:len(left)-1])
				w.check()
				must(w.Posting.Delete(w.ctx, ann, chain[5]))(w)
				w.drain()
				equal(w, "without the last", ids(w.thread(ann, chain[0]).Descendants), left[1:len(left)-1])
				w.check()
			})
		})
	}
}
