package apptest

import (
	"context"
	"fmt"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/store"
	"linnet/internal/task"
	"slices"
	"testing"
)

func PollOf(seconds int, options ...string) *linnet.PollDraft {
	return &linnet.PollDraft{Options: options, Seconds: seconds}
}

// Ask posts a poll.
func (w *World) Ask(by linnet.ID, p *linnet.PollDraft) linnet.ID {
	w.Helper()
	return w.Draft(by, linnet.Draft{Text: "which?", Poll: p}).ID
}

// Result returns a poll as seen by a viewer: voters, votes per option, own votes, and its state.
func (w *World) Result(viewer, id linnet.ID) string {
	w.Helper()
	p := Must(w.View.Poll(w.Ctx, viewer, id))(w).PollView
	return fmt.Sprint(p.Voters, p.Counts, p.Own, p.Voted, p.Ended)
}

// Closes restarts servers until no task is due. A server can stop just when a due task enters the
// queue.
func Closes(t *testing.T, e kv.Engine, opt store.Options) *World {
	t.Helper()
	for {
		w := Serve(t, e, opt)
		if w.Due(e) {
			continue
		}
		if waiting, err := task.List(context.Background(), e, false, 1); err != nil {
			t.Fatal(err)
		} else if len(waiting) == 0 {
			return w
		}
	}
}

// Due reports whether a scheduled task is due.
func (w *World) Due(e kv.Engine) bool {
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

// Polls returns the number of a user's notifications about ended polls.
func (w *World) Polls(who linnet.ID) (n int) {
	w.Helper()
	for _, v := range w.NoticesOf(who, linnet.NotificationFilter{}, 40) {
		if v.Type == linnet.NotifyPoll {
			n++
		}
	}
	return n
}
