package admin_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"linnet/internal/admin"
	"linnet/internal/kv"
	"linnet/internal/kv/enginetest"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/task"
)

// edgeTask queues the task that copies ann's follow of bob. It doesn't notify the service, as if
// another server had queued it.
func (v *village) edgeTask() task.Task {
	v.Helper()
	t, err := task.New(v.ann.Shard(), "edge", map[string]any{"kind": "follow", "owner": v.ann, "other": v.bob},
		time.Now().Add(time.Hour))
	v.must(err)
	v.write(t.Ops()...)
	return t
}

func TestPendingUntilTheTaskIsGivenUp(t *testing.T) {
	enginetest.Each(t, func(t *testing.T, open func(*testing.T) kv.Engine) {
		v := newVillage(t, open(t))
		tk := v.edgeTask()
		v.write(kv.Remove{Key: key("followers", v.bob), Member: v.ann.String()},
			kv.Incr{Key: key("counts", v.bob), Name: "followers", By: -1})
		r := v.check()
		if r.Count[admin.Breach] != 0 || !reported(r, admin.Pending, "I5 edge following is not in followers") || r.Tasks != 1 {
			t.Errorf("with the task queued: %+v", r)
		}
		if r.Clean() {
			t.Error("a store with pending findings counts as clean")
		}
		v.write(kv.Remove{Key: task.DueKey(tk.Shard), Member: tk.ID}, kv.Add{Key: task.DeadKey(tk.Shard), Member: tk.ID, Score: 1})
		r = v.check()
		if !reported(r, admin.Breach, "I5 edge following task "+tk.ID+" should have fixed this") {
			t.Errorf("with the task given up: %+v", r.Findings)
		}
		if !reported(r, admin.Note, "I11 task deadtasks failed") {
			t.Errorf("the task itself is not noted: %+v", r.Findings)
		}
	})
}

// TestTasksExplain checks that errors that a queued task will fix are reported as pending, for each
// kind of task.
func TestTasksExplain(t *testing.T) {
	v := newVillage(t, openMemory(t))
	born := linnet.MakeID(time.Now().Add(-time.Minute), 9, 9)
	shared := record.Passkey{ID: []byte("shared")}
	for name, c := range map[string]struct {
		kind string
		args map[string]any
		ops  []kv.Op
	}{
		"settle": {"settle-user", map[string]any{"user": born},
			[]kv.Op{kv.Put{Key: key("user", born), Data: []byte(`{"login":"zoe","pending":true}`), Version: 1},
				kv.Put{Key: key("secret", born), Data: []byte(`{}`), Version: 1},
				kv.Put{Key: named("login", "zoe"), Data: []byte(`{"user":"` + born.String() + `"}`), Version: 1}}},
		"publish": {"publish", map[string]any{"status": v.first},
			[]kv.Op{kv.Remove{Key: v.global(v.bob), Member: v.first.String()}, kv.Pull{Key: key("home", v.ann), ID: uint64(v.first)},
				kv.Remove{Key: key("mentioned", v.ann), Member: v.first.String()}}},
		"publish a repost": {"publish", map[string]any{"status": v.repost},
			[]kv.Op{kv.Remove{Key: key("reposted", v.first), Member: v.ann.String()},
				kv.Incr{Key: key("tally", v.first), Name: "reposts", By: -1}}},
		"erase": {"erase", map[string]any{"status": v.gone, "by": v.bob},
			[]kv.Op{kv.Add{Key: v.global(v.bob), Member: v.gone.String(), Score: v.gone.Millis()},
				&kv.Push{Key: key("home", v.ann), ID: uint64(v.gone)}, kv.Add{Key: key("favourited", v.gone), Member: v.ann.String(), Score: 1}}},
		"settle passkeys": {"settle-passkeys", map[string]any{"hashes": []string{"ab"}},
			[]kv.Op{kv.Put{Key: record.PasskeyKey("ab"), Data: record.Encode(record.Claim{User: record.JID(v.ann)}), Version: 1}}},
		"passkey of two": {"settle-passkeys", map[string]any{"hashes": []string{shared.Hash()}},
			[]kv.Op{kv.Put{Key: record.PasskeysKey(v.ann), Data: record.Encode([]record.Passkey{shared}), Version: 1},
				kv.Put{Key: record.PasskeysKey(v.bob), Data: record.Encode([]record.Passkey{shared}), Version: 1},
				kv.Put{Key: record.PasskeyKey(shared.Hash()), Data: record.Encode(record.Claim{User: record.JID(v.ann)}), Version: 1}}},
		"forget list": {"forget-list", map[string]any{"list": v.hidden},
			[]kv.Op{kv.Add{Key: key("members", v.hidden), Member: v.bob.String(), Score: 1}}},
	} {
		tk, err := task.New(1, c.kind, c.args, time.Now().Add(time.Hour))
		v.must(err)
		back := append(v.undo(c.ops), kv.Remove{Key: task.DueKey(1), Member: tk.ID}, kv.Delete{Key: task.Key(1, tk.ID)})
		v.write(c.ops...)
		if r := v.check(); r.Count[admin.Breach] == 0 {
			t.Errorf("%s: no breach without the task", name)
		}
		v.write(tk.Ops()...)
		if r := v.check(); r.Count[admin.Breach] != 0 || r.Count[admin.Pending] == 0 {
			t.Errorf("%s: with the task queued: %+v", name, r.Findings)
		}
		v.write(back...)
	}
	v.mustBeClean()
}

func TestNotes(t *testing.T) {
	v := newVillage(t, openMemory(t))
	for name, c := range map[string]struct {
		op   kv.Op
		want string
	}{
		"collection that is gone":   {kv.Add{Key: key("incollections", v.ann), Member: v.gone.String(), Score: 5}, "I5 edge incollections does not exist or does not belong"},
		"found collection is gone":  {kv.Add{Key: kv.Key{Kind: "foundcollections"}, Member: v.gone.String(), Score: 5}, "index foundcollections does not exist or does not belong"},
		"favourite of what is gone": {kv.Add{Key: key("favourites", v.ann), Member: v.gone.String(), Score: 5}, "I5 edge favourites the status does not exist"},
		"task without record":       {kv.Add{Key: task.DueKey(3), Member: "x", Score: time.Now().Add(time.Hour).UnixMilli()}, "I11 task tasks does not exist"},
		"broken import":             {kv.Put{Key: record.ImportKey("u"), Data: []byte(`{"done":false}`), Version: 1}, "I11 task meta run it again"},
	} {
		back := v.undo([]kv.Op{c.op})
		v.write(c.op)
		if r := v.check(); !reported(r, admin.Note, c.want) || r.Count[admin.Breach] != 0 {
			t.Errorf("%s: %+v", name, r.Findings)
		}
		v.write(back...)
	}
}

// TestReportIsBounded checks that a report lists some of many similar findings, and counts all.
func TestReportIsBounded(t *testing.T) {
	v := newVillage(t, openMemory(t))
	for i := range 50 {
		v.write(kv.Add{Key: key("posts", v.ann), Member: fmt.Sprint(1000 + i), Score: 1},
			kv.Put{Key: kv.Key{Kind: "strange", ID: fmt.Sprint(i)}, Data: []byte("x"), Version: 1})
	}
	r, err := admin.Check(v.ctx, v.App, admin.CheckOptions{Pause: time.Millisecond, Keep: 20})
	v.must(err)
	if r.Count[admin.Breach] < 100 || len(r.Findings) > 20 || r.Left != r.Count[admin.Breach]-int64(len(r.Findings)) {
		t.Errorf("%d breaches, %d listed, %d left", r.Count[admin.Breach], len(r.Findings), r.Left)
	}
	var out strings.Builder
	v.must(r.Print(&out))
	for _, want := range []string{"problem  orphan      strange:{0}:", "more findings are not listed", " problems, 0 pending, 0 notes"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, out.String())
		}
	}
}

// TestCheckBesideActs checks that unfinished operations are no breaches if a check runs alongside
// user actions.
func TestCheckBesideActs(t *testing.T) {
	enginetest.Each(t, func(t *testing.T, open func(*testing.T) kv.Engine) {
		v := newVillage(t, open(t))
		ctx, cancel := context.WithCancel(v.ctx)
		var acts sync.WaitGroup
		for _, id := range []linnet.ID{v.bob, v.eve} {
			acts.Go(func() {
				for i := 0; ctx.Err() == nil; i++ {
					s, err := v.Posting.Post(v.ctx, id, linnet.Draft{Text: fmt.Sprintf("@ann %d #busy", i)})
					if err == nil && i%3 == 0 {
						_, err = v.Posting.Delete(v.ctx, id, s.ID)
					}
					if err == nil {
						_, err = v.Social.Follow(v.ctx, id, v.ann, linnet.FollowOptions{})
					}
					if err == nil && i%4 == 0 {
						_, err = v.Social.Unfollow(v.ctx, id, v.ann)
					}
					if err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		for range 5 {
			if r := v.check(); r.Count[admin.Breach] != 0 {
				t.Errorf("beside acts: %+v", r.Findings)
			}
		}
		cancel()
		acts.Wait()
		v.drain()
		v.mustBeClean()
	})
}

func TestCheckEndsWithItsContext(t *testing.T) {
	v := newVillage(t, openMemory(t))
	ctx, cancel := context.WithCancel(v.ctx)
	cancel()
	if r, err := admin.Check(ctx, v.App, admin.CheckOptions{}); err == nil {
		t.Errorf("a report in spite of everything: %+v", r)
	}
}
