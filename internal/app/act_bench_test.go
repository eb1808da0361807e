package app_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"linnet/internal/app"
	"linnet/internal/app/apptest"
	"linnet/internal/event"
	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/task"
)

// benched is an app for a benchmark, over memory or the embedded store.
type benched struct {
	*testing.B
	*app.App
	ctx   context.Context
	st    *store.Store
	clock *apptest.Clock // nil for the machine's clock
}

func onBenchEngines(b *testing.B, f func(w benched)) {
	for name, open := range map[string]func(testing.TB) kv.Engine{
		"memory": func(testing.TB) kv.Engine { return memkv.New(memkv.Options{}) }, "disk": apptest.OpenDisk} {
		b.Run(name, func(b *testing.B) {
			st := store.New(open(b), store.Options{})
			s := apptest.Must(app.New(st, app.Options{PublicURL: "https://linnet.test", Log: apptest.Quiet(), Exclusive: true}))(b)
			ctx, stop := context.WithCancel(context.Background())
			done := make(chan struct{})
			go func() { defer close(done); s.Run(ctx) }()
			b.Cleanup(func() { stop(); <-done })
			f(benched{b, s, ctx, st, nil})
		})
	}
}

func (w benched) person(login string) linnet.ID {
	u, _, err := w.st.Accounts.CreateUser(w.ctx, store.RandomShard(), linnet.User{Login: login}, record.Secret{}, func(id linnet.ID) (task.Task, error) {
		return task.New(id.Shard(), "settle-user", map[string]linnet.ID{"user": id}, w.st.Now())
	})
	if err == nil {
		err = w.st.Accounts.FinishSignUp(w.ctx, u.ID)
	}
	if err != nil {
		w.Fatal(err)
	}
	return u.ID
}

// drain waits for the tasks of the last actions, so that their work is measured.
func (w benched) drain() {
	for !w.Idle() {
		time.Sleep(10 * time.Microsecond)
	}
}

// BenchmarkHome reads the newest 20 entries of a warm home of 20 followees, including reposts and
// replies.
func BenchmarkHome(b *testing.B) {
	onBenchEngines(b, func(w benched) {
		me := w.person("reader")
		for i := range 20 {
			by := w.person(fmt.Sprint("author", i))
			apptest.Must(w.Social.Follow(w.ctx, me, by, linnet.FollowOptions{}))(w)
			var last linnet.ID
			for n := range 5 {
				last = apptest.Must(w.Posting.Post(w.ctx, by, linnet.Draft{Text: fmt.Sprintf("status %d of author %d with a #tag", n, i), InReplyTo: last}))(w).ID
			}
			apptest.Must(w.Posting.Repost(w.ctx, by, last, nil))(w)
		}
		w.drain()
		w.ReportAllocs()
		for w.Loop() {
			if page := apptest.Must(w.Reading.Home(w.ctx, me, linnet.Page{}))(w); len(page.Items) != 20 {
				w.Fatal(len(page.Items))
			}
		}
	})
}

// BenchmarkPost posts to followers whose home feeds are warm, fan-out included.
func BenchmarkPost(b *testing.B) {
	for _, followers := range []int{10, 1000} {
		b.Run(fmt.Sprint(followers), func(b *testing.B) {
			onBenchEngines(b, func(w benched) {
				ann := w.person("ann")
				apptest.Crowd(w, w.st.Engine(), ann, followers, 3)
				apptest.Must(w.Posting.Post(w.ctx, ann, linnet.Draft{Text: "first"}))(w)
				w.ReportAllocs()
				for w.Loop() {
					apptest.Must(w.Posting.Post(w.ctx, ann, linnet.Draft{Text: "a status with a few words and a #tag"}))(w)
				}
				w.drain()
				w.ReportMetric(float64(w.Elapsed().Nanoseconds())/float64(w.N)/float64(followers), "ns/delivery")
			})
		})
	}
}

// BenchmarkFavourite adds and removes favourites of another user's statuses.
func BenchmarkFavourite(b *testing.B) {
	onBenchEngines(b, func(w benched) {
		ann, bob := w.person("ann"), w.person("bob")
		var ids []linnet.ID
		for range 100 {
			ids = append(ids, apptest.Must(w.Posting.Post(w.ctx, ann, linnet.Draft{Text: "x"}))(w).ID)
		}
		w.ReportAllocs()
		for i := 0; w.Loop(); i++ {
			act := w.Posting.Marks.Favourite
			if i/100%2 == 1 {
				act = w.Posting.Marks.Unfavourite
			}
			apptest.Must(act(w.ctx, bob, ids[i%100]))(w)
		}
		w.drain()
	})
}

// BenchmarkNote measures the two notes for trends and the directory that an action adds in memory.
// Notes beyond the limit are dropped.
func BenchmarkNote(b *testing.B) {
	s, err := app.New(store.New(memkv.New(memkv.Options{}), store.Options{}), app.Options{PublicURL: "https://linnet.test", Log: apptest.Quiet()})
	if err != nil {
		b.Fatal(err)
	}
	st := &linnet.Status{ID: linnet.MakeID(time.Now(), 3, 1), Author: linnet.MakeID(time.Now(), 3, 2), Text: "#tag"}
	b.ReportAllocs()
	for b.Loop() {
		if err := s.Trends.Posted(b.Context(), event.Posted{Status: st}); err != nil {
			b.Fatal(err)
		}
		if err := s.Trends.FirstVote(b.Context(), event.FirstVote{Status: st.ID, By: st.Author}); err != nil {
			b.Fatal(err)
		}
	}
}
