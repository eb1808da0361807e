package reading_test

import (
	"fmt"
	"slices"
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
)

func reply(w *apptest.World, by, to linnet.ID, v linnet.Visibility, format string, args ...any) linnet.ID {
	w.Helper()
	return w.Draft(by, linnet.Draft{Text: fmt.Sprintf(format, args...), InReplyTo: to, Visibility: &v}).ID
}

func thread(w *apptest.World, viewer, id linnet.ID) linnet.Thread {
	w.Helper()
	return apptest.Must(w.Reading.Thread(w.Ctx, viewer, id, linnet.ThreadQuery{}))(w)
}

// TestThreadCannotBeSilenced checks that invisible replies neither hide visible ones nor count, for
// strangers and for the author.
func TestThreadCannotBeSilenced(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann, bob, eve := w.Person("ann"), w.Person("bob"), w.Person("eve")
		root := w.Post(ann, "root").ID
		for i := range 70 {
			reply(w, eve, root, linnet.Visibility(2+i%2), "noise %d", i)
		}
		for i := range 70 {
			reply(w, bob, root, linnet.Visibility(i%2), "answer %d", i)
		}
		w.Drain()
		for name, viewer := range map[string]linnet.ID{"nobody": 0, "the author": ann, "who answered": bob} {
			th := thread(w, viewer, root)
			if n := len(th.Descendants); n != 70 || th.After != "" || len(th.Cut) != 0 {
				w.Errorf("%s sees %d of 70 answers; more after %v, %d cut", name, n, th.After, len(th.Cut))
			}
			if v := apptest.Must(w.View.Status(w.Ctx, viewer, root))(w); v.Replies != 70 {
				w.Errorf("%s sees %d answers counted", name, v.Replies)
			}
		}
		if n := len(thread(w, eve, root).Descendants); n != 140 {
			w.Errorf("eve sees %d of her and bob's 140 answers", n)
		}
		w.Check()
	})
}

// TestThreadRoomIsForWhatIsSeen checks that visible replies of blocked public authors do not use up
// the limit of a thread.
func TestThreadRoomIsForWhatIsSeen(t *testing.T) {
	w := apptest.InMemory(t)
	ann, bob, eve := w.Person("ann"), w.Person("bob"), w.Person("eve")
	root := w.Post(ann, "root").ID
	for i := range 300 {
		reply(w, eve, root, linnet.Public, "noise %d", i)
	}
	reply(w, bob, root, linnet.Public, "answer")
	apptest.Must(w.Social.Block(w.Ctx, ann, eve))(w)
	w.Drain()
	if got := fmt.Sprint(apptest.Texts(apptest.Must(w.Reading.Thread(w.Ctx, ann, root, linnet.ThreadQuery{Most: 5}))(w).Descendants)); got != "[answer]" {
		w.Errorf("ann sees %s", got)
	}
}

// TestThreadChain checks that a long chain of replies is shown completely, in both directions, to
// logged-in users.
func TestThreadChain(t *testing.T) {
	w := apptest.InMemory(t)
	ann := w.Person("ann")
	chain := []linnet.ID{w.Post(ann, "0").ID}
	for i := range 60 {
		chain = append(chain, reply(w, ann, chain[i], linnet.Public, "%d", i+1))
	}
	w.Drain()
	last := chain[60]
	apptest.Equal(t, "down", apptest.IDs(thread(w, ann, chain[0]).Descendants), chain[1:])
	apptest.Equal(t, "down for nobody", apptest.IDs(thread(w, 0, chain[0]).Descendants), chain[1:])
	apptest.Equal(t, "up", apptest.IDs(thread(w, ann, last).Ancestors), chain[:60])
	apptest.Equal(t, "up for nobody", apptest.IDs(thread(w, 0, last).Ancestors), chain[60-linnet.MaxThreadAncestors:60])
}

// TestThreadPages checks that pages of a thread continue without gaps or duplicates, and indicate
// replies that have more replies.
func TestThreadPages(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann, bob := w.Person("ann"), w.Person("bob")
		root := w.Post(ann, "root").ID
		want := map[linnet.ID]bool{}
		var deep linnet.ID
		for i := range 45 {
			id := reply(w, bob, root, linnet.Visibility(i%3), "%d", i)
			want[id] = true
			if i == 3 {
				for range 30 {
					reply(w, ann, id, linnet.Public, "below")
				}
				deep = id
			}
		}
		w.Follow(ann, bob)
		w.Drain()
		seen := map[linnet.ID]bool{}
		pages, cut := 0, false
		for after := linnet.Cursor(""); ; pages++ {
			th := apptest.Must(w.Reading.Thread(w.Ctx, ann, root, linnet.ThreadQuery{After: after, Most: 15}))(w)
			bound := apptest.Must(after.ID())(w)
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
	w := apptest.InMemory(t)
	ann := w.Person("ann")
	root := w.Post(ann, "root").ID
	for range linnet.MaxThreadStatuses + 50 {
		w.Draft(ann, linnet.Draft{Text: "wide", InReplyTo: root})
	}
	w.Drain()
	if th := thread(w, 0, root); len(th.Descendants) != linnet.MaxThreadStatuses || th.After == "" {
		t.Errorf("nobody sees %d descendants, more after %v", len(th.Descendants), th.After)
	}
	if th := thread(w, ann, root); len(th.Descendants) != linnet.MaxThreadStatuses+50 || th.After != "" {
		t.Errorf("ann sees %d descendants, more after %v", len(th.Descendants), th.After)
	}
}

// Replies to a deleted status stay in the thread, below the nearest status above it, whatever order
// statuses are deleted in.
func TestThreadKeepsRepliesToDeleted(t *testing.T) {
	for name, order := range map[string][]int{"one": {2}, "downwards": {1, 2, 3}, "upwards": {3, 2, 1}, "scattered": {3, 1}} {
		t.Run(name, func(t *testing.T) {
			apptest.OnEngines(t, func(w *apptest.World) {
				ann := w.Person("ann")
				chain := []linnet.ID{w.Post(ann, "0").ID}
				for i := range 5 {
					chain = append(chain, reply(w, ann, chain[i], linnet.Visibility(i%3), "%d", i+1))
				}
				w.Drain()
				left := slices.Clone(chain)
				for _, i := range order {
					apptest.Must(w.Posting.Delete(w.Ctx, ann, chain[i]))(w)
					w.Drain()
					left = slices.DeleteFunc(left, func(id linnet.ID) bool { return id == chain[i] })
				}
				apptest.Equal(w, "below the first", apptest.IDs(thread(w, ann, chain[0]).Descendants), left[1:])
				apptest.Equal(w, "above the last", apptest.IDs(thread(w, ann, chain[5]).Ancestors), left[:len(left)-1])
				w.Check()
				apptest.Must(w.Posting.Delete(w.Ctx, ann, chain[5]))(w)
				w.Drain()
				apptest.Equal(w, "without the last", apptest.IDs(thread(w, ann, chain[0]).Descendants), left[1:len(left)-1])
				w.Check()
			})
		})
	}
}
