package apptest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/locale"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/store/db"
	"linnet/internal/task"
)

// Direct posts a direct message.
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

// ConversationTexts describes a user's conversations: the other users, the newest status, and whether it is
// unread.
func (w *World) ConversationTexts(me linnet.ID) string {
	w.Helper()
	w.Drain()
	var out []string
	for _, c := range w.Conversations(me, 2) {
		out = append(out, ConversationText(c))
	}
	return strings.Join(out, "; ")
}

// ConversationText describes a conversation by its people and its newest status.
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

// Edit edits a status and fails on an error.
func (w *World) Edit(by, id linnet.ID, e linnet.Edit) linnet.StatusView {
	w.Helper()
	v := Must(w.Posting.Edit(w.Ctx, by, id, e))(w)
	w.Drain()
	return v
}

// QuoteTexts returns the texts of the quotes of a status as seen by a viewer.
func (w *World) QuoteTexts(viewer, id linnet.ID) []string {
	w.Helper()
	return Texts(Must(w.Reading.Quotes(w.Ctx, viewer, id, linnet.Page{}))(w).Items)
}

// PollOf returns a poll that is open for some seconds.
func PollOf(seconds int, options ...string) *linnet.PollDraft {
	return &linnet.PollDraft{Options: options, Seconds: seconds}
}

// PostPoll posts a poll.
func (w *World) PostPoll(by linnet.ID, p *linnet.PollDraft) linnet.ID {
	w.Helper()
	return w.Draft(by, linnet.Draft{Text: "which?", Poll: p}).ID
}

// Result returns a poll as seen by a viewer: voters, votes per option, own votes, and its state.
func (w *World) Result(viewer, id linnet.ID) string {
	w.Helper()
	p := Must(w.View.Poll(w.Ctx, viewer, id))(w).PollView
	return fmt.Sprint(p.Voters, p.Counts, p.Own, p.Voted, p.Ended)
}

// ServeDue restarts servers until no task is due. A server can stop just when a due task enters the
// queue.
func ServeDue(t *testing.T, e kv.Engine, opt store.Options) *World {
	t.Helper()
	for {
		w := Serve(t, e, opt)
		if w.TaskDue(e) {
			continue
		}
		if waiting, err := task.List(context.Background(), e, false, 1); err != nil {
			t.Fatal(err)
		} else if len(waiting) == 0 {
			return w
		}
	}
}

// TaskDue reports whether a scheduled task is due.
func (w *World) TaskDue(e kv.Engine) bool {
	w.Helper()
	qs := make([]kv.Query, kv.Shards)
	for s := range uint16(kv.Shards) {
		qs[s] = &kv.Range{Key: task.LaterKey(s), Below: &kv.Member{Score: w.Store.Now().UnixMilli() + 1}, Limit: 1}
	}
	if err := e.Read(context.Background(), qs...); err != nil {
		w.Fatal(err)
	}
	return slices.ContainsFunc(qs, func(q kv.Query) bool { return len(q.(*kv.Range).Members) > 0 })
}

// PollNotices returns the number of a user's notifications about ended polls.
func (w *World) PollNotices(who linnet.ID) (n int) {
	w.Helper()
	for _, v := range w.NoticesOf(who, linnet.NotificationFilter{}, 40) {
		if v.Type == linnet.NotifyPoll {
			n++
		}
	}
	return n
}

// ScheduledPosts returns a user's scheduled posts, soonest first, with the reasons of failed ones.
func (w *World) ScheduledPosts(me linnet.ID) (out string) {
	w.Helper()
	all, _, err := w.Posting.Scheduled.Soonest(w.Ctx, me, 0, 400)
	if err != nil {
		w.Fatal(err)
	}
	for _, s := range all {
		out += "[" + s.Draft.Text + when(s.Failed != "", ": "+locale.English().Stored(s.Failed)) + "]"
	}
	return out
}

func when(on bool, s string) string {
	if on {
		return s
	}
	return ""
}

// Crowd creates n followers of an author with the same follow time and warm home feeds. They are
// ids without accounts.
func (w *World) Crowd(author linnet.ID, n int) []linnet.ID {
	w.Helper()
	return Crowd(w, w.Store.Engine(), author, n, n)
}

// Crowd creates n followers over an engine. Groups of atOnce followers have the same follow time.
func Crowd(t testing.TB, e kv.Engine, author linnet.ID, n, atOnce int) []linnet.ID {
	t.Helper()
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	fans := make([]linnet.ID, n)
	var ops []kv.Op
	for i := range fans {
		fans[i] = linnet.MakeID(at.Add(time.Duration(i/kv.Shards)*time.Millisecond), uint16(i%kv.Shards), 7)
		ops = append(ops, kv.Add{Key: record.Follows().CopyKey(author), Member: fans[i].String(), Score: at.UnixMilli() + int64(i/atOnce)},
			kv.Add{Key: record.Follows().OwnedKey(fans[i]), Member: author.String(), Score: at.UnixMilli()},
			kv.Fill{Key: record.HomeKey(fans[i]), Token: "t", TTL: time.Minute},
			kv.Filled{Key: record.HomeKey(fans[i]), Token: "t"})
		if len(ops) > kv.MaxApply-4 || i == n-1 {
			if err := e.Apply(t.Context(), ops...); err != nil {
				t.Fatal(err)
			}
			ops = nil
		}
	}
	return fans
}

// HomeFeeds reads the home feeds of many users.
func (w *World) HomeFeeds(of []linnet.ID) [][]linnet.ID {
	w.Helper()
	b := w.Store.Batch()
	pages := make([]*db.FeedPage, len(of))
	for i, id := range of {
		pages[i] = b.Feed(record.HomeKey(id), db.Span{Limit: kv.MaxRange})
	}
	if err := b.Run(w.Ctx); err != nil {
		w.Fatal(err)
	}
	out := make([][]linnet.ID, len(of))
	for i, p := range pages {
		if p.Cold || p.Filling {
			w.Fatalf("the feed of follower %d is cold", i)
		}
		out[i] = p.IDs()
	}
	return out
}

// RepeatTask stores a task again, as if a worker had delayed it.
func (w *World) RepeatTask(kind string, args any) {
	w.Helper()
	tk, err := task.New(3, kind, args, w.Store.Now().Add(-time.Hour))
	if err != nil {
		w.Fatal(err)
	}
	if _, err := w.Store.Engine().Txn(w.Ctx, nil, tk.Ops()...); err != nil {
		w.Fatal(err)
	}
}

// FollowMany makes a user follow n ids without accounts.
func (w *World) FollowMany(me linnet.ID, n int) {
	w.Helper()
	var ops []kv.Op
	for i := range n {
		ops = append(ops, kv.Add{Key: record.Follows().OwnedKey(me), Member: linnet.MakeID(time.UnixMilli(1e12), uint16(i%kv.Shards), uint8(i/kv.Shards)).String(), Score: 1})
		if len(ops) == 900 || i == n-1 {
			if i == n-1 {
				ops = append(ops, kv.Incr{Key: kv.Key{Kind: "counts", Shard: me.Shard(), ID: me.String()}, Name: "following", By: int64(n)})
			}
			if _, err := w.Store.Engine().Txn(w.Ctx, nil, ops...); err != nil {
				w.Fatal(err)
			}
			ops = nil
		}
	}
}
